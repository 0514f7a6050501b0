r"""The file ``population.txt``: every unit in a line, with its stratum and a tab before it.

Sorted by stratum, in the order of the registration, and then by unit. In ``filter`` the lines
are the notes, and the candidate pairs that are not to be drawn.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from vaultgraph.audit.units import Population, parse_unit, unit_line
from vaultgraph.errors import IntegrityError

if TYPE_CHECKING:
    from vaultgraph.audit.units import UnitId

FILE = "population.txt"


def population_bytes(population: Population) -> bytes:
    """Return what the file holds."""
    lines = (
        f"{stratum}\t{unit_line(unit)}\n"
        for stratum, units in population.units.items()
        for unit in units
    )
    return "".join(lines).encode("utf-8", "surrogatepass")


def hash_population(content: bytes) -> str:
    """Return the hash that a registration holds; line endings do not count."""
    return sha256(content.replace(b"\r\n", b"\n")).hexdigest()


def parse_population(content: bytes) -> Population:
    """Return the population a file holds.

    Raises:
        IntegrityError: it is no such file, or not sorted.
    """
    units: dict[str, list[UnitId]] = {}
    text = content.replace(b"\r\n", b"\n").decode("utf-8", "surrogatepass")
    for number, line in enumerate(text.split("\n")[:-1], 1):
        stratum, tab, written = line.partition("\t")
        try:
            unit = parse_unit(written)
        except ValueError as error:
            raise _fault(number, str(error)) from None
        if not tab or not written:
            raise _fault(number, "holds no unit")
        if stratum in units and units[stratum][-1] >= unit:
            raise _fault(number, "is out of order, or stands twice")
        units.setdefault(stratum, []).append(unit)
    return Population({stratum: tuple(found) for stratum, found in units.items()})


def _fault(number: int, text: str) -> IntegrityError:
    return IntegrityError(
        f"{FILE}:{number}: {text}", hint="take the file from where the audit was locked"
    )
