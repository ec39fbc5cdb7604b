.DEFAULT_GOAL := help

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
LDFLAGS := -s -w -X main.version=$(VERSION) -X main.rulePages=$(PAGES)
TOOL    := go tool -modfile=hack/tools/go.mod

# Makes targets side by side, two at a time. Each prints what it has to say when it is done.
BESIDE = $(MAKE) --no-print-directory --jobs=2 $(if $(filter output-sync,$(.FEATURES)),--output-sync)

include hack/envtest/envtest.mk
include hack/image/image.mk
include hack/browser/browser.mk
include hack/flux/flux.mk

.PHONY: help
help: ## Show the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: linter charts ## Build bin/flux-remedy, bin/flux-remedy-charts and bin/remedy-webhook
	CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o bin/remedy-webhook ./cmd/webhook

.PHONY: linter
linter:
	@CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o bin/flux-remedy ./cmd/lint

.PHONY: charts
charts: ## Build bin/flux-remedy-charts, which renders charts for the linter
	CGO_ENABLED=0 go -C cmd/lint/charts build -trimpath -ldflags '-s -w' -o ../../../bin/flux-remedy-charts .

.PHONY: demo
demo: linter ## Lint the example fleet and show what is found
	@echo '$$ flux-remedy lint testdata/demo'
	@bin/flux-remedy lint testdata/demo; code=$$?; echo "exit code $$code"; test $$code -eq 1

# Collecting what tests leave behind takes a quarter of their time else.
.PHONY: test
test: export GOGC = 400
test: envtest-assets ## Run what lint checks, then all tests
	@go list -export ./... >/dev/null && go -C hack list -export ./... >/dev/null # compiled, not linked, before tests run programs
	@$(BESIDE) test-hack $(LINT) test-bench test-charts
	go test ./cmd/webhook ./cmd/lint ./... # those that take long first

.PHONY: test-hack test-bench test-charts
test-charts:
	go -C cmd/lint/charts test ./...

test-hack:
	go -C hack test -count=1 ./... # never cached: they test what lies outside of their module

test-bench:
	go -C bench test ./...

# Random trees, as many as one likes: make fuzz TREES=20000 SEED=7
SEED ?= 1

.PHONY: fuzz
fuzz: TREES ?= 10000
fuzz: ## Hold the linter to Flux's own libraries on TREES random trees, from the one of SEED on
	go -C hack test -count=1 -timeout 0 -v ./library -trees $(TREES) -seed $(SEED)

# What a later Flux may bring, drawn into trees of your own: make test-newer DRAWS=400 TREES="../a ../b"
DRAWS ?= 200

.PHONY: test-newer
test-newer: ## Hold the linter to a later Flux, drawn DRAWS times into TREES
	go test -count=1 -timeout 0 -v ./cmd/lint/internal/judge -run '^TestNewerFlux$$' -unfamiliar $(DRAWS) -unfamiliar-trees '$(abspath $(TREES))'

# Measure some trees only, more often, or trees of your own: make bench ONLY=fleet ROUNDS=9 TREES="../a ../b"
ROUNDS ?= 5

.PHONY: bench
bench: bench-lint bench-webhook ## Measure the linter beside conftest, kubeconform and Flux's library, and the webhook beside one that always allows

.PHONY: bench-lint
bench-lint: linter bin/crds/helm.toolkit.fluxcd.io_helmreleases.yaml
	@mkdir -p bin/bench/schema
	cp bin/flux-remedy bin/bench/
	go build -modfile=bench/tools/go.mod -o bin/bench/ github.com/open-policy-agent/conftest github.com/yannh/kubeconform/cmd/kubeconform
	go -C bench build -o ../bin/bench/ ./library
	go -C bench run ./schema ../bin/crds/helm.toolkit.fluxcd.io_helmreleases.yaml ../bin/bench/schema/helmrelease.json
	go -C bench run . -rounds $(ROUNDS) -only '$(ONLY)' -o ../bin/bench/table.md $(abspath $(TREES))
	@[ -z '$(TREES)' ] || go test ./cmd/lint/internal/build -run '^TestDoubts$$' -count=1 -v -bench Composed -benchtime 3x -args -of '$(abspath $(TREES))' # which builds are slow, and what the others save

