package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A module is the temporary module for the tools of one subject.
type module struct {
	dir     string // absolute
	root    string // of aiongen's module
	program string // aiongen

	seconds *float64 // of the CPU that aiongen takes, or nil
}

// createModule creates the module with its requirements, each a module and its version.
func (m module) createModule(requirements []string) error {
	if err := os.RemoveAll(m.dir); err != nil {
		return err
	}
	require := ""
	for _, r := range requirements {
		require += "require " + r + "\n"
	}
	goMod := "module " + modulePath + "\n\ngo 1.26\n\nrequire github.com/aiongen/aiongen v0.0.0\n" + require +
		"replace github.com/aiongen/aiongen => " + m.root + "\n"
	sums, err := os.ReadFile(filepath.Join(m.root, "go.sum"))
	if err != nil {
		return err
	}
	for _, f := range []struct{ name, text string }{{"go.mod", goMod}, {"go.sum", string(sums)}, {"tools.go", "package tools\n"}} {
		if err := m.writeFile(f.name, f.text); err != nil {
			return err
		}
	}
	return nil
}

const modulePath = "example.com/tools"

// writeFile writes a file of the module.
func (m module) writeFile(name, text string) error {
	path := filepath.Join(m.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o666)
}

// goEnv returns an environment in which the go command may add requirements.
func (m module) goEnv() []string {
	return append(os.Environ(), "GOWORK=off", "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -mod=mod"))
}

// A failure is a failed command.
type failure struct{ Step, Output string }

func (f *failure) Error() string { return f.Step + ": " + f.Output }

// runCommand runs a command in the module and returns its standard output. If its exit status is not 0, the
// error is a *failure.
func (m module) runCommand(step, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = m.dir, m.goEnv()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if name == m.program && m.seconds != nil && cmd.ProcessState != nil {
		*m.seconds += (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	}
	if _, exited := errors.AsType[*exec.ExitError](err); exited {
		text := strings.ReplaceAll(errs.String()+out.String(), m.dir, ".")
		return out.Bytes(), &failure{step, text}
	}
	return out.Bytes(), err
}
