"""The studio: worlds, plans and animations on a web page, played on a timeline."""

from surefoot.studio.live import LiveView
from surefoot.studio.showing import check_page, save, show
from surefoot.studio.viewer import Viewer

__all__ = ["LiveView", "Viewer", "check_page", "save", "show"]
