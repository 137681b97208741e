// Package planform has the form of what models write for a plan. There is its JSON
// Schema: steps have one branch for each tool, with the arguments that it takes, and
// wherever a value stands in them there may be a reference to a result in its place, as
// far as endpoints can tell it from the value. And there are the other shapes that
// models write, brought into the one that the schema has.
package planform

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/reference"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Limits of every plan, in bytes.
const (
	MaxID   = 128      // of the ID of a step
	MaxText = 64 << 10 // of the goal, and of each description
)

// mostBytes bounds a schema with branches; what is longer no endpoint takes.
const mostBytes = 96 << 10

// members are those of a JSON object that is made.
type members map[string]any

// Plan returns the schema of plans of at most so many steps, which name only the given
// tools; any, if none are given.
func Plan(most int, definitions ...tool.Definition) json.RawMessage {
	f := &form{defs: members{"reference": ofResult}}
	branches := []any{withoutTool}
	for i, d := range definitions {
		branches = append(branches, step([]string{d.Name}, f.arguments(i, d)))
	}
	if len(definitions) > 0 {
		if whole := plan(most, members{"anyOf": branches}, f.defs); len(whole) <= mostBytes {
			return whole
		}
	}
	var names []string
	for _, d := range definitions {
		names = append(names, d.Name)
	}
	return plan(most, step(names, members{"type": "object"}), nil)
}

// Arguments returns the schema of an answer that has either the arguments of a tool, of
// which some are required, or a reason why there are none.
func Arguments(d tool.Definition, required []string) json.RawMessage {
	f := &form{defs: members{"reference": ofResult}}
	arguments := f.arguments(0, d)
	if arguments["properties"] != nil {
		arguments["required"] = required
	}
	return write(object(nil, members{"arguments": arguments, "cannot": members{"type": "string"}}), f.defs)
}

// Loose returns the schema of the arguments of a tool, none of which is required; nil
// if nothing is known of them.
func Loose(d tool.Definition) json.RawMessage {
	f := &form{defs: members{"reference": ofResult}, every: true}
	arguments := f.arguments(0, d)
	if arguments["properties"] == nil {
		return nil
	}
	return write(arguments, f.defs)
}

var (
	text        = members{"type": "string", "minLength": 1}
	withoutTool = object([]string{"step_id", "description"}, members{"step_id": text, "description": text, "agent": agent})
	agent       = members{"type": "string", "enum": []string{"llm", "replan"}, "description": "Who does a step without a tool."}
	ofResult    = members{"type": "string", "pattern": "^<<step:.+>>$", "description": "a reference to the result of a step before"}
)

// step is the schema of a step with one of the tools; any, if none are given, or none.
func step(names []string, arguments members) members {
	name := members{"type": "string", "description": "Name of the tool to call."}
	properties := members{"step_id": text, "description": text, "tool": name, "arguments": arguments}
	arguments["description"] = "Arguments of the call. Leave out what cannot be known yet."
	required := []string{"step_id", "description"}
	if len(names) != 1 {
		name["description"] = "Name of the tool to call. Leave it out if the step needs none."
		properties["agent"] = agent
	} else {
		required = append(required, "tool")
	}
	if len(names) > 0 {
		name["enum"] = names
	} else {
		name["minLength"] = 1
	}
	return object(required, properties)
}

func plan(most int, step, defs members) json.RawMessage {
	return write(object([]string{"goal", "steps"}, members{
		"goal":  text,
		"steps": members{"type": "array", "minItems": 1, "maxItems": most, "items": step},
	}), defs)
}

func object(required []string, properties members) members {
	o := members{"type": "object", "properties": properties, "additionalProperties": false}
	if required != nil {
		o["required"] = required
	}
	return o
}

func write(schema, defs members) json.RawMessage {
	if defs != nil {
		schema["$defs"] = defs
	}
	text, err := jsontext.Marshal(schema, "")
	if err != nil {
		panic(err) // it is made of maps, strings and schemas that were read
	}
	return text
}

// form puts schemas of arguments into a larger one.
type form struct {
	defs  members
	every bool           // there may be references in every place, also where endpoints cannot tell them from other texts
	root  *jsontext.Node // schema of the tool
	index int            // of the tool
	broke bool           // its schema cannot stand in another
}

// arguments returns the schema of the arguments of a tool, none of which is required.
func (f *form) arguments(index int, d tool.Definition) members {
	f.index, f.broke = index, false
	anything := members{"type": "object"}
	root, err := jsontext.Parse(string(d.Input), jsontext.Depth)
	if err != nil || !root.Member("properties").Is(jsontext.Object) {
		return anything
	}
	f.root = root
	made, defs := members{}, members{}
	for _, m := range f.schema(root).Items {
		switch m.Name() {
		case "$schema", "$comment", "title", "required":
		case "$defs", "definitions":
			for _, def := range m.Items {
				defs[f.renamed(def.Name())] = raw(def)
			}
		default:
			made[m.Name()] = raw(m)
		}
	}
	if f.broke {
		return anything
	}
	for name, def := range defs {
		f.defs[name] = def
	}
	return made
}

func raw(n *jsontext.Node) json.RawMessage { return n.Append(nil) }

// renamed returns the name that a definition has beside those of other tools.
func (f *form) renamed(name string) string { return fmt.Sprintf("%s-%d", name, f.index) }