.PHONY: bench-webhook
bench-webhook:
	GOGC=300 go test ./cmd/webhook -run - -bench 'Server|Create' -benchtime 3000x # as in manifests/base/deployment.yaml
	go test ./cmd/webhook -run - -bench Flood -benchtime 48x
	go test ./cmd/webhook -run - -bench Memory -benchtime 60s

.PHONY: lint
lint: ## Check formatting, vet, staticcheck, Regal and that generated files are fresh
	@$(BESIDE) $(LINT)

LINT := lint-generated lint-policies lint-go lint-hack lint-bench lint-format lint-commits
.PHONY: $(LINT)

# One set of flags for all of these and for the programs that tests run: each is compiled once. To link takes twice as long
# with symbols, lint vets, and a busy machine may take twenty times as long.
test lint $(LINT): export GOFLAGS = -trimpath -ldflags=-s -vet=off -timeout=60m
test lint $(LINT): export CGO_ENABLED = 0

lint-format:
	@unformatted=$$($(TOOL) gofumpt -l .); \
	if [ -n "$$unformatted" ]; then echo "not formatted, run make format:"; echo "$$unformatted"; exit 1; fi

lint-go:
	go vet ./...
	go -C cmd/lint/charts vet ./...
	$(TOOL) staticcheck ./...

lint-policies:
	go tool -modfile=hack/regal/go.mod regal lint policies

lint-bench:
	go -C bench vet ./...
	go -C bench tool -modfile=../hack/tools/go.mod staticcheck ./...

lint-hack:
	go -C hack vet -tags browser,flux ./...
	go -C hack tool -modfile=tools/go.mod staticcheck -tags browser,flux ./...

lint-generated:
	go -C hack run ./generate -check

lint-commits: # the last twenty, where there is a history
	@wrong=$$(git log -20 --no-merges --format=%s 2>/dev/null | grep -Ev '^[A-Z].{0,70}[^.]$$'); \
	if [ -n "$$wrong" ]; then echo "subjects of commits are not imperative sentences of at most 72 letters without a full stop:"; echo "$$wrong"; exit 1; fi

.PHONY: format
format: ## Format the Go code
	$(TOOL) gofumpt -w .

.PHONY: tidy
tidy: ## Tidy all modules; hack depends on the main one
	go mod tidy && go -C hack mod tidy && go -C hack/tools mod tidy && go -C hack/regal mod tidy && go -C bench mod tidy && go -C bench/tools mod tidy && go -C cmd/lint/charts mod tidy

.PHONY: generate
generate: ## Write what is derived: schemas and prepared policies, pages of rules
	go -C hack run ./generate
	go test ./cmd/lint -run '^(TestSchemas|TestBackstop)$$' -update
	go -C hack run ./generate # what the chart has of the policies that are written now

.PHONY: man
man: linter ## Write the man pages of flux-remedy to dist/man
	bin/flux-remedy man dist/man

REPOSITORY ?=
BASE       ?= scratch

.PHONY: release
release: ## Write all files of VERSION as REPOSITORY publishes them to dist/release; SIGN=cmd signs each, BASE=image is what images are built on
	go -C hack run ./release -version '$(VERSION)' -repository '$(REPOSITORY)' -output $(CURDIR)/dist/release -sign '$(SIGN)' -base '$(BASE)'

.PHONY: vulncheck
vulncheck: ## Look for known vulnerabilities that the programs reach; asks the network for the database
	$(TOOL) govulncheck ./...

.PHONY: clean
clean: ## Remove what was built, but for the API server of the tests
	rm -f bin/flux-remedy bin/flux-remedy-charts bin/remedy-webhook
