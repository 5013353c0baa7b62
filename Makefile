# Two commands are enough: `make run` and `make test`. `make help` lists the rest.
# Relative paths only: the folder's own path may contain blanks.

PYTHON ?= python3
JOBS ?= 2
SECONDS ?= 60
NAMES ?=
DIST ?= dist

# A Python that was asked for is the only one tried.
PYTHONS := $(if $(filter file default,$(origin PYTHON)),python3 python3.13 python3.12 python3.11,"$(PYTHON)")

# Installed by rustup a minute ago, and not yet on the PATH of this shell.
export PATH := $(PATH):$(HOME)/.cargo/bin
# Only .venv counts, whatever environment the shell is in.
unexport CONDA_PREFIX
export VIRTUAL_ENV := $(CURDIR)/.venv
export PYO3_PYTHON := $(CURDIR)/.venv/bin/python

export PIP_QUIET := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# NATIVE=1 builds for this very processor, in a target folder of its own.
KIND := portable
ifdef NATIVE
KIND := native
export RUSTFLAGS += -C target-cpu=native
export CARGO_TARGET_DIR := $(if $(CARGO_TARGET_DIR),$(CARGO_TARGET_DIR),$(CURDIR)/target)-native
endif

# Without a Rust toolchain, `run` and `test` do with the engine in Python; the rest needs it.
ALONE := $(shell PATH="$(PATH)" sh .ci/check --rust 2>/dev/null || echo alone)
ifdef ALONE
KIND := python
endif
PYTHON_TESTS := grammar csv files drawing drawing_marks position schedules bayes architecture \
	breakthrough connect_four othello go hex trace trace_steps report check_game gtp_clock gtp_input gtp_folder \
	arena_reasons arena_store arena_store_harm bandit without_rust tsp course_functions own_methods evaluations \
	tables fuzz_inputs

# Folders count too: a file that is removed changes its folder.
RUST := Cargo.toml Cargo.lock $(shell find crates -type d -o -name '*.rs' -o -name Cargo.toml)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help check rust run develop test test-long test-threads test-faults fuzz lint format bench train docs wheel sdist clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile
	@echo 'Options: PYTHON=python3.12  JOBS=2 (tests in parallel)  NATIVE=1 (for this processor only)'

check:
	@if [ -f .venv/made ]; then \
		if ! .venv/bin/python -c '' 2>/dev/null || [ "$$(cat .venv/made)" != "$(CURDIR)" ]; then \
			echo 'sylve: .venv was made elsewhere or with a Python that is gone: run make clean first' >&2; \
			exit 1; \
		fi; \
		sh .ci/check $(if $(ALONE),--python) .venv/bin/python >/dev/null; \
	else \
		sh .ci/check $(if $(ALONE),--python) $(PYTHONS) >/dev/null; \
	fi

rust:
	@sh .ci/check --rust

# pip 25.1 is the first that reads dependency groups.
.venv/made: | check
	@echo "Making .venv (once)"
	@python="$$(sh .ci/check --python $(PYTHONS))" && "$$python" -m venv --clear .venv
	@.venv/bin/python -m pip install --upgrade 'pip>=25.1'
	@.venv/bin/python -m pip install --group build
	@printf '%s\n' "$(CURDIR)" > $@

.venv/tools: .venv/made pyproject.toml | check
	@echo "Installing the tools for tests and lint"
	@.venv/bin/python -m pip install --group test --group lint
	@touch $@

# Editable: a change in Python needs no rebuild. Cargo decides what to compile. The lab draws with matplotlib.
.venv/installed-$(KIND): .venv/made pyproject.toml $(RUST) | check
	@rm -f .venv/installed-*
ifdef ALONE
	@echo 'Installing the Python half alone: without a Rust toolchain, searches are some 200 times slower'
	@.venv/bin/python .ci/python_half
else
	@rm -f .venv/lib/python*/site-packages/sylve-python-half.pth
	@echo 'Compiling the Rust half: three minutes the first time, on two cores. Cargo names each part;'
	@echo 'the last two, sylve-core and sylve-py, come last and are the largest'
	.venv/bin/maturin develop --release --extras lab
endif
	@touch $@

develop: .venv/installed-$(KIND) ## build and install into .venv, editable

run: develop ## a demo: one position, every search, and who was right
	.venv/bin/sylve demo

test: develop .venv/tools ## all tests but the long ones: a few minutes
ifdef ALONE
	.venv/bin/python -m pytest -m "not long" -n $(JOBS) $(PYTHON_TESTS:%=tests/test_%.py)
	@echo 'Left out, for want of a Rust toolchain: cargo test, and all test files but the $(words $(PYTHON_TESTS)) above'
	@sh .ci/check --rust || true
