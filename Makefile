# Each target sets up what it needs, from a bare clone on, and again only when a lock or a
# pyproject.toml has changed.

VENV := .venv
RUN := $(VENV)/run.stamp
DEV := $(VENV)/dev.stamp
PROJECTS := pyproject.toml sdk/pyproject.toml

# Somebody else's environment must not leak into ours.
unexport PYTHONPATH PYTHONHOME VIRTUAL_ENV
# `user = true` in a pip configuration would install past the virtual environment.
export PIP_USER := 0
export PYTHON

.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help demo test check compiled mutants lock release-api clean

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 20

demo: $(RUN) ## Play a tournament of the four house bots and serve the site (ARGS=--exit: and stop)
	@exec $(VENV)/bin/python -m ladder demo $(ARGS)

test: $(DEV) ## Run all tests, with PostgreSQL, Redis and Chromium (ARGS are pytest's)
	@.ci/test-programs.sh
	@exec $(VENV)/bin/python -m pytest $(ARGS)

check: $(DEV) ## Run all static gates: format, lint, types, imports, API
	@.ci/check.sh $(VENV)

compiled: $(DEV) ## Compile the rules engine and run its tests against that (ARGS are pytest's)
	@.ci/compiled.sh $(VENV) $(ARGS)

mutants: $(DEV) ## Break the rules engine in small ways and count what its tests notice (slow)
	@exec nice -n 15 $(VENV)/bin/python bench/mutants.py $(ARGS)

lock: $(DEV) ## Resolve the locked packages anew (ARGS=--upgrade: and take newer ones)
	@.ci/lock.sh $(VENV) $(ARGS)

release-api: $(DEV) ## Make the present API the one that later changes must not break
	@cd proto && ../$(VENV)/bin/buf build --exclude-source-info --output released.binpb
	@$(VENV)/bin/python -c 'import roundhouse; print(roundhouse.API_VERSION)' >proto/released.version

clean: ## Remove the virtual environment and all caches
	@rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

$(RUN): requirements.lock $(PROJECTS) .ci/venv.sh
	@.ci/venv.sh $(VENV) $<
	@touch $@

# The development lock contains the other one, so its stamp stands for both.
$(DEV): requirements-dev.lock $(PROJECTS) .ci/venv.sh
	@.ci/venv.sh $(VENV) $<
	@touch $(RUN) $@
