// Package planschema returns the JSON Schema of the plans that models write, and rewrites
// plans of other shapes to match it. A step has one branch for each tool, with the arguments
// of the tool. Where a schema allows it, a reference to an earlier result may replace a value.
package planschema

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

// maxSchemaBytes is the maximum length of a schema with branches; endpoints reject longer ones.
const maxSchemaBytes = 96 << 10

// members are the members of a new JSON object.
type members map[string]any

// Plan returns the schema of plans of at most most steps. They may name only the given tools, or
// any tools if none are given.
func Plan(most int, definitions ...tool.Definition) json.RawMessage {
	f := &looseForm{defs: members{"reference": resultSchema}}
	branches := []any{withoutTool}
	for i, d := range definitions {
		branches = append(branches, stepSchema([]string{d.Name}, f.argumentsSchema(i, d)))
	}
	if len(definitions) > 0 {
		if whole := planSchema(most, members{"anyOf": branches}, f.defs); len(whole) <= maxSchemaBytes {
			return whole
		}
	}
	var names []string
	for _, d := range definitions {
		names = append(names, d.Name)
	}
	return planSchema(most, stepSchema(names, members{"type": "object"}), nil)
}

// Arguments returns the schema of an answer with either the arguments of a tool, some of which
// are required, or a reason why they are unknown.
func Arguments(d tool.Definition, required []string) json.RawMessage {
	f := &looseForm{defs: members{"reference": resultSchema}}
	arguments := f.argumentsSchema(0, d)
	if arguments["properties"] != nil {
		arguments["required"] = required
	}
	return writeSchema(objectSchema(nil, members{"arguments": arguments, "cannot": members{"type": "string"}}), f.defs)
}

// Loose returns the schema of the arguments of a tool with all of them optional, or nil if the
// schema is unknown.
func Loose(d tool.Definition) json.RawMessage {
	f := &looseForm{defs: members{"reference": resultSchema}, every: true}
	arguments := f.argumentsSchema(0, d)
	if arguments["properties"] == nil {
		return nil
	}
	return writeSchema(arguments, f.defs)
}

var (
	textSchema   = members{"type": "string", "minLength": 1}
	withoutTool  = objectSchema([]string{"step_id", "description"}, members{"step_id": textSchema, "description": textSchema, "agent": agent})
	agent        = members{"type": "string", "enum": []string{"llm", "replan"}, "description": "Who does a step without a tool."}
	resultSchema = members{"type": "string", "pattern": "^<<step:.+>>$", "description": "a reference to the result of a step before"}
)

// stepSchema returns the schema of a step. The tool is one of the given names, any if none are
// given, or absent.
func stepSchema(names []string, arguments members) members {
	name := members{"type": "string", "description": "Name of the tool to call."}
	properties := members{"step_id": textSchema, "description": textSchema, "tool": name, "arguments": arguments}
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
	return objectSchema(required, properties)
}

func planSchema(most int, step, defs members) json.RawMessage {
	return writeSchema(objectSchema([]string{"goal", "steps"}, members{
		"goal":  textSchema,
		"steps": members{"type": "array", "minItems": 1, "maxItems": most, "items": step},
	}), defs)
}

func objectSchema(required []string, properties members) members {
	o := members{"type": "object", "properties": properties, "additionalProperties": false}
	if required != nil {
		o["required"] = required
	}
	return o
}

func writeSchema(schema, defs members) json.RawMessage {
	if defs != nil {
		schema["$defs"] = defs
	}
	text, err := jsontext.Marshal(schema, "")
	if err != nil {
		panic(err) // it consists of maps, strings and parsed schemas
	}
	return text
}

// looseForm embeds schemas of arguments into a larger schema.
type looseForm struct {
	defs  members
	every bool           // allow references everywhere, even where endpoints cannot distinguish them from other texts
	root  *jsontext.Node // schema of the tool
	index int            // of the tool
	broke bool           // the schema cannot be embedded
}

