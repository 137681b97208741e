package load

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

// Env holds the settings of the go command by name.
type Env map[string]string

// settingNames lists all settings that affect which files a package has and what they mean.
var settingNames = []string{
	"CGO_ENABLED", "GO111MODULE", "GO386", "GOAMD64", "GOARCH", "GOARM", "GOARM64", "GODEBUG", "GOEXPERIMENT", "GOFIPS140", "GOFLAGS", "GOHOSTARCH", "GOHOSTOS",
	"GOMIPS", "GOMIPS64", "GOMOD", "GOMODCACHE", "GOOS", "GOPATH", "GOPPC64", "GORISCV64", "GOROOT", "GOVERSION", "GOWASM", "GOWORK",
}

// ReadEnv asks the go command for its settings.
func ReadEnv(ctx context.Context, dir string) (Env, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"env", "-json"}, settingNames...)...)
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

// all yields the settings in a deterministic order.
func (e Env) all() iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		for _, name := range slices.Sorted(maps.Keys(e)) {
			if !yield(name, e[name]) {
				return
			}
		}
	}
}

// ParseFlags returns the flags in GOFLAGS by name, without dashes. A flag without a value
// has the value "true".
func (e Env) ParseFlags() map[string]string {
	flags := map[string]string{}
	for flag := range strings.FieldsSeq(e["GOFLAGS"]) {
		name, value := splitFlag(flag)
		flags[name] = value
	}
	return flags
}

// flagsWithout returns GOFLAGS without the flags that have the given name.
func (e Env) flagsWithout(name string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(e["GOFLAGS"]), func(flag string) bool {
		other, _ := splitFlag(flag)
		return other == name
	}), " ")
}

func splitFlag(flag string) (name, value string) {
	name, value, ok := strings.Cut(strings.TrimLeft(strings.Trim(flag, `'"`), "-"), "=")
	if !ok {
		value = "true"
	}
	return name, value
}
