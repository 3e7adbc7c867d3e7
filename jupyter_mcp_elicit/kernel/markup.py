"""HTML for outputs, in which foreign text stays text."""

from __future__ import annotations

#: Attributes of the outermost element: front ends set formulas in all the rest (MathJax 3 and 4, MathJax 2).
LITERAL = 'class="mathjax_ignore tex2jax_ignore"'