else
	cargo test --quiet --workspace
	.venv/bin/python -m pytest -m "not long" -n $(JOBS)
endif

test-long: rust develop .venv/tools fuzz ## the long tests, the other processor level, and fuzzing
	SYLVE_CPU=portable .venv/bin/python -m pytest -m "not long" -n $(JOBS) tests/test_agreement.py tests/test_conformance.py
	.venv/bin/python -m pytest -m long -n $(JOBS) --timeout 3600

test-threads: rust develop .venv/tools ## loom and ThreadSanitizer on the shared tree
	.venv/bin/python -m pytest tests/test_threads.py --timeout 3600

test-faults: rust develop .venv/tools ## plant each fault and require its test to fail; NAMES="one two" for some
	.venv/bin/python tests/faults/run.py $(NAMES)

fuzz: rust develop ## fuzz every reader for SECONDS=60 each; NAMES="position_hex sgf" for some
	.venv/bin/python fuzz/run.py --seconds $(SECONDS) $(NAMES)

lint: rust develop .venv/tools ## formatting, types, warnings: all are errors
	.venv/bin/python -m ruff format --check
	.venv/bin/python -m ruff check
	.venv/bin/python -m mypy
	.venv/bin/python -m mypy.stubtest sylve._core
	cargo fmt --check
	cargo fmt --check --manifest-path fuzz/Cargo.toml
	cargo clippy --quiet --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS='-D warnings' cargo doc --quiet --workspace --no-deps

format: .venv/tools ## rewrite the sources in the project's format
	.venv/bin/python -m ruff format
	.venv/bin/python -m ruff check --fix
	cargo fmt
	cargo fmt --manifest-path fuzz/Cargo.toml

bench: rust develop .venv/tools ## speed, beside OpenSpiel and plain C; NATIVE=1 for this processor's best
	.venv/bin/python benchmarks/run.py

train: rust develop ## learn Othello's weights anew, in train-results/othello; hours, and what was done is kept
	.venv/bin/sylve train othello --out train-results

.venv/docs-tools: .venv/made pyproject.toml | check
	@echo "Installing the tools for the documentation site"
	@.venv/bin/python -m pip install --group docs
	@touch $@

# Every warning is an error. The pages fetch nothing, and search themselves.
docs: develop .venv/docs-tools ## the documentation site, in site/html
	.venv/bin/python docs/site/build.py site
	@echo 'Open site/html/index.html in a browser'

.venv/wheel-tools: .venv/made pyproject.toml | check
	@echo "Installing the tools for portable wheels"
	@.venv/bin/python -m pip install --group wheel || echo 'No zig for this machine: the wheel will be for systems as new as this one'
	@touch $@

# With zig, for every Linux since 2014 (manylinux2014: glibc 2.17), and auditwheel checks that. Maturin
# finds zig by the Python that is first on the path.
# The names of this machine's folders do not belong in a wheel.
wheel: rust develop .venv/wheel-tools ## the wheel for every Python from 3.11 on, in dist/
	@rm -f "$(DIST)"/*.whl
	PATH="$(CURDIR)/.venv/bin:$$PATH" \
		CARGO_ENCODED_RUSTFLAGS="--remap-path-prefix=$${CARGO_HOME:-$$HOME/.cargo}=cargo" \
		.venv/bin/maturin build --release --quiet --out "$(DIST)" \
		$$(.venv/bin/python -m ziglang version >/dev/null 2>&1 && echo --zig --compatibility manylinux2014)
	@ls "$(DIST)"/*.whl
	@if .venv/bin/python -m auditwheel --version >/dev/null 2>&1; then .venv/bin/python -m auditwheel show "$(DIST)"/*.whl; fi

# Package indexes show the README away from its files: its links become absolute.
sdist: .venv/made ## the sources with docs, tests and examples, in dist/; URL=https://... for absolute links
	@rm -rf "$(DIST)"/*.tar.gz "$(DIST)"/source
	.venv/bin/maturin sdist --out "$(DIST)"
ifdef URL
	mkdir "$(DIST)"/source && tar xzf "$(DIST)"/*.tar.gz -C "$(DIST)"/source --strip-components 1
	.venv/bin/python .ci/absolute_links "$(DIST)"/source "$(URL)"
	.venv/bin/maturin sdist --manifest-path "$(DIST)"/source/crates/sylve-py/Cargo.toml --out "$(DIST)"
	rm -rf "$(DIST)"/source
endif
	@ls "$(DIST)"/*.tar.gz

clean: ## remove .venv and everything that was built
	rm -rf .venv target target-native dist site fuzz/target python/sylve/_core.*.so
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis
