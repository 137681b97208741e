package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A peer is another code generator.
type peer struct {
	name   string
	module string // argument of go install
	source string // the file that is edited
	each   int    // items in a file; 0 means all
	args   func(n int) []string
}

// peers are generators that load Go packages, and two that do not. Their items differ: an interface, a type
// with three constants, a method of a converter, a provider, a table with a query, a component. Templ rejects
// files with many components.
var peers = []peer{
	{"moq", "github.com/matryer/moq@v0.8.1", "many.go", 0, func(n int) []string {
		return append([]string{"-out", "mocks_test.go", "."}, numberedNames("Finder", n)...)
	}},
	{"stringer", "golang.org/x/tools/cmd/stringer@v0.52.0", "many.go", 0, func(n int) []string {
		return []string{"-type", strings.Join(numberedNames("Kind", n), ","), "."}
	}},
	{"mockery", "github.com/vektra/mockery/v3@v3.9.0", "many.go", 0, fixedArgs("--config", "mockery.yml")},
	{"goverter", "github.com/jmattheis/goverter/cmd/goverter@v1.11.1", "many.go", 0, fixedArgs("gen", ".")},
	{"wire", "github.com/google/wire/cmd/wire@v0.7.0", "many.go", 0, fixedArgs("gen", ".")},
	{"sqlc", "github.com/sqlc-dev/sqlc/cmd/sqlc@v1.31.1", "query.sql", 0, fixedArgs("generate")},
	{"templ", "github.com/a-h/templ/cmd/templ@v0.3.977", "many.templ", 10, fixedArgs("generate")},
}

func fixedArgs(args ...string) func(int) []string { return func(int) []string { return args } }

func numberedNames(word string, n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprint(word, i))
	}
	return all
}

// installPeer installs a peer and returns it as a subject.
func (p peer) installPeer(ctx context.Context, place string) (subject, error) {
	bin := filepath.Join(place, "bin")
	install := exec.CommandContext(ctx, "go", "install", p.module)
	install.Dir = place // outside any module
	install.Env = append(os.Environ(), "GOBIN="+bin, "CGO_ENABLED=0")
	if out, err := install.CombinedOutput(); err != nil {
		return subject{}, fmt.Errorf("%s: %w\n%s", install, err, out)
	}
	_, version, _ := strings.Cut(p.module, "@")
	return subject{
		name: p.name + " " + version, input: p.name, source: p.source, each: p.each,
		args: func(n int) []string { return append([]string{filepath.Join(bin, p.name)}, p.args(n)...) },
	}, nil
}
