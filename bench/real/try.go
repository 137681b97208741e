package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// An outcome is the result of making tools from a subject. With -dir, it is kept as JSON.
type outcome struct {
	subject
	Missing  string // why the package could not be downloaded, or ""
	Refusals []refusal
	Failures []failure
	Listed   int // functions
	Bound    int // functions that can become tools
	Tried    int // functions that a team would choose
	Tools    int
	Offered  []string // functions whose tools are offered without a scope
	Needless []string // functions whose tools are not offered, although they could be, with the types that prevent it
	Fitting  int      // tools that could be offered
	Lost     []string // arguments that the model cannot give, and that a warning reports
	Silent   []string // arguments that the model cannot give, without a warning

	GoBytes, SchemaBytes, MeasuredBytes int
	Seconds                             float64 // of the CPU, in aiongen

	bound []listedTool
	tried []function
}

// A refusal is a function that cannot become a tool.
type refusal struct{ Function, Code, Reason string }

// isValid reports whether the reason of a refusal lies in the function: it is generic, or the type of an
// argument has no name outside its package or no form in JSON.
func (r refusal) isValid() bool {
	return r.Code == "generic-function" || validReason.MatchString(r.Reason)
}

var validReason = regexp.MustCompile(`is not exported|is internal|is vendored|map key: |cannot be written in`)

// makeTools makes tools from a subject. Failures of the subject are part of the outcome; an error means that
// there is no outcome.
func (m module) makeTools(s subject) (*outcome, error) {
	o := &outcome{subject: s}
	if err := m.createModule(s.requirements()); err != nil {
		return nil, err
	}
	_, err := m.runCommand("download", "go", "list", "-deps", "-f", "", s.path)
	var functions []function
	if err == nil {
		functions, err = m.listFunctions(s.path)
	}
	if err != nil {
		o.Missing = strings.Join(firstLines(err.Error()), "\n")
		return o, nil
	}
	o.tried = pickFunctions(functions, s.patterns)
	o.Tried = len(o.tried)
	m.seconds = &o.Seconds
	for _, step := range []func(*outcome) error{m.bindAll, m.scaffoldFile, m.generateCode, m.inspectCode, m.listTools, m.countOffered, m.findLosses, m.measureSchema} {
		err := step(o)
		if f, ok := errors.AsType[*failure](err); ok {
			o.Failures = append(o.Failures, *f)
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return o, nil
}

// bindAll counts the functions of the package and those that can become tools, and collects the others.
func (m module) bindAll(o *outcome) error {
	out, err := m.runCommand("new", m.program, "new", o.path)
	if err != nil {
		return err
	}
	o.Listed = bytes.Count(out, []byte("\n"))
	out, err = m.runCommand("new -all", m.program, "new", "-all", "-format", "json", "-o", "all.aion", o.path)
	if err != nil {
		return err
	}
	var faults []fault
	if len(out) > 0 && json.Unmarshal(out, &faults) != nil {
		return &failure{"new -all", "it does not print JSON"}
	}
	for _, f := range faults {
		function, reason, ok := strings.Cut(f.Message, ": ")
		if ok && (f.Code == "generic-function" || f.Code == "unfit-function") {
			o.Refusals = append(o.Refusals, refusal{function, f.Code, reason})
		}
	}
	file := filepath.Join(m.dir, "all.aion")
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	o.Bound = len(draftElement.FindAll(text, -1))
	return os.Remove(file) // the next steps read all .aion files
}

const aionFile = "tools.aion"

// A fault is a diagnostic of aiongen -format json.
type fault struct{ Code, Severity, Message string }

// draftElement matches the first lines of a tool in a draft: its name and its function.
var draftElement = regexp.MustCompile(`(?m)^    name --> "(.*)",\n    function --> (?:"|"""\s*)([^"\s]+)`)

// scaffoldFile generates the .aion file for all chosen functions that can become tools. Functions that bindAll
// skips may be refused here.
func (m module) scaffoldFile(o *outcome) error {
	for {
		o.tried = slices.DeleteFunc(o.tried, func(f function) bool {
			return slices.ContainsFunc(o.Refusals, func(r refusal) bool { return withoutPointer.Replace(r.Function) == f.name })
		})
		args := append([]string{"new", "-format", "json", "-o", aionFile, o.path}, functionNames(o.tried)...)
		out, err := m.runCommand("new", m.program, args...)
		if err == nil {
			return nil
		}
		var faults []fault
		if json.Unmarshal(out, &faults) != nil {
			return err
		}
		before := len(o.Refusals)
		for _, f := range faults {
			function, reason, ok := strings.Cut(f.Message, ": ")
			if f.Severity == "error" && ok && slices.Contains(functionNames(o.tried), function) {
				o.Refusals = append(o.Refusals, refusal{function, f.Code, reason})
			}
		}
		if len(o.Refusals) == before || len(o.tried) == 0 {
			return err
		}
	}
}

// withoutPointer changes (*T).Method to T.Method.
var withoutPointer = strings.NewReplacer("(*", "", ")", "")

// generateCode generates the Go code.
func (m module) generateCode(o *outcome) error {
	if _, err := m.runCommand("generate", m.program); err != nil {
		return err
	}
	files, err := m.generatedFiles()
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			return err
		}
		o.GoBytes += int(info.Size())
	}
	return err
}

