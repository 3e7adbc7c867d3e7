"""What the tests of the kernel's room share."""

from __future__ import annotations

from widget_page import page as page
