package main

import (
	"bytes"
	"context"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var updateScripts = flag.Bool("update", false, "rewrite the expected output in the scripts, and llms.txt")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"aiongen":         func() { os.Exit(runCommand(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
		"aiongen-signals": main, // which handles signals
	})
}

// TestScripts runs the command in separate modules, which find this module by a replace directive with
// $ROOT and everything else in the module cache.
func TestScripts(t *testing.T) {
	root, cache := repositoryRoot(t), t.TempDir()
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *updateScripts,
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, goEnv(t)...)
			env.Setenv("ROOT", root)
			env.Setenv("BIN", filepath.SplitList(env.Getenv("PATH"))[0]) // has the commands of TestMain
			env.Setenv("XDG_CACHE_HOME", cache)
			copySums(t, root, env.WorkDir)
			return replaceRoot(env.WorkDir, root)
		},
	})
}

// replaceRoot replaces $ROOT in the files go.mod and go.work below dir. The same path in all scripts lets the go
// command compile the packages of this module once.
func replaceRoot(dir, root string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "go.mod" && d.Name() != "go.work" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, bytes.ReplaceAll(text, []byte("$ROOT"), []byte(root)), 0o666)
	})
}

// repositoryRoot returns the root of this module.
func repositoryRoot(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// copySums copies the checksums of this module to the module in dir, which depends on it.
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

// goEnv returns an environment in which the go command works in another directory, without the network.
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
