# Verbs of the project. `make` alone prints them.
#
# Everything is installed into .venv. A stamp file per set of packages remembers what is there, so a second
# run starts at once; it is renewed when pyproject.toml or constraints.txt changes.

# Which Python makes .venv: `make test PYTHON=python3.12`. The environment's PYTHON is not asked.
PYTHON := python3
# Test processes, one BLAS thread each: `make test WORKERS=8`.
WORKERS := 2

# Fits of `make adversary`, and what they are drawn from.
FITS := 10000
SEED := 0

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1

# Nothing from outside may lead an import or an installation past .venv.
unexport PYTHONPATH PYTHONHOME PIP_USER PIP_TARGET PIP_PREFIX

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help setup demo test quick lint types unit sklearn-tests adversary gpu bench bench-dry docs clean

help:
	@echo "make VERB, where VERB is one of"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' $(firstword $(MAKEFILE_LIST)) \
	  | awk -F'|' '{ printf "  %-9s %s\n", $$1, $$2 }'

setup: $(VENV)/everything.stamp ## make .venv with the package, all extras and the development tools

demo: $(VENV)/report.stamp ## first look: fit a real table, print what was found and proven, write demo/report.html
	@$(BIN)/eigenlens demo

test: lint types unit sklearn-tests bench-dry ## all checks, as the continuous integration runs them

quick: setup ## the tests without the slow ones, stopping at the first failure
	$(ONE_THREAD) $(BIN)/python -m pytest -q -x -n $(WORKERS) -m "not slow"

lint: setup ## ruff: mistakes and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup ## mypy, strict, on src
	$(BIN)/mypy

unit: setup
	$(ONE_THREAD) $(BIN)/python -m pytest -q -n $(WORKERS)

# scikit-learn's own tests of PCA, IncrementalPCA and KernelPCA, with these names rebound to our classes; its warnings
# are its own affair.
sklearn-tests: setup
	$(ONE_THREAD) $(BIN)/python -m pytest -q -n $(WORKERS) -o filterwarnings=default \
	  -p tests.peers.sklearn_rebind --pyargs sklearn.decomposition.tests.test_pca \
	  sklearn.decomposition.tests.test_incremental_pca sklearn.decomposition.tests.test_kernel_pca

adversary: setup ## try to break certificates: make adversary FITS=100000 SEED=7; results in benchmarks/results
	$(ONE_THREAD) $(BIN)/python -m tests.adversary.run --fits $(FITS) --seed $(SEED)

# Without a CUDA device they run on torch's own CPU device, as `make test` runs them too.
gpu: setup ## what runs on a GPU: tests marked gpu, 5000 fits of the adversary, benchmarks/results/gpu.md
	$(BIN)/python -c 'import torch; print("on", torch.cuda.get_device_name() if torch.cuda.is_available() else "the CPU device of torch: no GPU is there")'
	$(BIN)/python -m pytest -q -m gpu
	$(BIN)/python -m tests.adversary.run --term "device products" --fits 5000 --seed $(SEED)
	$(BIN)/python -m benchmarks.run --only gpu --out benchmarks/results

bench: setup ## measure ours beside scikit-learn; results in benchmarks/results
	$(BIN)/python -m benchmarks.run

bench-dry: setup
	$(BIN)/python -m benchmarks.run --dry

docs: setup ## draw the figures, run the examples, build the documentation into site, look at it in Chromium
	$(ONE_THREAD) $(BIN)/python docs/images/make_figures.py
	$(ONE_THREAD) $(BIN)/python docs/website/build.py
	$(BIN)/python docs/website/check.py

clean: ## remove what was built; .venv stays (rm -r .venv to start over)
	rm -rf build demo dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src tests benchmarks examples -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

$(VENV)/made.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "eigenlens needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) -V 2>&1)." \
	       "Name another one: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/report.stamp: $(VENV)/made.stamp pyproject.toml
	@echo "installing eigenlens and what its report needs into $(VENV) ..."
	@$(PIP) -e ".[report]"
	@touch $@

# Touches the smaller stamp too: `make demo` then finds what it needs already there.
$(VENV)/everything.stamp: $(VENV)/made.stamp pyproject.toml constraints.txt
	@echo "installing eigenlens, all extras and the development tools into $(VENV): minutes, once ..."
	@$(PIP) -c constraints.txt -e ".[all,dev]"
	@touch $(VENV)/report.stamp $@
