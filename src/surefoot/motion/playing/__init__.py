"""Playing clips on a body in a world: what locking, blending and the step engine share.

A *program* is a character's schedule. It is kept as *beats*: spans of time in which the same clips
play and each foot stands or swings. A beat holds all that a pose inside it depends on, so poses can
be asked for at any time and in any order, for many characters in one native call.
"""
