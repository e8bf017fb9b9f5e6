# A short front for CMake; see `make help`.
PREFIX ?= /usr/local
JOBS := $(shell nproc)

.PHONY: help build demo test bench install format clean
help: ## show this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/make \1	\2/' | expand -t 16

build: ## the optimised program, build/release/starling
	@scripts/install-deps build
	@cmake --preset release -D CMAKE_INSTALL_PREFIX=$(PREFIX) > /dev/null
	@cmake --build --preset release -j $(JOBS) --target starling

demo: build ## price ResNet-18 on an Eyeriss-like accelerator; reports go to demo/
	build/release/starling eval resnet18 --accel eyeriss --out demo
	@echo; echo "The same numbers, for reading and for machines, are in demo/:"; ls demo
	@echo; echo "Next: build/release/starling eval resnet18:conv2_1    (one layer, every number)"
	@echo "      build/release/starling list accels eyeriss      (what it ran on)"

test: ## everything: sanitizers, linters, examples, command line, fuzzing
	@scripts/install-deps test
	@scripts/test

bench: build ## nanoseconds per cost evaluation
	build/release/starling bench cost

install: build ## program, libraries, headers, man page, data under PREFIX (DESTDIR is honoured)
	@cmake --build --preset release -j $(JOBS) --target installed
	cmake --install build/release

format: ## lay out every C file with clang-format
	@scripts/install-deps test
	@scripts/format

clean: ## remove what was built
	rm -rf build demo
