"""Pictures and films of scenes, drawn by the processor alone: no display, no graphics card, no browser."""

from .film import write_film as write_film
from .image import image as image
from .picture import write_picture as write_picture
