"""The gait model: footholds first, then a body that goes on them with its feet locked."""
