package load

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	out, err := runGo(ctx, dir, append([]string{"env", "-json"}, settingNames...)...)
	if err != nil {
		return nil, fmt.Errorf("reading the go environment: %w", err)
	}
	var env Env
	if err := json.Unmarshal(out, &env); err != nil {
		return nil, fmt.Errorf("reading the go environment: %w", err)
	}
	return env, nil
}

// runGo runs the go command in a directory and returns its output. The error has what the command wrote to its
// standard error.
func runGo(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && len(exit.Stderr) > 0 {
		err = errors.New(strings.TrimSpace(string(exit.Stderr)))
	}
	return out, err
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
