"""Plots: curves over time, drawn without a plotting library."""

from surefoot.animation.plots.clip_plot import plot_clip

__all__ = ["plot_clip"]
