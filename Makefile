# Both from a fresh clone, nothing else beforehand: `make demo` to try it, `make test` to prove it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := pyproject.toml hatch_build.py js/package.json js/package-lock.json \
           $(shell find jupyter_mcp_elicit js/src js/schema notebooks jupyter-config -type f -not -path '*/labextension/*' -not -path '*/static/*' -not -name '*.pyc')

.PHONY: demo test clean

demo: $(VENV)/demo.stamp
	$(BIN)/jupyter mcp-elicit demo --dir $(or $(DIR),.cache/demo) $(if $(OPTIONS),-- $(OPTIONS))

test:
	PYTHON=$(PYTHON) sh scripts/test.sh

$(BIN)/pip:
	$(PYTHON) -m venv $(VENV)

$(VENV)/demo.stamp: $(BIN)/pip $(SOURCES)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check '.[lab,pattern]'
	touch $@

clean:
	rm -rf $(VENV) .cache js/node_modules js/lib jupyter_mcp_elicit/labextension jupyter_mcp_elicit/static
