package main

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected output in the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"aiongen":         func() { os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
		"aiongen-signals": main, // which handles signals
	})
}

// TestScripts runs the command in modules of its own, which find the runtime by
// a replace directive and everything else in the module cache.
func TestScripts(t *testing.T) {
	root, cache := repository(t), t.TempDir()
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, goEnv(t)...)
			env.Setenv("ROOT", root)
			env.Setenv("XDG_CACHE_HOME", cache)
			copySums(t, root, env.WorkDir)
			return nil
		},
	})
}

// repository is the directory of this module.
func repository(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// copySums gives a module in dir the checksums of this one, whose code it uses.
func copySums(t *testing.T, root, dir string) {
	t.Helper()
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// goEnv lets a go command work in a strange directory, without the network.
func goEnv(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	dirs := strings.Fields(string(out))
	return []string{
		"GOCACHE=" + dirs[0], "GOMODCACHE=" + dirs[1], "GOROOT=" + dirs[2],
		"GOPROXY=off", "GOSUMDB=off", "GOTOOLCHAIN=local", "GOFLAGS=-mod=mod", "GOWORK=off",
	}
}
