package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// A listed tool is one as aiongen list -json shows it.
type listed struct {
	Name      string
	Arguments []struct {
		Name     string
		Required bool
	}
	Output    json.RawMessage
	Variables struct {
		Scope             bool
		Arguments, Result map[string]string // Go types by JSON Pointer, * for any element or member
	}
}

// able reports whether a tool could be offered where there is no scope: its
// function needs nothing that is only there by reference, and its result, if it
// has one, has a part that JSON can carry.
func (t listed) able() bool {
	if t.Variables.Scope {
		return false
	}
	for _, a := range t.Arguments {
		if _, ref := t.Variables.Arguments["/"+escape.Replace(a.Name)]; ref && a.Required {
			return false
		}
	}
	var root map[string]any
	if json.Unmarshal(t.Output, &root) != nil {
		return false
	}
	if root["type"] == "null" {
		return true // it returns nothing
	}
	w := walk{root: root, refs: t.Variables.Result}
	return w.carries(root, "", nil)
}

// hiddenBy is the Go type of the first part of a tool's result that is only there
// by reference.
func (t listed) hiddenBy() string {
	paths := slices.Sorted(maps.Keys(t.Variables.Result))
	if len(paths) == 0 {
		return "nothing that list tells"
	}
	return t.Variables.Result[paths[0]]
}

// escape is what a JSON Pointer does to names.
var escape = strings.NewReplacer("~", "~0", "/", "~1")

// A walk goes through an output schema.
type walk struct {
	root map[string]any
	refs map[string]string
}

// carries reports whether values of a schema, at a pointer into the result, have a
// part that is a value and not a reference. Within are the $refs on the way there.
func (w walk) carries(schema any, at string, within []string) bool {
	s, ok := schema.(map[string]any)
	if !ok {
		return true // true allows any value
	}
	if _, ref := w.refs[at]; ref {
		return false
	}
	if ref, ok := s["$ref"].(string); ok {
		if slices.Contains(within, ref) {
			return false // nothing that was not seen
		}
		return w.carries(w.target(ref), at, append(slices.Clone(within), ref))
	}
	for _, key := range []string{"anyOf", "allOf", "oneOf"} {
		if list, ok := s[key].([]any); ok {
			return slices.ContainsFunc(list, func(one any) bool { return w.carries(one, at, within) })
		}
	}
	switch s["type"] {
	case "null":
		return false
	case "array":
		return w.carries(s["items"], at+"/*", within)
	case "object":
		properties, _ := s["properties"].(map[string]any)
		for name, property := range properties {
			if w.carries(property, at+"/"+escape.Replace(name), within) {
				return true
			}
		}
		rest, ok := s["additionalProperties"]
		return ok && rest != false && w.carries(rest, at+"/*", within)
	}
	return true
}

// target is what a $ref of the schema leads to.
func (w walk) target(ref string) any {
	var at any = w.root
	for _, name := range strings.Split(strings.TrimPrefix(ref, "#"), "/")[1:] {
		object, _ := at.(map[string]any)
		at = object[strings.NewReplacer("~1", "/", "~0", "~").Replace(name)]
	}
	return at
}
