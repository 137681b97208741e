package plan

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/reference"
	"github.com/aiongen/aiongen/runtime/tool"
)

// maxSchemaBytes is the maximum length of a schema that has a branch for each tool. Endpoints reject longer
// schemas.
const maxSchemaBytes = 96 << 10

// schemaObject is a JSON object in a generated schema.
type schemaObject map[string]any

// Schema returns the JSON Schema for plans that models write. Steps may name only the given tools, or any tool if
// none are given. Each tool has a branch of anyOf with its arguments, unless the schema would be too long for
// endpoints. In the arguments, a reference to an earlier result may replace any value, except where the schema of
// the tool cannot be extended.
func Schema(definitions ...tool.Definition) json.RawMessage {
	f := &looseForm{defs: schemaObject{"reference": referenceSchema}}
	branches := []any{toollessStep}
	for i, d := range definitions {
		branches = append(branches, stepSchema([]string{d.Name}, f.argumentsSchema(i, d)))
	}
	if len(definitions) > 0 {
		if whole := planSchema(schemaObject{"anyOf": branches}, f.defs); len(whole) <= maxSchemaBytes {
			return whole
		}
	}
	var names []string
	for _, d := range definitions {
		names = append(names, d.Name)
	}
	return planSchema(stepSchema(names, schemaObject{"type": "object"}), nil)
}

// ArgumentsSchema returns the schema of an answer that contains either the arguments of a tool or the reason why
// they are unknown. The arguments in required must be present.
func ArgumentsSchema(d tool.Definition, required []string) json.RawMessage {
	f := &looseForm{defs: schemaObject{"reference": referenceSchema}}
	arguments := f.argumentsSchema(0, d)
	if arguments["properties"] != nil {
		arguments["required"] = required
	}
	return writeSchema(objectSchema(nil, schemaObject{"arguments": arguments, "cannot": schemaObject{"type": "string"}}), f.defs)
}

// looseArgumentsSchema returns a schema of the arguments of a tool in which all arguments are optional and
// references may replace values. It returns nil if the tool has no such schema.
func looseArgumentsSchema(d tool.Definition) json.RawMessage {
	f := &looseForm{defs: schemaObject{"reference": referenceSchema}, everywhere: true}
	arguments := f.argumentsSchema(0, d)
	if arguments["properties"] == nil {
		return nil
	}
	return writeSchema(arguments, f.defs)
}

var (
	nonEmptyText    = schemaObject{"type": "string", "minLength": 1}
	toollessStep    = objectSchema([]string{"step_id", "description"}, schemaObject{"step_id": nonEmptyText, "description": nonEmptyText, "agent": agentSchema})
	agentSchema     = schemaObject{"type": "string", "enum": []string{AgentLLM, AgentReplan}, "description": "Who does a step without a tool."}
	referenceSchema = schemaObject{"type": "string", "pattern": "^<<step:.+>>$", "description": "a reference to the result of a step before"}
)

