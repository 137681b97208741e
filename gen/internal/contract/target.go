package contract

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/schema"
)

// Definitions returns the tools in the form that a target receives: the elements of the
// list of tools in a request, in the order of tools.
func Definitions(target schema.Target, tools []Tool) ([]json.RawMessage, error) {
	all := []json.RawMessage{}
	for _, t := range tools {
		lowered, err := schema.Lower(target, newDefinition(t))
		if err != nil {
			return nil, err
		}
		all = append(all, lowered.JSON(target.Shape()))
	}
	return all, nil
}

// AsSnapshot returns the tools as a snapshot would record them, so that they can be compared with a
// snapshot. It changes only names, descriptions and input schemas. Output schemas stay as they are,
// because results are compared in the form in which they are sent.
func AsSnapshot(tools []Tool) ([]Tool, error) {
	var all []Tool
	for _, t := range tools {
		lowered, err := schema.Lower(schema.MCP, newDefinition(t))
		if err != nil {
			return nil, err
		}
		t.Name, t.Description = lowered.Name, lowered.Description
		t.Input = lowered.Input
		all = append(all, t)
	}
	return all, nil
}

// newDefinition converts a tool for package schema.
func newDefinition(t Tool) schema.Definition {
	d := schema.Definition{
		Name: t.Name, Title: t.Title, Description: t.Description, Link: t.Link,
		Input: t.Input, Output: t.Output, Example: t.Example,
	}
	d.Annotations.ReadOnly, d.Annotations.Additive = t.Annotations.ReadOnly, t.Annotations.Additive
	d.Annotations.Idempotent, d.Annotations.ClosedWorld = t.Annotations.Idempotent, t.Annotations.ClosedWorld
	return d
}

// Lint reports which parts of the tools the targets refuse or drop, assuming that a request
// contains all tools of a package. It adds a note for each value that must be sent as JSON
// text in a string. It does not report parts that are only expressed differently or moved to
// the description, because the tool still checks them. If several targets lose the same
// part, Lint reports it once.
func Lint(tools []Tool, targets ...schema.Target) diag.List {
	var packages []string
	for _, t := range tools {
		if !slices.Contains(packages, t.Package) {
			packages = append(packages, t.Package)
		}
	}
	var list diag.List
	for _, p := range packages {
		packageTools := slices.DeleteFunc(slices.Clone(tools), func(t Tool) bool { return t.Package != p })
		losses := targetLosses{byLoss: map[targetLoss]int{}}
		for _, target := range targets {
			losses.addTarget(&list, packageTools, target)
		}
		losses.report(&list)
	}
	list.Sort()
	return list
}

// A targetLoss is a part of a tool that a target refuses, drops or quotes.
type targetLoss struct {
	severity         schema.Severity
	at               diag.Span
	subject, message string
}

// targetLosses collects the losses of targets, in the order in which they are found.
type targetLosses struct {
	found   []targetLoss
	targets [][]string         // the targets of each element of found
	byLoss  map[targetLoss]int // index in found
}

// addTarget adds the losses of a request to the target that contains all tools.
func (l *targetLosses) addTarget(list *diag.List, tools []Tool, target schema.Target) {
	var definitions []schema.Definition
	for _, t := range tools {
		definitions = append(definitions, newDefinition(t))
	}
	losses, err := schema.Check(target, definitions...)
	if err != nil {
		list.Errorf("internal", diag.Span{}, "%v", err).
			WithHelp("this is a bug in aiongen; please report it with the .aion file")
		return
	}
	for _, t := range tools {
		lintScope(list, t, target)
	}
	for _, loss := range losses {
		at := diag.Span{File: tools[0].Place.File} // for a loss of all tools together
		if i := slices.IndexFunc(tools, func(t Tool) bool { return t.Name == loss.Tool }); i >= 0 {
			at = findPlace(tools[i], loss.Pointer)
		}
		subject := cmp.Or(loss.Tool, "all tools together")
		if name, ok := argumentName(loss.Pointer); ok {
			subject += ", argument " + name
		}
		lost := targetLoss{loss.Severity, at, subject, loss.Message}
		i, seen := l.byLoss[lost]
		if !seen {
			i = len(l.found)
			l.byLoss[lost], l.found, l.targets = i, append(l.found, lost), append(l.targets, nil)
		}
		if name := string(target); !slices.Contains(l.targets[i], name) {
			l.targets[i] = append(l.targets[i], name)
		}
	}
}

// report reports each loss with its targets.
func (l *targetLosses) report(list *diag.List) {
	for i, lost := range l.found {
		targets, verbEnding := words.List(l.targets[i], " and "), "s"
		if len(l.targets[i]) > 1 {
			verbEnding = ""
		}
		switch lost.severity {
		case schema.Refused:
			list.Warnf("target-refuses", lost.at, "%s: %s refuse%s it: %s", lost.subject, targets, verbEnding, lost.message)
		case schema.Dropped:
			list.Warnf("target-drops", lost.at, "%s: %s drop%s %s", lost.subject, targets, verbEnding, lost.message).
				WithHelp("the model does not see it, but the tool still checks it; if it matters, mention it in the description")
		case schema.Quoted:
			list.Notef("target-quotes", lost.at, "%s: %s: %s", lost.subject, targets, lost.message).
				WithHelp("nothing is lost, but models make more mistakes in such values; a more specific type avoids them").
				WithGroup(diag.Group{Subject: shortSubject(lost.subject), Many: "values, for " + targets + ": " + lost.message})
		}
	}
}

// shortSubject returns the subject of a loss in the form for lists: "store (value)" for "store, argument
// value".
func shortSubject(subject string) string {
	if tool, argument, ok := strings.Cut(subject, ", argument "); ok {
		return tool + " (" + argument + ")"
	}
	return subject
}

// lintScope warns about a tool that needs a scope if the target is MCP, because MCP servers have no scope.
// For other targets, the program decides whether to provide one.
func lintScope(list *diag.List, t Tool, target schema.Target) {
	needs := t.Needs()
	if len(needs) == 0 || target != schema.MCP {
		return
	}
	first := needs[0]
	reason := "its function takes the scope"
	if first.Path != "" {
		reason = fmt.Sprintf("%s is %s in Go, which JSON cannot carry", first.Path, first.Type)
	}
	list.Warnf("needs-scope", first.Place, "%s is never offered over %s, which has no scope: %s", t.Name, target, reason).
		WithHelp("use arguments and results that JSON can carry, if necessary in another function; or offer the tool with a tool.Scope")
}

// findPlace returns the position for a JSON Pointer into the definition of a tool.
func findPlace(t Tool, pointer string) diag.Span {
	if strings.HasPrefix(pointer, "/output") {
		return t.ResultPlace
	}
	name, _ := argumentName(pointer)
	return t.argumentPlace(name)
}

// argumentName returns the argument that a JSON Pointer into a definition refers to.
func argumentName(pointer string) (name string, ok bool) {
	rest, ok := strings.CutPrefix(pointer, "/input/properties/")
	name, _, _ = strings.Cut(rest, "/")
	return jsontext.Name(name), ok
}
