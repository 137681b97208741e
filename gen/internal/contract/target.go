package contract

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Definitions returns the tools as a target receives them, in their order: the
// elements of the list of tools of a request.
func Definitions(target schema.Target, tools []Tool) ([]json.RawMessage, error) {
	all := []json.RawMessage{}
	for _, t := range tools {
		lowered, err := schema.Lower(target, lowerable(t))
		if err != nil {
			return nil, err
		}
		all = append(all, lowered.JSON(target.Shape()))
	}
	return all, nil
}

// AsSnapshot returns the tools with the words and schemas that a snapshot has of
// them, so that they can be compared with one: those of MCP. Results are compared
// as they are sent, whichever way their schemas are written.
func AsSnapshot(tools []Tool) ([]Tool, error) {
	var all []Tool
	for _, t := range tools {
		lowered, err := schema.Lower(schema.MCP, lowerable(t))
		if err != nil {
			return nil, err
		}
		t.Name, t.Description = lowered.Name, lowered.Description
		t.Input = lowered.Input
		all = append(all, t)
	}
	return all, nil
}

// lowerable is a tool as package schema takes it.
func lowerable(t Tool) tool.Definition {
	d := tool.Definition{
		Name: t.Name, Title: t.Title, Description: t.Description, Link: t.Link,
		Input: t.Input, Output: t.Output, Example: t.Example,
	}
	d.Annotations.ReadOnly, d.Annotations.Additive = t.Annotations.ReadOnly, t.Annotations.Additive
	d.Annotations.Idempotent, d.Annotations.ClosedWorld = t.Annotations.Idempotent, t.Annotations.ClosedWorld
	return d
}

// Lint warns of what targets will refuse or drop of the tools, one by one and of
// those of a package together, as in one request. What is only written in another
// way, or told in words, is not lost: the tool gets it back, and insists on it.
// Where that way is JSON text in a string, there is a note.
func Lint(tools []Tool, targets ...schema.Target) (list diag.List) {
	var packages []string
	for _, t := range tools {
		if !slices.Contains(packages, t.Package) {
			packages = append(packages, t.Package)
		}
	}
	for _, p := range packages {
		own := slices.DeleteFunc(slices.Clone(tools), func(t Tool) bool { return t.Package != p })
		for _, target := range targets {
			lint(&list, own, target)
		}
	}
	list.Sort()
	return list
}

// lint warns of what is lost of the tools of one request.
func lint(list *diag.List, tools []Tool, target schema.Target) {
	var definitions []tool.Definition
	for _, t := range tools {
		definitions = append(definitions, lowerable(t))
	}
	losses, err := schema.Check(target, definitions...)
	if err != nil {
		list.Errorf("internal", diag.Span{}, "%v", err).
			WithHelp("this is a mistake in aiongen; please report it with the .aion file")
		return
	}
	for _, t := range tools {
		lintScope(list, t, target)
	}
	for _, loss := range losses {
		at := diag.Span{File: tools[0].Place.File} // of all tools together
		if i := slices.IndexFunc(tools, func(t Tool) bool { return t.Name == loss.Tool }); i >= 0 {
			at = place(tools[i], loss.Pointer)
		}
		subject := cmp.Or(loss.Tool, "all tools together")
		if name, ok := argument(loss.Pointer); ok {
			subject += ", argument " + name
		}
		switch loss.Severity {
		case schema.Refused:
			list.Warnf("target-refuses", at, "%s: %s refuses it: %s", subject, target, loss.Message)
		case schema.Dropped:
			list.Warnf("target-drops", at, "%s: %s drops %s", subject, target, loss.Message).
				WithHelp("the model is not told, but the tool insists on it; say it in the description, if it matters")
		case schema.Quoted:
			list.Notef("target-quotes", at, "%s: %s: %s", subject, target, loss.Message).
				WithHelp("nothing is lost, but models write such values less well; a type that says more avoids it")
		}
	}
}

// lintScope warns of a tool that is only offered with a scope. An MCP server has
// none; of the others that is for the program to say, and noted anyway.
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
		WithHelp("take and return what JSON can carry, in a function of its own if need be; or offer the tool with a tool.Scope")
}

// place is where a tool speaks of what a pointer into its definition leads to.
func place(t Tool, pointer string) diag.Span {
	if strings.HasPrefix(pointer, "/output") {
		return t.Result
	}
	name, _ := argument(pointer)
	return t.placeOf(name)
}

// argument is the name of the argument that a pointer leads to, or into.
func argument(pointer string) (name string, ok bool) {
	rest, ok := strings.CutPrefix(pointer, "/input/properties/")
	name, _, _ = strings.Cut(rest, "/")
	return jsontext.Name(name), ok
}
