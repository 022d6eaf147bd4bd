"""Mesh files: STL, OBJ, PLY, DAE and glTF, read with limits that hold before anything is allocated."""

from .read import read_mesh as read_mesh
from .soup import Soup as Soup
