# Everything a developer does has a verb here; `make help` lists them.

## SWIFT: the toolchain's program (swift)
SWIFT ?= swift
export SWIFT
RELEASE = .build$(if $(PORTABLE),/portable)/release/linkcond
PROGRAM = .build$(if $(PORTABLE),/portable)/linkcond
# The libraries of an older system, so that the program starts there, too (Packaging/floor/build).
FLOOR = .build/floor
# Equal code once, and no table of symbols for libraries that nobody loads. Nothing unwinds the stack,
# neither Swift nor C code: its tables are 4 MB, which discard.ld leaves out. The build ID is a digest of
# what is linked; debugging information has names of the compiler's cache, which depend on the folder.
LINK = -Xswiftc -use-ld=lld -Xlinker --icf=safe -Xlinker --no-export-dynamic -Xlinker --no-eh-frame-hdr \
	-Xlinker --strip-debug \
	-Xswiftc -L$(CURDIR)/$(FLOOR) -Xlinker $(CURDIR)/$(FLOOR)/shim.o -Xlinker --wrap=__libc_start_main \
	-Xswiftc -Xclang-linker -Xswiftc -static-libgcc -Xlinker -z -Xlinker now \
	-Xlinker $(CURDIR)/Packaging/floor/discard.ld
# What tests watch while they run, that nothing is read while it is changed, takes the program a third of
# its instructions for a connection.
# The module of regular expressions comes along with one call to it: 1.6 MB.
# The folder's name does not get into the program.
LEAN = -Xswiftc -enforce-exclusivity=unchecked \
	-Xswiftc -Xfrontend -Xswiftc -disable-implicit-string-processing-module-import \
	-Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=.
