package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An outcome is what came of making tools of a subject.
type outcome struct {
	subject
	missing    string // why the package could not be had, else ""
	all, tried int    // functions
	refusals   []refusal
	failures   []*failure

	bound       []listed       // tools
	offered     int            // of them are offered where there is no scope
	able        int            // could be
	offeredAble int            // of those are
	hiding      map[string]int // the others, by the type in a result that keeps them from it

	goBytes, schemaBytes, measuredBytes int
}

// A refusal is a function that cannot be a tool.
type refusal struct{ function, code, reason string }

// try makes tools of a subject. What goes wrong with it is part of the outcome; the
// error is that nothing can be said.
func (m module) try(s subject) (*outcome, error) {
	o := &outcome{subject: s}
	if err := m.create(s); err != nil {
		return nil, err
	}
	_, err := m.run("download", "go", "list", "-deps", "-f", "", s.path)
	var functions []function
	if err == nil {
		functions, err = m.functions(s.path)
	}
	if err != nil {
		o.missing = strings.Join(head(err.Error()), "\n")
		return o, nil
	}
	picked := pick(functions)
	o.all, o.tried = len(functions), len(picked)
	for _, step := range []func(*outcome, []string) error{m.scaffold, m.generate, m.inspect, m.list, m.offer, m.measure} {
		err := step(o, picked)
		if f, ok := errors.AsType[*failure](err); ok {
			o.failures = append(o.failures, f)
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return o, nil
}

const aionFile = "tools.aion"

// A fault is one as aiongen reports it with -format json.
type fault struct{ Code, Severity, Message string }

// scaffold has the .aion file written, for all functions that can be tools.
func (m module) scaffold(o *outcome, functions []string) error {
	for {
		args := append([]string{"new", "-format", "json", "-o", aionFile, o.path}, functions...)
		out, err := m.run("new", m.program, args...)
		if err == nil {
			return nil
		}
		var faults []fault
		if json.Unmarshal(out, &faults) != nil {
			return err
		}
		left := slices.Clone(functions)
		for _, f := range faults {
			function, reason, ok := strings.Cut(f.Message, ": ")
			i := slices.Index(left, function)
			if f.Severity != "error" || !ok || i < 0 {
				continue
			}
			left = slices.Delete(left, i, i+1)
			o.refusals = append(o.refusals, refusal{function, f.Code, reason})
		}
		if len(left) == len(functions) || len(left) == 0 {
			return err
		}
		functions = left
	}
}

// generate has the Go code written.
func (m module) generate(o *outcome, _ []string) error {
	if _, err := m.run("generate", m.program); err != nil {
		return err
	}
	files, err := m.generated()
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			return err
		}
		o.goBytes += int(info.Size())
	}
	return err
}

// generated are the files that aiongen wrote.
func (m module) generated() ([]string, error) {
	files, err := filepath.Glob(filepath.Join(m.dir, "*.go"))
	return slices.DeleteFunc(files, func(file string) bool { return filepath.Base(file) == "tools.go" }), err
}

// inspect holds the generated code and the .aion file against all that checks
// them. What fails is noted, and the rest goes on if the code compiles.
func (m module) inspect(o *outcome, _ []string) error {
	if _, err := m.run("build", "go", "build", "."); err != nil {
		return err
	}
	for _, check := range []func() error{
		func() error { _, err := m.run("vet", "go", "vet", "."); return err },
		func() error { return m.silent("gofmt", "gofmt", "-l", ".") },
		m.upToDate,
		func() error { return m.silent("fmt", m.program, "fmt", "-l", aionFile) },
	} {
		err := check()
		if f, ok := errors.AsType[*failure](err); ok {
			o.failures = append(o.failures, f)
		} else if err != nil {
			return err
		}
	}
	return nil
}

// silent runs what prints nothing if all is well.
func (m module) silent(step, name string, args ...string) error {
	out, err := m.run(step, name, args...)
	if err == nil && len(out) > 0 {
		return &failure{step, string(out)}
	}
	return err
}

// upToDate runs aiongen check. What it only warns of, such as descriptions that are
// yet to be written, is no fault of the code.
func (m module) upToDate() error {
	out, err := m.run("check", m.program, "check", "-format", "json")
	if err == nil {
		return nil
	}
	var faults []fault
	if json.Unmarshal(out, &faults) != nil || len(faults) == 0 {
		return err
	}
	for _, f := range faults {
		if f.Severity == "error" {
			return &failure{"check", f.Message + " [" + f.Code + "]"}
		}
	}
	return nil
}

// receivers are who the tools are listed for; the first has all of their schemas.
var receivers = []string{"mcp", "openai-strict", "anthropic", "gemini"}

// list has the tools listed, as they are known and as those receive them.
func (m module) list(o *outcome, _ []string) error {
	for i, receiver := range receivers {
		step := "list -schema " + receiver
		out, err := m.run(step, m.program, "list", "-schema", receiver)
		if err != nil {
			return err
		}
		var tools []json.RawMessage
		if err := json.Unmarshal(out, &tools); err != nil {
			return &failure{step, err.Error()}
		}
		if n := o.tried - len(o.refusals); len(tools) != n {
			return &failure{step, fmt.Sprintf("it lists %d tools of %d", len(tools), n)}
		}
		if i == 0 {
			for _, t := range tools {
				o.schemaBytes += compacted(t)
			}
		}
	}
	out, err := m.run("list -json", m.program, "list", "-json")
	if err != nil {
		return err
	}
	return json.Unmarshal(out, &o.bound)
}

// compacted is the length of JSON without space.
func compacted(text json.RawMessage) int {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return len(text)
	}
	return b.Len()
}
