# Everything a developer does has a verb here; `make help` lists them.

SWIFT ?= swift
RELEASE = .build/release/linkcond
PROGRAM = .build/linkcond
FUZZ_SECONDS ?= 60
FUZZ_TARGETS = $(notdir $(patsubst %/Source,%,$(wildcard Fuzz/*/Source)))
THREADED = LibuvTests|ProxyTests|TransferTests|EndToEndTests
LINTED = $(wildcard Package.swift Sources Tests Profiles Fuzz Benchmarks)
PREFIX ?= /usr/local

.DEFAULT_GOAL := release
.PHONY: help deps test-deps build release demo test determinism lint tidy sanitize fuzz bench size readme ci install clean

help: ## list the verbs
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

deps: ## install missing Debian packages (uses sudo if needed)
	@.ci/dependencies

test-deps: ## also those that only tests need
	@.ci/dependencies test

build: deps ## debug build, warnings are errors
	$(SWIFT) build --explicit-target-dependency-import-check error

release: deps ## the program, stripped, as .build/linkcond
	$(SWIFT) build -c release --static-swift-stdlib --product linkcond
	strip -o $(PROGRAM) $(RELEASE)

demo: release ## a download through LTE that is cut and resumed
	@.ci/demo $(PROGRAM)

test: test-deps ## all tests
	$(SWIFT) build --build-tests --explicit-target-dependency-import-check error
	$(SWIFT) test --disable-xctest --parallel --skip-build

determinism: release ## equal seeds, equal results: repeated, debug against release, under load
	$(SWIFT) build --product linkcond
	.ci/determinism .build/debug/linkcond $(PROGRAM)

lint: ## formatting and style
	$(SWIFT) format lint --strict --parallel --recursive $(LINTED)

tidy: ## the architecture and house rules
	$(SWIFT) test --disable-xctest --filter TidyTests

sanitize: test-deps ## tests under AddressSanitizer, then ThreadSanitizer
	ASAN_OPTIONS=quarantine_size_mb=8 LSAN_OPTIONS=suppressions=$(CURDIR)/.ci/leaks.suppressions \
		$(SWIFT) test --disable-xctest --sanitize=address --scratch-path .build/address \
		--skip 'TidyTests|FidelityTests'
	$(SWIFT) test --disable-xctest --sanitize=thread --scratch-path .build/thread --filter '$(THREADED)'

fuzz: deps ## each fuzz target for FUZZ_SECONDS (60)
	@for target in $(FUZZ_TARGETS); do Fuzz/run $$target $(FUZZ_SECONDS) || exit 1; done

bench: release ## speed beside HAProxy and plain libuv; BENCH=--quick takes two minutes
	Benchmarks/run $(PROGRAM) --install $(BENCH)

size: release ## the program's size and what it links
	.ci/size $(PROGRAM)

readme: release ## bring the outputs in README.md up to date
	.ci/readme $(PROGRAM) README.md >.build/README.md
	cp .build/README.md README.md

ci: ## all that continuous integration does
	.ci/run

install: release ## copy program, man page and completions below PREFIX (/usr/local)
	install -D -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/linkcond
	$(PROGRAM) man >.build/linkcond.1
	install -D -m 644 .build/linkcond.1 $(DESTDIR)$(PREFIX)/share/man/man1/linkcond.1
	$(PROGRAM) completions bash >.build/linkcond.bash
	install -D -m 644 .build/linkcond.bash \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/linkcond
	$(PROGRAM) completions zsh >.build/_linkcond
	install -D -m 644 .build/_linkcond $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_linkcond
	$(PROGRAM) completions fish >.build/linkcond.fish
	install -D -m 644 .build/linkcond.fish \
		$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/linkcond.fish

clean: ## remove what was built
	rm -rf .build
