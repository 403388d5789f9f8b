"""Figures, and regions made of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .checks import Vector, length, number, vector

_ORIGIN: Vector = (0, 0, 0)


class Region:
    """A part of space: ``a + b`` (either), ``a - b`` (a without b), ``a & b`` (both).

    ``terms``: a point is inside if it is inside of all ``(figure, True)`` and of no ``(figure, False)`` of a term.
    """

    @property
    def terms(self) -> list[list[tuple[Figure, bool]]]:
        raise NotImplementedError

    @property
    def figures(self) -> list[Figure]:
        """Every figure once, in the order of their first use."""
        return list(dict.fromkeys(figure for term in self.terms for figure, _ in term))

    def __add__(self, other: Region) -> Region:
        return _Terms([*self.terms, *other.terms])

    def __and__(self, other: Region) -> Region:
        return _Terms([[*one, *two] for one in self.terms for two in other.terms])

    def __sub__(self, other: Region) -> Region:
        without = self.terms
        for term in other.terms:
            # outside of a term is outside of one of its figures, or inside of one that it leaves out
            without = [[*one, (figure, not inside)] for one in without for figure, inside in term]
        return _Terms(without)


class _Terms(Region):
    def __init__(self, terms: Sequence[list[tuple[Figure, bool]]]) -> None:
        # those inside first: a term of the editor begins with a figure that is added
        self._terms = [sorted(dict.fromkeys(term), key=lambda one: not one[1]) for term in terms]

    @property
    def terms(self) -> list[list[tuple[Figure, bool]]]:
        return self._terms


@dataclass(frozen=True, eq=False)
class Figure(Region):
    """A figure: a region by itself. ``position``: its centre, cm. ``rotation``: about fixed X, then Y, then Z, degrees."""

    @property
    def terms(self) -> list[list[tuple[Figure, bool]]]:
        return [[(self, True)]]

    @property
    def limits(self) -> tuple[Vector, Vector]:
        """The corners of the box around it, along the axes, cm."""
        raise NotImplementedError

    def check(self, attribute: str) -> None:
        """:raises ProjectError: naming the attribute"""
        raise NotImplementedError

    def geometry(self) -> dict[str, Any]:
        """``geometryData`` of the editor."""
        raise NotImplementedError


def _around(position: Vector, half: Vector) -> tuple[Vector, Vector]:
    x, y, z = position
    a, b, c = half
    return (x - a, y - b, z - c), (x + a, y + b, z + c)


def _turned(rotation: Vector) -> np.ndarray[Any, np.dtype[np.float64]]:
    x, y, z = np.radians(rotation)
    about_x = np.array([[1, 0, 0], [0, math.cos(x), -math.sin(x)], [0, math.sin(x), math.cos(x)]])
    about_y = np.array([[math.cos(y), 0, math.sin(y)], [0, 1, 0], [-math.sin(y), 0, math.cos(y)]])
    about_z = np.array([[math.cos(z), -math.sin(z), 0], [math.sin(z), math.cos(z), 0], [0, 0, 1]])
    turned: np.ndarray[Any, np.dtype[np.float64]] = about_z @ about_y @ about_x
    return turned


@dataclass(frozen=True, eq=False)
class Box(Figure):
    """A box: ``width`` along x, ``height`` along y, ``depth`` along z, full lengths, cm."""

    width: float
    height: float
    depth: float
    position: Vector = _ORIGIN
    rotation: Vector = _ORIGIN

    def check(self, attribute: str) -> None:
        for name in ("width", "height", "depth"):
            length(f"{attribute}.{name}", getattr(self, name))
        vector(f"{attribute}.position", self.position)
        vector(f"{attribute}.rotation", self.rotation)

    @property
    def limits(self) -> tuple[Vector, Vector]:
        a, b, c = np.abs(_turned(self.rotation)) @ np.array([self.width, self.height, self.depth]) / 2
        return _around(self.position, (float(a), float(b), float(c)))

    def geometry(self) -> dict[str, Any]:
        parameters = {"width": self.width, "height": self.height, "depth": self.depth}
        return _geometry("BoxGeometry", self.position, self.rotation, parameters)


@dataclass(frozen=True, eq=False)
class Cylinder(Figure):
    """A cylinder along z, ``depth`` long, with a hole where ``inner_radius`` is not 0; cm."""

    radius: float
    depth: float
    inner_radius: float = 0
    position: Vector = _ORIGIN
    rotation: Vector = _ORIGIN

    def check(self, attribute: str) -> None:
        radius = length(f"{attribute}.radius", self.radius)
        length(f"{attribute}.depth", self.depth)
        number(f"{attribute}.inner_radius", self.inner_radius, least=0, most=math.nextafter(radius, 0))
        vector(f"{attribute}.position", self.position)
        vector(f"{attribute}.rotation", self.rotation)

    @property
    def limits(self) -> tuple[Vector, Vector]:
        axis = _turned(self.rotation)[:, 2]
        across = self.radius * np.sqrt(np.maximum(0, 1 - axis**2))
        a, b, c = np.abs(axis) * self.depth / 2 + across
        return _around(self.position, (float(a), float(b), float(c)))

    def geometry(self) -> dict[str, Any]:
        parameters = {"innerRadius": self.inner_radius, "radius": self.radius, "depth": self.depth}
        return _geometry("HollowCylinderGeometry", self.position, self.rotation, parameters)


@dataclass(frozen=True, eq=False)
class Sphere(Figure):
    """A sphere; cm."""

    radius: float
    position: Vector = _ORIGIN

    def check(self, attribute: str) -> None:
        length(f"{attribute}.radius", self.radius)
        vector(f"{attribute}.position", self.position)

    @property
    def limits(self) -> tuple[Vector, Vector]:
        return _around(self.position, (self.radius, self.radius, self.radius))

    def geometry(self) -> dict[str, Any]:
        return _geometry("SphereGeometry", self.position, _ORIGIN, {"radius": self.radius})


def _geometry(kind: str, position: Vector, rotation: Vector, parameters: dict[str, float]) -> dict[str, Any]:
    return {
        "geometryType": kind,
        "position": list(position),
        "rotation": list(rotation),
        "parameters": parameters,
    }
