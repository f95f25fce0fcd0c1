"""The user's own character: reading a rig, mapping its bones, and giving it poses."""
