#!/usr/bin/env sh
# Sets up and runs everything: what CI runs is what you run.
set -eu
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-python3}
VENV=.venv
LOWEST=.venv-lowest
step() { printf '\n== %s\n' "$1"; }

step "environment (latest versions)"
[ -x $VENV/bin/python ] || "$PYTHON" -m venv $VENV
$VENV/bin/python -m pip install --quiet --disable-pip-version-check uv
UV="$VENV/bin/uv --quiet"
rm -rf dist
$UV build --wheel --out-dir dist .
WHEEL=$(ls dist/*.whl)
$UV pip install --python $VENV/bin/python --upgrade --group test
$UV pip install --python $VENV/bin/python --reinstall-package jupyter_mcp_elicit "$WHEEL[lab,notebook,pattern]"
PATH="$PWD/$VENV/bin:$PATH"
export PATH

step "style, types, architecture"
ruff check .
ruff format --check .
mypy
lint-imports --no-cache >/dev/null || lint-imports --no-cache

step "JavaScript"
(cd js && { [ -x node_modules/.bin/vitest ] || npm ci --no-audit --no-fund --loglevel=error; } && npm run --silent check && npm test --silent)

step "peers: MCP servers that nobody here wrote"
python tests/interop/peers/install.py
python tests/core/fetch_suite.py

step "tests (lowest versions)"
# The oldest Python that is promised, where the machine has it.
LOW_PYTHON=$PYTHON
for each in python3.10 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.10.*/bin/python; do
    if "$each" --version >/dev/null 2>&1; then LOW_PYTHON=$each; fi
done
[ -x $LOWEST/bin/python ] || $UV venv --python "$LOW_PYTHON" $LOWEST
$UV pip compile --resolution lowest-direct --python-version 3.10 --extra lab --extra notebook --extra pattern \
    pyproject.toml --output-file .cache/lowest.txt >/dev/null
$UV pip install --python $LOWEST/bin/python --requirement .cache/lowest.txt
$UV pip install --python $LOWEST/bin/python --constraint .cache/lowest.txt --group test "$WHEEL"
$LOWEST/bin/python --version
$LOWEST/bin/pytest -q -n 3 --dist loadfile tests/core tests/client tests/test_broker*.py tests/test_policy.py \
    tests/kernel/test_calls.py tests/kernel/test_form.py tests/kernel/test_controls.py

step "tests (latest versions)"
# Most of them wait for a browser or another process, so three fit on two cores.
pytest -q -n 3 --dist loadfile