// argumentsSchema returns the schema of the arguments of a tool with all of them optional.
func (f *looseForm) argumentsSchema(index int, d tool.Definition) members {
	f.index, f.broke = index, false
	anything := members{"type": "object"}
	root, err := jsontext.Parse(string(d.Input), jsontext.Depth)
	if err != nil || !root.Member("properties").Is(jsontext.Object) {
		return anything
	}
	f.root = root
	made, defs := members{}, members{}
	for _, m := range f.loosenSchema(root).Items {
		switch m.Name() {
		case "$schema", "$comment", "title", "required":
		case "$defs", "definitions":
			for _, def := range m.Items {
				defs[f.renameDefinition(def.Name())] = nodeMembers(def)
			}
		default:
			made[m.Name()] = nodeMembers(m)
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

func nodeMembers(n *jsontext.Node) json.RawMessage { return n.Append(nil) }

// renameDefinition returns a unique name for a definition of the tool's schema.
func (f *looseForm) renameDefinition(name string) string { return fmt.Sprintf("%s-%d", name, f.index) }

// The keywords of a schema that contain schemas.
var (
	byName = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
	inList = []string{"anyOf", "oneOf", "allOf", "prefixItems"}
	single = []string{"items", "additionalProperties", "then", "else"}
	places = []string{"properties", "patternProperties", "prefixItems", "items", "additionalProperties"} // of parts of the value

	// keywords that name other schemas or that exclude references
	cannot = []string{"$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor", "not", "if", "contains", "propertyNames",
		"unevaluatedProperties", "unevaluatedItems", "dependencies"}
)

// loosenSchema returns a schema that also allows references instead of values inside the value.
func (f *looseForm) loosenSchema(s *jsontext.Node) *jsontext.Node {
	if !s.Is(jsontext.Object) {
		return s
	}
	made := &jsontext.Node{Kind: s.Kind, Key: s.Key}
	for _, m := range s.Items {
		switch name := m.Name(); {
		case slices.Contains(ofTexts, name) && isText(s):
			continue // the compiler of plans checks it
		case name == "$ref":
			m = f.rewriteReference(m)
		case slices.Contains(cannot, name):
			f.broke = true
		case slices.Contains(byName, name) && m.Is(jsontext.Object), slices.Contains(inList, name) && m.Is(jsontext.Array):
			m = f.loosenItems(m, slices.Contains(places, name))
		case slices.Contains(single, name):
			m = f.loosenInner(m, slices.Contains(places, name))
		}
		made.Add(m)
	}
	return made
}

// loosenItems rewrites the schemas in an object or list.
func (f *looseForm) loosenItems(all *jsontext.Node, place bool) *jsontext.Node {
	made := &jsontext.Node{Kind: all.Kind, Key: all.Key}
	for _, s := range all.Items {
		made.Add(f.loosenInner(s, place))
	}
	return made
}

func (f *looseForm) loosenInner(s *jsontext.Node, place bool) *jsontext.Node {
	if place {
		return f.loosenPlace(s)
	}
	return f.loosenSchema(s)
}

// rewriteReference returns a reference with the new name of its definition.
func (f *looseForm) rewriteReference(m *jsontext.Node) *jsontext.Node {
	for _, prefix := range []string{"#/$defs/", "#/definitions/"} {
		if token, ok := strings.CutPrefix(m.Str(), prefix); ok && !strings.Contains(token, "/") {
			name := jsontext.Name(token)
			return &jsontext.Node{Kind: jsontext.String, Key: m.Key, Text: jsontext.Quote("#/$defs/" + jsontext.Token(f.renameDefinition(name)))}
		}
	}
	f.broke = true
	return m
}

// loosenPlace returns a schema that also allows a reference. If the schema does not allow texts,
// the reference is an alternative. An enum with texts is unchanged.
func (f *looseForm) loosenPlace(s *jsontext.Node) *jsontext.Node {
	if !s.Is(jsontext.Object) || f.takesTexts(s, 0) && !(f.every && !isText(s) && len(s.Items) > 0) {
		return f.loosenSchema(s)
	}
	made := &jsontext.Node{Kind: jsontext.Object, Key: s.Key}
	rest := &jsontext.Node{Kind: jsontext.Object}
	for _, m := range f.loosenSchema(s).Items {
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

// maxTurns limits chains of references between schemas.
const maxTurns = 100

// takesTexts reports whether a schema allows any texts.
func (f *looseForm) takesTexts(s *jsontext.Node, turn int) bool {
	if !s.Is(jsontext.Object) || turn > maxTurns {
		return true
	}
	is := func(n *jsontext.Node) bool { return n.Is(jsontext.String) }
	takes := func(n *jsontext.Node) bool { return f.takesTexts(n, turn+1) }
	either := slices.Concat(childNodes(s.Member("anyOf")), childNodes(s.Member("oneOf")))
	switch {
	case s.Member("$ref") != nil:
		return takes(f.root.At(strings.TrimPrefix(s.Member("$ref").Str(), "#")))
	case s.Member("const") != nil:
		return is(s.Member("const"))
	case s.Member("enum") != nil:
		return slices.ContainsFunc(childNodes(s.Member("enum")), is)
	case s.Member("type") != nil:
		return s.Member("type").Str() == "string" || slices.ContainsFunc(childNodes(s.Member("type")), func(t *jsontext.Node) bool { return t.Str() == "string" })
	case len(either) > 0:
		return slices.ContainsFunc(either, takes)
	}
	return !slices.ContainsFunc(childNodes(s.Member("allOf")), func(n *jsontext.Node) bool { return !takes(n) })
}

func childNodes(n *jsontext.Node) []*jsontext.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// said are the keywords that describe a value.
var said = []string{"title", "description", "default", "examples", "deprecated"}

var toReference = func() *jsontext.Node {
	n, err := jsontext.Parse(`{"$ref":"#/$defs/reference"}`, jsontext.Depth)
	if err != nil {
		panic(err)
	}
	return n
}()

// ofTexts are the keywords that restrict texts.
var ofTexts = []string{"pattern", "format", "minLength", "maxLength", "contentEncoding", "contentMediaType"}

// isText reports whether a schema allows free texts, except those that refer to variables.
func isText(s *jsontext.Node) bool {
	t := s.Member("type")
	text := t.Str() == "string" || slices.ContainsFunc(childNodes(t), func(t *jsontext.Node) bool { return t.Str() == "string" })
	return text && s.Member("enum") == nil && s.Member("const") == nil && s.Member("pattern").Str() != reference.Pattern
}
