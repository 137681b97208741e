package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// A listedTool is a tool in the output of aiongen list -json.
type listedTool struct {
	Name      string
	Arguments []struct {
		Name     string
		Required bool
	}
	Input     json.RawMessage
	Output    json.RawMessage
	Variables struct {
		Scope             bool
		Arguments, Result map[string]string // Go types by JSON Pointer, * for any element or member
	}
}

// isOfferable reports whether a tool could be offered without a scope: none of its arguments is only available
// by reference, and its result, if any, has a part that JSON can represent.
func (t listedTool) isOfferable() bool {
	if t.Variables.Scope {
		return false
	}
	for _, a := range t.Arguments {
		if _, ref := t.Variables.Arguments["/"+pointerEscaper.Replace(a.Name)]; ref && a.Required {
			return false
		}
	}
	var root map[string]any
	if json.Unmarshal(t.Output, &root) != nil {
		return false
	}
	if root["type"] == "null" {
		return true // it has no result
	}
	w := schemaWalk{root: root, refs: t.Variables.Result}
	return w.carriesValue(root, "", nil)
}

// hidingType returns the Go type of the first argument or part of the result of a tool that is only available by
// reference.
func (t listedTool) hidingType() string {
	for _, references := range []map[string]string{t.Variables.Arguments, t.Variables.Result} {
		if paths := slices.Sorted(maps.Keys(references)); len(paths) > 0 {
			return references[paths[0]]
		}
	}
	return "nothing that list tells"
}

// pointerEscaper escapes names for a JSON Pointer.
var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")

// A schemaWalk walks an output schema.
type schemaWalk struct {
	root map[string]any
	refs map[string]string
}

// carriesValue reports whether values of a schema, at a pointer into the result, have a part that is a value
// instead of a reference. The $refs in within are being visited.
func (w schemaWalk) carriesValue(schema any, at string, within []string) bool {
	s, ok := schema.(map[string]any)
	if !ok {
		return true // true allows any value
	}
	if _, ref := w.refs[at]; ref {
		return false
	}
	if ref, ok := s["$ref"].(string); ok {
		if slices.Contains(within, ref) {
			return false // seen before
		}
		return w.carriesValue(w.resolveRef(ref), at, append(slices.Clone(within), ref))
	}
	for _, key := range []string{"anyOf", "allOf", "oneOf"} {
		if list, ok := s[key].([]any); ok {
			return slices.ContainsFunc(list, func(one any) bool { return w.carriesValue(one, at, within) })
		}
	}
	switch s["type"] {
	case "null":
		return false
	case "array":
		return w.carriesValue(s["items"], at+"/*", within)
	case "object":
		properties, _ := s["properties"].(map[string]any)
		for name, property := range properties {
			if w.carriesValue(property, at+"/"+pointerEscaper.Replace(name), within) {
				return true
			}
		}
		rest, ok := s["additionalProperties"]
		return ok && rest != false && w.carriesValue(rest, at+"/*", within)
	}
	return true
}

// resolveRef returns the target of a $ref.
func (w schemaWalk) resolveRef(ref string) any {
	var at any = w.root
	for _, name := range strings.Split(strings.TrimPrefix(ref, "#"), "/")[1:] {
		object, _ := at.(map[string]any)
		at = object[strings.NewReplacer("~1", "/", "~0", "~").Replace(name)]
	}
	return at
}
