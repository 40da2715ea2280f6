# Every target sets up what it needs; a second call finds it done.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input install -qq
RUN_READY := $(VENV)/.ready-run
DEV_READY := $(VENV)/.ready-dev
# Code that is typed; directories that do not exist yet are left out.
TYPED := $(wildcard src tests scripts bench soak)
# One version of each package for every Python and platform; LOCK_FLAGS=--upgrade takes newer ones.
# httpx2-jsfetch exists for browsers only.
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest --generate-hashes \
	--no-emit-index-url --no-emit-find-links --no-emit-package httpx2-jsfetch \
	--custom-compile-command "make lock" $(LOCK_FLAGS)

# People who work in Japanese are spoken to in Japanese, as by Lyra itself.
SPEAKS_JAPANESE := $(filter ja%,$(firstword $(LYRA_LANG) $(LC_ALL) $(LC_MESSAGES) $(LANG)))
comma := ,
say = $(if $(SPEAKS_JAPANESE),$(2),$(1))

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help run test lint format bench bench-cases bench-detector bench-judgement bench-reports bench-server conformance soak
.PHONY: lock notices clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(RUN_READY) ## check the sample claims against the sample library
	@mkdir -p out
	$(BIN)/lyra check --claims sample/claims.csv --question "$(call say,Eight sample claims,サンプルの主張 8 件)" --library sample/library --home out/home --out out/sample-result.md

test: lint ## all gates, then all tests
	$(BIN)/python -m pytest -n auto --dist loadfile $(PYTEST_ARGS)

lint: $(DEV_READY) ## style, types, import contracts, module length, texts, links, licences
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy $(TYPED)
	$(BIN)/lint-imports
	$(BIN)/python -m scripts.gates.module_length
	$(BIN)/python -m scripts.gates.clean_text
	$(BIN)/python -m scripts.gates.doc_links
	$(BIN)/python -m scripts.gates.third_party --check

format: $(DEV_READY) ## lay out the code the way lint wants it
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

bench: $(DEV_READY) ## measure speed and memory
	$(BIN)/python bench/run.py $(BENCH_ARGS)

bench-judgement: $(DEV_READY) ## measure how well the models judge and find
	$(BIN)/python -m bench.judgement.run $(BENCH_ARGS)

bench-cases: $(DEV_READY) ## measure agreement, validation and classification of cases
	$(BIN)/python bench/cases.py $(BENCH_ARGS)

bench-detector: $(DEV_READY) ## measure how well planted instructions are found, by family
	$(BIN)/python bench/detector.py $(BENCH_ARGS)

bench-reports: $(DEV_READY) ## measure tone, speed and memory of reports
	$(BIN)/python bench/reports.py $(BENCH_ARGS)

bench-server: $(DEV_READY) ## measure the server for AI clients on a large task
	$(BIN)/python bench/run.py --only server $(BENCH_ARGS)

conformance: $(DEV_READY) ## run the official conformance suite and the Inspector (Node and a package index needed)
	$(BIN)/python -m scripts.conformance $(CONFORMANCE_ARGS)

soak: $(DEV_READY) ## run for long, with faults
	$(BIN)/python soak/run.py $(SOAK_ARGS)
	$(BIN)/python soak/faults.py
	$(BIN)/python soak/searches.py
	$(BIN)/python soak/server.py $(SERVER_SOAK_ARGS)

lock: $(DEV_READY) ## pin versions and hashes anew from pyproject.toml
	$(LOCK) pyproject.toml --output-file requirements/run.txt
	$(LOCK) --group build --constraint requirements/run.txt --output-file requirements/build.txt
	$(LOCK) pyproject.toml --group dev --constraint requirements/run.txt --constraint requirements/build.txt \
		--output-file requirements/dev.txt
	@$(MAKE) --no-print-directory notices

notices: $(DEV_READY) ## write THIRD_PARTY.md from what is installed
	$(BIN)/python -m scripts.gates.third_party

clean: ## remove the environment, caches and results
	rm -rf $(VENV) out build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests scripts training $(wildcard bench soak) -type d -name __pycache__ -prune -exec rm -rf {} +

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { \
		echo "$(call say,No $(PYTHON) here: install Python 3.11 or newer$(comma) or name one: make PYTHON=/path/to/python3,$(PYTHON) が見つかりません。Python 3.11 以降を入れるか、make PYTHON=/path/to/python3 のように指定してください。)" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "$(call say,Lyra needs Python 3.11 or newer and $(PYTHON) is older: name another$(comma) as in make PYTHON=python3.12,Lyra には Python 3.11 以降が必要ですが、$(PYTHON) は古い版です。make PYTHON=python3.12 のように別のものを指定してください。)" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "$(call say,$(PYTHON) cannot make virtual environments: install its venv module (Debian: apt install python3-venv),$(PYTHON) で仮想環境を作れません。venv モジュールを入れてください（Debian では apt install python3-venv）。)" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

# The package itself is installed without isolation, by the pinned build backend, as a link to src.
$(RUN_READY): requirements/run.txt requirements/build.txt pyproject.toml | $(BIN)/python
	@echo "$(call say,Installing what Lyra runs on (once) ...,Lyra の動作に必要なパッケージを入れています（初回のみ）……)"
	@$(PIP) --require-hashes -r requirements/run.txt -r requirements/build.txt
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(DEV_READY): requirements/dev.txt pyproject.toml | $(BIN)/python
	@echo "$(call say,Installing what Lyra is built and tested with (once) ...,Lyra の開発とテストに必要なパッケージを入れています（初回のみ）……)"
	@$(PIP) --require-hashes -r requirements/dev.txt
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@ $(RUN_READY)