// generatedFiles returns the generated files.
func (m module) generatedFiles() ([]string, error) {
	files, err := filepath.Glob(filepath.Join(m.dir, "*.go"))
	return slices.DeleteFunc(files, func(file string) bool { return filepath.Base(file) == "tools.go" }), err
}

// inspectCode checks the generated code and the .aion file with all available tools. It records failures, and
// continues if the code compiles.
func (m module) inspectCode(o *outcome) error {
	if _, err := m.runCommand("build", "go", "build", "."); err != nil {
		return err
	}
	for _, check := range []func() error{
		func() error { _, err := m.runCommand("vet", "go", "vet", "."); return err },
		func() error { return m.runSilent("gofmt", "gofmt", "-l", ".") },
		m.checkUpToDate,
		func() error { return m.runSilent("fmt", m.program, "fmt", "-l", aionFile) },
	} {
		err := check()
		if f, ok := errors.AsType[*failure](err); ok {
			o.Failures = append(o.Failures, *f)
		} else if err != nil {
			return err
		}
	}
	return nil
}

// runSilent runs a command that must not print anything.
func (m module) runSilent(step, name string, args ...string) error {
	out, err := m.runCommand(step, name, args...)
	if err == nil && len(out) > 0 {
		return &failure{step, string(out)}
	}
	return err
}

// checkUpToDate runs aiongen check. It ignores warnings, such as those about missing descriptions.
func (m module) checkUpToDate() error {
	out, err := m.runCommand("check", m.program, "check", "-format", "json")
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

// listTargets are the targets for which the tools are listed. The schemas of the first have no limits.
var listTargets = []string{"mcp", "openai-strict", "anthropic", "gemini"}

// listTools lists the tools, in full and for each target.
func (m module) listTools(o *outcome) error {
	for i, receiver := range listTargets {
		step := "list -schema " + receiver
		out, err := m.runCommand(step, m.program, "list", "-schema", receiver)
		if err != nil {
			return err
		}
		var tools []json.RawMessage
		if err := json.Unmarshal(out, &tools); err != nil {
			return &failure{step, err.Error()}
		}
		if n := len(o.tried); len(tools) != n {
			return &failure{step, fmt.Sprintf("it lists %d tools of %d", len(tools), n)}
		}
		if i == 0 {
			for _, t := range tools {
				o.SchemaBytes += compactLength(t)
			}
		}
	}
	out, err := m.runCommand("list -json", m.program, "list", "-json")
	if err != nil {
		return err
	}
	err = json.Unmarshal(out, &o.bound)
	o.Tools = len(o.bound)
	return err
}

// compactLength returns the length of JSON without white space.
func compactLength(text json.RawMessage) int {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return len(text)
	}
	return b.Len()
}

// reuseOutcome returns the outcome of an earlier run in the same folder, or makes the tools and stores the
// outcome.
func (m module) reuseOutcome(s subject) (*outcome, error) {
	file := m.dir + ".json"
	o := &outcome{}
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, o)
		o.subject = s
		return o, err
	}
	if o, err = m.makeTools(s); err != nil {
		return nil, err
	}
	if text, err = json.MarshalIndent(o, "", "\t"); err != nil {
		return nil, err
	}
	return o, os.WriteFile(file, text, 0o666)
}