// stepSchema returns the schema of a step. If there is exactly one name, the step must call the tool with that
// name. Otherwise the tool may be absent; if names is empty, any tool is allowed.
func stepSchema(names []string, arguments schemaObject) schemaObject {
	name := schemaObject{"type": "string", "description": "Name of the tool to call."}
	properties := schemaObject{"step_id": nonEmptyText, "description": nonEmptyText, "tool": name, "arguments": arguments}
	arguments["description"] = "Arguments of the call. Leave out what cannot be known yet."
	required := []string{"step_id", "description"}
	if len(names) != 1 {
		name["description"] = "Name of the tool to call. Leave it out if the step needs none."
		properties["agent"] = agentSchema
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

func planSchema(step, defs schemaObject) json.RawMessage {
	return writeSchema(objectSchema([]string{"goal", "steps"}, schemaObject{
		"goal":  nonEmptyText,
		"steps": schemaObject{"type": "array", "minItems": 1, "maxItems": MaxSteps, "items": step},
	}), defs)
}

func objectSchema(required []string, properties schemaObject) schemaObject {
	o := schemaObject{"type": "object", "properties": properties, "additionalProperties": false}
	if required != nil {
		o["required"] = required
	}
	return o
}

func writeSchema(schema, defs schemaObject) json.RawMessage {
	if defs != nil {
		schema["$defs"] = defs
	}
	text, err := jsontext.Marshal(schema, "")
	if err != nil {
		panic(err) // it consists of maps, strings and parsed schemas
	}
	return text
}

// looseForm embeds the schemas of tools' arguments into a larger schema. It makes all arguments optional and allows
// references to replace values.
type looseForm struct {
	defs       schemaObject
	everywhere bool           // references may also replace strings with formats or patterns
	root       *jsontext.Node // schema of the tool
	index      int            // index of the tool, which makes the names of definitions unique
	failed     bool           // the schema cannot be embedded
}

// argumentsSchema returns the schema of the arguments of a tool with all of them optional. If the schema cannot be
// embedded, it returns a schema that allows any object.
func (f *looseForm) argumentsSchema(index int, d tool.Definition) schemaObject {
	f.index, f.failed = index, false
	anything := schemaObject{"type": "object"}
	root, err := jsontext.Parse(string(d.Input), jsontext.Depth)
	if err != nil || !root.Member("properties").Is(jsontext.Object) {
		return anything
	}
	f.root = root
	schema, defs := schemaObject{}, schemaObject{}
	for _, m := range f.loosenSchema(root).Items {
		switch m.Name() {
		case "$schema", "$comment", "title", "required":
		case "$defs", "definitions":
			for _, def := range m.Items {
				defs[f.renameDefinition(def.Name())] = nodeMembers(def)
			}
		default:
			schema[m.Name()] = nodeMembers(m)
		}
	}
	if f.failed {
		return anything
	}
	maps.Copy(f.defs, defs)
	return schema
}

func nodeMembers(n *jsontext.Node) json.RawMessage { return n.Append(nil) }

// renameDefinition returns a unique name for a definition of the tool's schema.
func (f *looseForm) renameDefinition(name string) string { return fmt.Sprintf("%s-%d", name, f.index) }

var (
	// partKeywords contain the schemas of members or elements. A reference may replace such a member or element.
	partKeywords = []string{"properties", "patternProperties", "prefixItems", "items", "additionalProperties"}
	// unsupportedKeywords are keywords that identify schemas or that may reject references.
	unsupportedKeywords = []string{"$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor", "not", "if", "contains", "propertyNames",
		"unevaluatedProperties", "unevaluatedItems", "dependencies"}
)

// loosenSchema returns a schema whose members and elements may also be references.
func (f *looseForm) loosenSchema(s *jsontext.Node) *jsontext.Node {
	if !s.Is(jsontext.Object) {
		return s
	}
	loose := &jsontext.Node{Kind: s.Kind, Key: s.Key}
	for _, m := range s.Items {
		switch name := m.Name(); {
		case slices.Contains(textKeywords, name) && isFreeText(s):
			continue // a reference does not match it; Compile checks it
		case name == "$ref":
			m = f.rewriteReference(m)
		case slices.Contains(unsupportedKeywords, name):
			f.failed = true
		}
		loose.Add(m)
	}
	return jsonschema.MapSubschemas(loose, "", func(part *jsontext.Node, at string) *jsontext.Node {
		if keyword, _, _ := strings.Cut(at[1:], "/"); slices.Contains(partKeywords, keyword) {
			return f.loosenPart(part)
		}
		return f.loosenSchema(part)
	})
}

// rewriteReference returns the member $ref with the new name of the definition that it refers to.
func (f *looseForm) rewriteReference(m *jsontext.Node) *jsontext.Node {
	for _, prefix := range []string{"#/$defs/", "#/definitions/"} {
		if token, ok := strings.CutPrefix(m.Str(), prefix); ok && !strings.Contains(token, "/") {
			name := jsontext.Name(token)
			return &jsontext.Node{Kind: jsontext.String, Key: m.Key, Text: jsontext.Quote("#/$defs/" + jsontext.Token(f.renameDefinition(name)))}
		}
	}
	f.failed = true
	return m
}

// loosenPart returns a schema of a member or an element that also allows a reference. If the schema does not allow
// strings, the reference becomes an alternative in anyOf.
func (f *looseForm) loosenPart(s *jsontext.Node) *jsontext.Node {
	if !s.Is(jsontext.Object) || f.takesTexts(s, 0) && !(f.everywhere && !isFreeText(s) && len(s.Items) > 0) {
		return f.loosenSchema(s)
	}
	loose := &jsontext.Node{Kind: jsontext.Object, Key: s.Key}
	rest := &jsontext.Node{Kind: jsontext.Object}
	for _, m := range f.loosenSchema(s).Items {
		if slices.Contains(descriptiveKeywords, m.Name()) {
			loose.Add(m)
		} else {
			rest.Add(m)
		}
	}
	either := []*jsontext.Node{rest, referenceNode}
	if len(rest.Items) == 1 && rest.Items[0].Name() == "anyOf" {
		either = append(slices.Clone(rest.Items[0].Items), referenceNode)
	}
	loose.Add(&jsontext.Node{Kind: jsontext.Array, Key: `"anyOf"`, Items: either})
	return loose
}

// maxReferences is the maximum depth to which takesTexts follows $ref and nested schemas.
const maxReferences = 100

// takesTexts reports whether a schema allows at least one string.
func (f *looseForm) takesTexts(s *jsontext.Node, depth int) bool {
	if !s.Is(jsontext.Object) || depth > maxReferences {
		return true
	}
	is := func(n *jsontext.Node) bool { return n.Is(jsontext.String) }
	takes := func(n *jsontext.Node) bool { return f.takesTexts(n, depth+1) }
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

// descriptiveKeywords are the keywords that describe a value without restricting it.
var descriptiveKeywords = []string{"title", "description", "default", "examples", "deprecated"}

var referenceNode = func() *jsontext.Node {
	n, err := jsontext.Parse(`{"$ref":"#/$defs/reference"}`, jsontext.Depth)
	if err != nil {
		panic(err)
	}
	return n
}()

// textKeywords are the keywords that restrict texts.
var textKeywords = []string{"pattern", "format", "minLength", "maxLength", "contentEncoding", "contentMediaType"}

// isFreeText reports whether a schema allows strings that it does not enumerate. It returns false for a schema
// whose strings refer to variables.
func isFreeText(s *jsontext.Node) bool {
	t := s.Member("type")
	text := t.Str() == "string" || slices.ContainsFunc(childNodes(t), func(t *jsontext.Node) bool { return t.Str() == "string" })
	return text && s.Member("enum") == nil && s.Member("const") == nil && s.Member("pattern").Str() != reference.Pattern
}