// The keywords of a schema that hold others.
var (
	byName = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
	inList = []string{"anyOf", "oneOf", "allOf", "prefixItems"}
	single = []string{"items", "additionalProperties", "then", "else"}
	places = []string{"properties", "patternProperties", "prefixItems", "items", "additionalProperties"} // of values in the value

	// what may name other schemas, or be one that no reference fits
	cannot = []string{"$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor", "not", "if", "contains", "propertyNames",
		"unevaluatedProperties", "unevaluatedItems", "dependencies"}
)

// schema returns a schema in which there may be references in the places of values
// that the value has.
func (f *form) schema(s *jsontext.Node) *jsontext.Node {
	if !s.Is(jsontext.Object) {
		return s
	}
	made := &jsontext.Node{Kind: s.Kind, Key: s.Key}
	for _, m := range s.Items {
		switch name := m.Name(); {
		case slices.Contains(ofTexts, name) && isText(s):
			continue // the compiler sees to it
		case name == "$ref":
			m = f.refer(m)
		case slices.Contains(cannot, name):
			f.broke = true
		case slices.Contains(byName, name) && m.Is(jsontext.Object), slices.Contains(inList, name) && m.Is(jsontext.Array):
			m = f.each(m, slices.Contains(places, name))
		case slices.Contains(single, name):
			m = f.inner(m, slices.Contains(places, name))
		}
		made.Add(m)
	}
	return made
}

// each returns schemas by name or in a list.
func (f *form) each(all *jsontext.Node, place bool) *jsontext.Node {
	made := &jsontext.Node{Kind: all.Kind, Key: all.Key}
	for _, s := range all.Items {
		made.Add(f.inner(s, place))
	}
	return made
}

func (f *form) inner(s *jsontext.Node, place bool) *jsontext.Node {
	if place {
		return f.place(s)
	}
	return f.schema(s)
}

// refer returns a reference to a definition under its new name.
func (f *form) refer(m *jsontext.Node) *jsontext.Node {
	for _, prefix := range []string{"#/$defs/", "#/definitions/"} {
		if token, ok := strings.CutPrefix(m.Str(), prefix); ok && !strings.Contains(token, "/") {
			name := jsontext.Name(token)
			return &jsontext.Node{Kind: jsontext.String, Key: m.Key, Text: jsontext.Quote("#/$defs/" + jsontext.Token(f.renamed(name)))}
		}
	}
	f.broke = true
	return m
}

// place returns the schema of a place in which a reference may stand: where no text
// may, it is an alternative. An enum with texts stays as it is.
func (f *form) place(s *jsontext.Node) *jsontext.Node {
	if !s.Is(jsontext.Object) || f.takesTexts(s, 0) && !(f.every && !isText(s) && len(s.Items) > 0) {
		return f.schema(s)
	}
	made := &jsontext.Node{Kind: jsontext.Object, Key: s.Key}
	rest := &jsontext.Node{Kind: jsontext.Object}
	for _, m := range f.schema(s).Items {
		if slices.Contains(said, m.Name()) {
			made.Add(m)
		} else {
			rest.Add(m)
		}
	}
	either := []*jsontext.Node{rest, toReference}
	if len(rest.Items) == 1 && rest.Items[0].Name() == "anyOf" {
		either = append(slices.Clone(rest.Items[0].Items), toReference)
	}
	made.Add(&jsontext.Node{Kind: jsontext.Array, Key: `"anyOf"`, Items: either})
	return made
}

// deepestTurns bounds how many schemas refer to the next.
const deepestTurns = 100

// takesTexts reports whether some texts are of a schema.
func (f *form) takesTexts(s *jsontext.Node, turn int) bool {
	if !s.Is(jsontext.Object) || turn > deepestTurns {
		return true
	}
	is := func(n *jsontext.Node) bool { return n.Is(jsontext.String) }
	takes := func(n *jsontext.Node) bool { return f.takesTexts(n, turn+1) }
	either := slices.Concat(items(s.Member("anyOf")), items(s.Member("oneOf")))
	switch {
	case s.Member("$ref") != nil:
		return takes(f.root.At(strings.TrimPrefix(s.Member("$ref").Str(), "#")))
	case s.Member("const") != nil:
		return is(s.Member("const"))
	case s.Member("enum") != nil:
		return slices.ContainsFunc(items(s.Member("enum")), is)
	case s.Member("type") != nil:
		return s.Member("type").Str() == "string" || slices.ContainsFunc(items(s.Member("type")), func(t *jsontext.Node) bool { return t.Str() == "string" })
	case len(either) > 0:
		return slices.ContainsFunc(either, takes)
	}
	return !slices.ContainsFunc(items(s.Member("allOf")), func(n *jsontext.Node) bool { return !takes(n) })
}

func items(n *jsontext.Node) []*jsontext.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// said are the keywords that say what a value is for.
var said = []string{"title", "description", "default", "examples", "deprecated"}

var toReference = func() *jsontext.Node {
	n, err := jsontext.Parse(`{"$ref":"#/$defs/reference"}`, jsontext.Depth)
	if err != nil {
		panic(err)
	}
	return n
}()

// ofTexts are the keywords that say which texts there may be.
var ofTexts = []string{"pattern", "format", "minLength", "maxLength", "contentEncoding", "contentMediaType"}

// isText reports whether a schema is one of texts, which may be others, but not one of
// those that refer to variables.
func isText(s *jsontext.Node) bool {
	t := s.Member("type")
	text := t.Str() == "string" || slices.ContainsFunc(items(t), func(t *jsontext.Node) bool { return t.Str() == "string" })
	return text && s.Member("enum") == nil && s.Member("const") == nil && s.Member("pattern").Str() != reference.Pattern
}
