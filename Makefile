# A short front for CMake; see `make help`.
PREFIX ?= /usr/local
JOBS := $(shell nproc)

.PHONY: help build demo test lint docs test-long test-compilers bench install format clean
help: ## show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/make \1	\2/' | expand -t 24

build: ## the optimised program, build/release/starling
	@scripts/install-deps build
	@cmake --preset release -D CMAKE_INSTALL_PREFIX=$(PREFIX) > /dev/null
	@cmake --build --preset release -j $(JOBS) --target starling

# network and machine: the largest gain over the best fixed dataflow in docs/dataflows.md
demo: build ## map BERT-base, prove how well, compare with fixed dataflows and other machines; into demo/
	@mkdir -p demo
	build/release/starling bert_base flex1024 --prove=2 --compare=5 --sensitivity=5 --out demo > demo/story.txt
	@echo; awk '/^(Layers|Proofs|Where time and energy go)$$/ { skip = 1 } /^What the machine/ { skip = 0 } !skip' demo/story.txt
	@echo "Open demo/map.html in a browser: every layer, proof and loop nest. Next:"
	@echo "  build/release/starling eval demo:block1_ff_up   (one layer of the run, every number)"
	@echo "  build/release/starling verify demo              (are the proofs right?)"
	@echo "  build/release/starling map resnet18:conv2_1     (one layer: its loop nest)"
	@echo "  build/release/starling mobilenet_v2 eyeriss     (another network, another machine)"

test: ## unit, golden, property and command-line tests, examples, fuzzing; with sanitizers
	@scripts/install-deps test
	@scripts/test

lint: ## format, includes, style, public names, clang-tidy, shellcheck
	@scripts/install-deps test
	@scripts/test lint

docs: build ## run the commands of README and guides, write what they print into the pages, draw docs/images
	@scripts/install-deps docs
	tools/make_docs.py
	tools/make_images.py

test-long: ## hours: other compilers, threads, hundreds of generated worlds, longer fuzzing
	@scripts/install-deps test
	@scripts/test-long

test-compilers: ## the tests again, built by gcc -O0, gcc -O1 and clang -O2, without sanitizers
	@scripts/install-deps test
	@scripts/test debug o1 clang

bench: build ## nanoseconds per cost evaluation, samples per second of every method
	build/release/starling bench cost
	build/release/starling bench map

install: build ## program, libraries, headers, man page, data under PREFIX (DESTDIR is honoured)
	@cmake --build --preset release -j $(JOBS) --target installed
	cmake --install build/release

format: ## lay out every C file with clang-format
	@scripts/install-deps test
	@scripts/format

clean: ## remove what was built
	rm -rf build demo