## FILTER: which tests `make test` runs, or changes `make mutants` makes, a regular expression (all)
FILTER ?=
## ROOM: a module, as Faults; `make test` builds and runs its tests alone (all)
ROOM ?=
## PORTABLE: 1 builds and tests without anything that only Linux has (no)
PORTABLE ?=
ONLY = $(if $(ROOM),LINKCOND_ONLY=$(ROOM)) $(if $(PORTABLE),LINKCOND_PORTABLE=1)
PLACE = $(if $(PORTABLE),portable)$(if $(and $(PORTABLE),$(ROOM)),-)$(if $(ROOM),room)
SCRATCH = $(if $(PLACE),--scratch-path .build/$(PLACE))
## VERBOSE: 1 prints each test that passes, too
## FUZZ_SECONDS: for each fuzz target (60)
FUZZ_SECONDS ?= 60
FUZZ_TARGETS = $(notdir $(patsubst %/Source,%,$(wildcard Fuzz/*/Source)))
LINTED = $(wildcard Package.swift Sources Tests Profiles Fuzz Benchmarks)
## CUTS: of each transfer of `make campaign` (10)
CUTS ?= 10
## BENCH: --quick takes two minutes
## PREFIX: where `make install` puts things (/usr/local)
## DESTDIR: put before PREFIX, to make a package (none)
PREFIX ?= /usr/local
## KEY: the key that signs a release, as gpg finds it (none)
KEY ?=
DIST = .build/dist

.DEFAULT_GOAL := release
.PHONY: help deps test-deps build release demo clients example test coverage mutants determinism campaign lint tidy sanitize fuzz bench size docs ci install dist deb image packages packaging-deps site release-check clean

help: ## list the verbs
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14
	@printf '\nVariables:\n'
	@grep -E '^## ' $(MAKEFILE_LIST) | sed 's/^## //; s/: /\t/' | expand -t 14

deps: ## install missing Debian packages (uses sudo if needed)
	@.ci/dependencies

test-deps: ## also those that only tests need
	@.ci/dependencies test

build: deps ## debug build, warnings are errors
	$(SWIFT) build --explicit-target-dependency-import-check error

# SwiftPM does not see that a library has changed.
$(FLOOR)/shim.o: Packaging/floor/build Packaging/floor/shim.c Packaging/floor/discard.ld
	Packaging/floor/build $(FLOOR)
	rm -f $(RELEASE)

release: deps $(FLOOR)/shim.o ## the program, stripped, as .build/linkcond
	LINKCOND_SMALL=1 $(ONLY) $(SWIFT) build -c release --static-swift-stdlib --product linkcond $(SCRATCH) $(LEAN) $(LINK)
	"$$(dirname "$$(realpath "$$(command -v $(SWIFT))")")/llvm-objcopy" --strip-all $(RELEASE) $(PROGRAM)

demo: release ## a download through LTE that is cut and resumed
	@.ci/demo $(PROGRAM)

clients: release ## published client libraries of Toxiproxy steer it (from PyPI)
	@.ci/clients $(PROGRAM)

example: release ## build and run packages that use the libraries
	@.ci/example $(PROGRAM)

test: test-deps ## all tests, or those of ROOM or FILTER; prints failures and the count
	$(ONLY) $(SWIFT) build --quiet --build-tests --explicit-target-dependency-import-check error $(SCRATCH)
	@$(ONLY) .ci/tests .build/tests --skip-build $(SCRATCH) $(if $(FILTER),--filter '$(FILTER)')

coverage: test-deps ## lines that the tests run, by module, against .ci/coverage.toml
	$(SWIFT) build --quiet --build-tests --enable-code-coverage --scratch-path .build/coverage
	@# A program that writes what it ran into its folder is a disturbance to that test.
	@.ci/tests .build/coverage-tests --skip-build --enable-code-coverage \
		--scratch-path .build/coverage --skip 'runs at once that send one file do not disturb'
	@.ci/coverage .build/coverage

mutants: test-deps ## which small wrong changes, made on purpose, the tests notice
	@.ci/mutants $(if $(FILTER),'$(FILTER)')

determinism: release ## equal seeds, equal results: repeated, debug against release, under load
	$(SWIFT) build --product linkcond
	.ci/determinism .build/debug/linkcond $(PROGRAM)

campaign: release ## a large file through CUTS cuts by every version, to the last byte
	.ci/campaign $(PROGRAM) $(CUTS)

lint: ## formatting and style, and whether each change of `make mutants` still applies
	$(SWIFT) format lint --strict --parallel --recursive $(LINTED)
	@.ci/mutants --check

tidy: ## the architecture and house rules
	@.ci/tests .build/tidy --filter TidyTests

sanitize: test-deps ## tests under AddressSanitizer, then ThreadSanitizer
	.ci/sanitize address
	.ci/sanitize thread

fuzz: deps ## each fuzz target for FUZZ_SECONDS
	@for target in $(FUZZ_TARGETS); do Fuzz/run $$target $(FUZZ_SECONDS) || exit 1; done

bench: release ## speed beside HAProxy and plain libuv
	Benchmarks/run $(PROGRAM) --install $(BENCH)

size: release ## the program's size and what it links
	.ci/size $(PROGRAM)

docs: test-deps ## bring generated pages and the outputs in README and docs up to date
	$(SWIFT) build --quiet --build-tests
	LINKCOND_DOCS=write .ci/tests .build/docs --skip-build --filter 'DocumentTests|ReferencePageTests|ModuleGraphTests'

ci: ## all that continuous integration does
	.ci/run

install: release ## copy program, man page and completions below PREFIX
	Packaging/install $(PROGRAM) $(DESTDIR)$(PREFIX)

dist: release packaging-deps ## every package of a release into .build/dist; KEY signs the checksums
	rm -rf $(DIST)
	mkdir -p $(DIST)
	Packaging/dist $(PROGRAM) $(DIST)
	Packaging/deb $(PROGRAM) $(DIST)
	Packaging/rpm/build $(PROGRAM) $(DIST)
	Packaging/artifact-bundle/build $(PROGRAM) $(DIST)
	Packaging/image $(PROGRAM) $(DIST)/linkcond-$$(Packaging/version)-image
	Packaging/checksums $(DIST) $(KEY)

deb: release packaging-deps ## the Debian package into .build/dist
	Packaging/deb $(PROGRAM) $(DIST)

image: release packaging-deps ## the container image, an OCI layout, into .build/dist
	Packaging/image $(PROGRAM) $(DIST)/linkcond-$$(Packaging/version)-image

packages: release packaging-deps ## make every package, and run each where little else is
	.ci/packages $(PROGRAM)

packaging-deps:
	@.ci/dependencies packages

site: ## the documentation as static pages, in .build/pages; with the libraries' after make build
	Packaging/site/build .build/pages

release-check: ## what a release still needs; runs all checks if nothing is missing
	@Packaging/release-check $(KEY)

clean: ## remove what was built
	rm -rf .build
