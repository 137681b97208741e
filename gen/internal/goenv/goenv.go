// Package goenv asks the go command which toolchain and which settings it works with
// in a directory: what variables, files of settings, go.mod and go.work decide.
package goenv

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"os/exec"
	"slices"
	"strings"
)

// Env holds the settings by name.
type Env map[string]string

// names are those of all settings that decide which files a package has, and what
// they mean.
var names = []string{
	"CGO_ENABLED", "GO111MODULE", "GO386", "GOAMD64", "GOARCH", "GOARM", "GOARM64", "GODEBUG", "GOEXPERIMENT", "GOFIPS140", "GOFLAGS", "GOHOSTARCH", "GOHOSTOS",
	"GOMIPS", "GOMIPS64", "GOMOD", "GOMODCACHE", "GOOS", "GOPATH", "GOPPC64", "GORISCV64", "GOROOT", "GOVERSION", "GOWASM", "GOWORK",
}

// Read asks the go command.
func Read(ctx context.Context, dir string) (Env, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"env", "-json"}, names...)...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok && len(exit.Stderr) > 0 {
			err = errors.New(strings.TrimSpace(string(exit.Stderr)))
		}
		return nil, fmt.Errorf("reading the go environment: %w", err)
	}
	var env Env
	if err := json.Unmarshal(out, &env); err != nil {
		return nil, fmt.Errorf("reading the go environment: %w", err)
	}
	return env, nil
}

// All returns the settings in an order that is always the same.
func (e Env) All() iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		for _, name := range slices.Sorted(maps.Keys(e)) {
			if !yield(name, e[name]) {
				return
			}
		}
	}
}

// Flags are those that GOFLAGS gives, by name, without dashes. A flag without a value
// has "true".
func (e Env) Flags() map[string]string {
	flags := map[string]string{}
	for flag := range strings.FieldsSeq(e["GOFLAGS"]) {
		name, value := split(flag)
		flags[name] = value
	}
	return flags
}

// FlagsWithout is GOFLAGS without the flags of a name.
func (e Env) FlagsWithout(name string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(e["GOFLAGS"]), func(flag string) bool {
		other, _ := split(flag)
		return other == name
	}), " ")
}

func split(flag string) (name, value string) {
	name, value, ok := strings.Cut(strings.TrimLeft(strings.Trim(flag, `'"`), "-"), "=")
	if !ok {
		value = "true"
	}
	return name, value
}
