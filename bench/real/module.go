package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A module is where the tools of one subject are made.
type module struct {
	dir     string // absolute
	root    string // of aiongen's module
	program string // aiongen
}

// create makes the module, empty but for what it requires.
func (m module) create(s subject) error {
	if err := os.RemoveAll(m.dir); err != nil {
		return err
	}
	require := ""
	if s.module != "std" {
		require = fmt.Sprintf("require %s %s\n", s.module, s.version)
	}
	goMod := "module " + modulePath + "\n\ngo 1.26\n\nrequire github.com/aiongen/aiongen v0.0.0\n" + require +
		"replace github.com/aiongen/aiongen => " + m.root + "\n"
	sums, err := os.ReadFile(filepath.Join(m.root, "go.sum"))
	if err != nil {
		return err
	}
	for _, f := range []struct{ name, text string }{{"go.mod", goMod}, {"go.sum", string(sums)}, {"tools.go", "package tools\n"}} {
		if err := m.write(f.name, f.text); err != nil {
			return err
		}
	}
	return nil
}

const modulePath = "example.com/tools"

// write writes a file of the module.
func (m module) write(name, text string) error {
	path := filepath.Join(m.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o666)
}

// env lets the go command add what else the module requires.
func (m module) env() []string {
	return append(os.Environ(), "GOWORK=off", "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -mod=mod"))
}

// A failure is that a command did not do what it was to do.
type failure struct{ step, output string }

func (f *failure) Error() string { return f.step + ": " + f.output }

// run runs a command in the module and returns its standard output. The error is a
// *failure of the step if its exit status is not 0.
func (m module) run(step, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = m.dir, m.env()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if _, exited := err.(*exec.ExitError); exited {
		text := strings.ReplaceAll(errs.String()+out.String(), m.dir, ".")
		return out.Bytes(), &failure{step, text}
	}
	return out.Bytes(), err
}
