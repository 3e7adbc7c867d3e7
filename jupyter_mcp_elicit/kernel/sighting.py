"""Whether this kernel's page is known to show our forms: some cannot load the widget's script at all."""

from __future__ import annotations

#: Seconds that the first form of a kernel has to be seen: a page may have to fetch its script first.
FIRST = 10.0
#: The same where a form was not seen before.
LATER = 2.0


class Sighting:
    """What is known so far. A page that has shown one form shows the next."""

    def __init__(self) -> None:
        self.seen = False
        self._missed = False

    def report(self) -> None:
        """A page has spoken as only our script does, or the Jupyter server has one of ours open."""
        self.seen = True

    def miss(self) -> None:
        """A form's time to be seen is over."""
        self._missed = True

    @property
    def patience(self) -> float:
        """Seconds that the next form has."""
        return LATER if self._missed else FIRST


#: Of this kernel.
SIGHTING = Sighting()
