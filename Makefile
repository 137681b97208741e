# Development tasks. .ci/run decides whether a change is complete; these targets run parts of it.

GOLANGCI_LINT = go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
ACTIONLINT    = go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12 -shellcheck= -pyflakes=

# Packages of this module whose tests have the flag -update.
GOLDEN = $(addprefix ./,$(sort $(dir $(shell git grep -l 'flag.Bool."update"' -- '*_test.go' ':!adapters' ':!example/github'))))

.DEFAULT_GOAL := help
.PHONY: help build test check ci generate fmt lint golden

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## compile all packages of this module
	go build ./...

test: ## run the fast tests, in a few minutes
	go test -short ./...

check: build lint ## check a change to this module: lint, format, generated code, all tests
	go vet ./... ./testdata/golden/...
	@unformatted=$$(git ls-files -z '*.go' | xargs -0 gofmt -l); \
	if [ -n "$$unformatted" ]; then printf 'not formatted, run make fmt:\n%s\n' "$$unformatted"; exit 1; fi
	go tool aiongen fmt -d example/tools example/github
	go tool aiongen check ./...
	go mod tidy -diff
	go test ./...

ci: ## run everything, with servers, the race detector and the other modules
	.ci/run

generate: ## write the generated code of all modules
	go generate ./...
	cd bench && go generate ./search
	cd conformance && go generate ./...
	cd example/github && go generate ./...

fmt: ## format Go and .aion files
	git ls-files -z '*.go' | xargs -0 gofmt -w
	go tool aiongen fmt example/tools example/github

lint: ## run the linters
	$(GOLANGCI_LINT) run ./...
	$(ACTIONLINT)
	cd bench && go run ./house -strict ..

golden: ## rewrite the expected output of tests; read the diff afterwards
	go test $(GOLDEN) -update
	cd example/github && go test . -update
