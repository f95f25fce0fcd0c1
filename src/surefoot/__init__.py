"""Plans and animates human characters through 3D worlds that move."""
