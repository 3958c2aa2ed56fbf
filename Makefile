# `make run` and `make test` need nothing but Python 3.12 or newer; each sets up what it needs, and quickly the second time.
.NOTPARALLEL:
.DEFAULT_GOAL := help
PY := .venv/bin/python
HOST ?= 127.0.0.1
PORT ?= 8000
CATALOGUES := $(patsubst %.po,%.mo,$(wildcard locale/*/LC_MESSAGES/*.po))
# A machine of one's own, on purpose: no TLS, mail to the terminal, static files served from where they lie.
run admin demo screenshots: export LOCAL = 1

.PHONY: help run admin demo test check audit format messages pins screenshots clean

help: ## list these commands
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 14

run: .venv/.run .venv/.engine $(CATALOGUES) ## play: serve on http://127.0.0.1:8000 (HOST, PORT; DEBUG=1 to work on the code)
	@$(PY) manage.py migrate --no-input --verbosity 0
	@$(PY) manage.py serve --host $(HOST) --port $(PORT)

admin: .venv/.run ## make an account that may use the administration
	@$(PY) manage.py migrate --no-input --verbosity 0
	@$(PY) manage.py createsuperuser

demo: .venv/.run .venv/.engine $(CATALOGUES) ## fill the database with players and matches to look at
	@$(PY) manage.py migrate --no-input --verbosity 0
	@$(PY) manage.py demo

test: .venv/.dev .venv/.engine $(CATALOGUES) ## run the suite on SQLite, and again on PostgreSQL and Redis
	@scripts/test

check: .venv/.dev $(CATALOGUES) ## format, lint, types, deployment, migrations, translations, Lighthouse
	@scripts/check

audit: .venv/.dev ## look the pinned packages up among the known vulnerabilities
	@$(PY) -m pip_audit --strict --no-deps --disable-pip -r requirements.txt
	@$(PY) -m pip_audit --strict --no-deps --disable-pip -r requirements-dev.txt

format: .venv/.dev ## format the code
	@$(PY) -m ruff check --fix --quiet .
	@$(PY) -m ruff format .

messages: .venv/.dev ## take new texts of the sources into the catalogues (needs GNU gettext)
	@LOCAL=1 $(PY) manage.py makemessages --all --add-location file --no-obsolete --ignore .venv --ignore tests

pins: ## write the newest fitting versions into the requirements files (needs uv)
	@UV_CUSTOM_COMPILE_COMMAND="make pins" uv pip compile -q --upgrade --python-version 3.12 requirements.in -o requirements.txt
	@UV_CUSTOM_COMPILE_COMMAND="make pins" uv pip compile -q --upgrade --python-version 3.12 requirements-dev.in -o requirements-dev.txt

screenshots: .venv/.dev $(CATALOGUES) ## take pictures of the pages into screenshots/
	@$(PY) scripts/screenshots.py

clean: ## remove what these commands made; the database in var/ stays
	@rm -rf .venv staticfiles screenshots .pytest_cache .mypy_cache .ruff_cache $(CATALOGUES)

.venv/.run: requirements.txt scripts/install
	@scripts/install requirements.txt
	@touch $@

.venv/.dev: requirements.txt requirements-dev.txt scripts/install
	@scripts/install requirements-dev.txt
	@touch .venv/.run $@

# The computer's thinking is compiled ahead, so that nobody waits for it at the table.
.venv/.engine: $(wildcard games/engine/*.py) .venv/.run
	@echo "Compiling the engine"
	@LOCAL=1 $(PY) manage.py warmengine --verbosity 0
	@touch $@

%.mo: %.po scripts/compile_messages.py | .venv/.run
	@$(PY) scripts/compile_messages.py $<
