"""All tricks by name."""

from __future__ import annotations

from .addresses import ADDRESSES
from .forms import FORMS
from .moments import MOMENTS
from .noise import NOISE
from .trick import Trick

TRICKS: dict[str, Trick] = {each.name: each for each in (*FORMS, *ADDRESSES, *MOMENTS, *NOISE)}
