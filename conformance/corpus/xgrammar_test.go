package corpus_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/aiongen/aiongen/conformance/internal/xgrammar"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// What XGrammar is asked about each schema.
const (
	grammarTexts   = 1000
	grammarSamples = 200
)

// grammarCheck compares XGrammar, with the schemas that servers with OpenAI's protocol receive, with the
// decoders of tools.
type grammarCheck struct {
	engine  *xgrammar.Engine
	reasons *xgrammar.Reasons
	mu      sync.Mutex
	seen    map[string]bool // schemas without descriptions
	texts   int
	samples int
}

// TestXGrammar checks for each schema that XGrammar accepts the canonical form of arguments that the decoder
// accepts, and that the decoder accepts what XGrammar accepts, except for the reasons that the documentation
// lists.
func TestXGrammar(t *testing.T) {
	c := &grammarCheck{engine: xgrammar.Start(t, 2), reasons: xgrammar.ReadReasons(t), seen: map[string]bool{}}
	t.Run("types", func(t *testing.T) {
		for i, r := range corpusRows {
			t.Run(r.name, func(t *testing.T) {
				t.Parallel()
				s := newSubject(t, r)
				g := generator{Rand: rand.New(rand.NewPCG(seed+5, uint64(i)))}
				c.checkTool(t, s.tool, g.Rand, func() string { return s.randomDocument(t, g, ourRules) })
			})
		}
	})
	t.Run("tools", func(t *testing.T) {
		tools := goldenTools(t)
		for i, name := range slices.Sorted(maps.Keys(tools)) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				for _, x := range tools[name] {
					c.checkTool(t, x, rand.New(rand.NewPCG(seed+6, uint64(i))), nil)
				}
			})
		}
	})
	t.Run("keywords", func(t *testing.T) {
		for i, x := range keywordTools() {
			t.Run(x.Definition().Name, func(t *testing.T) {
				t.Parallel()
				c.checkTool(t, x.Tool, rand.New(rand.NewPCG(seed+7, uint64(i))), nil, x.accepted...)
			})
		}
	})
	c.reasons.CheckAll(t)
	t.Logf("%d schemas; XGrammar accepted %d canonical texts, and wrote %d texts", len(c.seen), c.texts, c.samples)
}

// keywordSchemas have keywords that no Go type needs, and constraints that engines with grammars misread. Some
// come with an invalid value that XGrammar accepts.
var keywordSchemas = []struct{ schema, accepted string }{
	{`{"type": "integer", "minimum": -5}`, ""},
	{`{"type": "integer", "maximum": -5}`, ""},
	{`{"type": "integer", "minimum": -5, "maximum": 123}`, `125`},
	{`{"type": "integer", "minimum": -20, "exclusiveMaximum": -5}`, ""},
	{`{"type": "integer", "minimum": 3}`, `1`},
	{`{"type": "integer", "exclusiveMinimum": 3}`, `2`},
	{`{"type": "integer", "exclusiveMaximum": 123, "minimum": 0}`, `124`},
	{`{"type": ["integer", "null"], "minimum": 0, "maximum": 1000}`, ""},
	{`{"type": "integer", "minimum": 1.5, "maximum": 1e3}`, ""},
	{`{"type": "integer", "maximum": 18446744073709551615}`, ""},
	{`{"type": "integer", "minimum": -9223372036854775808, "maximum": 9223372036854775807}`, ""},
	{`{"type": "integer", "minimum": -5, "maximum": 1e30}`, ""},
	{`{"type": "number", "minimum": 0}`, ""},
	{`{"type": "number", "minimum": -90, "maximum": 90}`, ""},
	{`{"type": ["number", "null"], "exclusiveMinimum": 0}`, ""},
	{`{"type": "number", "multipleOf": 0.5}`, `0.3`},
	{`{"type": "string", "minLength": 1}`, ""},
	{`{"type": "string", "maxLength": 3}`, ""},
	{`{"type": "string", "contentEncoding": "base64"}`, `"="`},
	{`{"type": "string", "enum": ["a", "b"], "pattern": "^a$"}`, `"b"`},
	{`{"type": "string", "pattern": "^.+$"}`, ""},
	{`{"type": "string", "pattern": "^a|b$"}`, ""},
	{`{"type": "string", "pattern": "b"}`, ""},
	{`{"type": "string", "pattern": "^[^/]+$"}`, ""},
	{`{"type": "string", "pattern": "^\\d+$"}`, ""},
	{`{"type": "string", "pattern": "^[A-z]$"}`, ""},
	{`{"type": "string", "format": "date"}`, `"2023-02-30"`},
	{`{"type": "string", "format": "email"}`, ""},
	{`{"type": "string", "format": "uri"}`, ""},
	{`{"type": "string", "format": "hostname"}`, ""},
	{`{"type": "string", "format": "uuid", "pattern": "^[0-4-]+$"}`, ""},
	{`{"type": "string", "format": "unheard-of"}`, ""},
	{`{"type": "array", "items": {"type": "integer"}, "uniqueItems": true}`, `[1,1]`},
	{`{"type": "array", "items": {"type": "boolean"}, "minItems": 1, "maxItems": 2}`, ""},
	{`{"type": "array", "items": {"type": "integer"}, "contains": {"const": 1}}`, `[2]`},
	{`{"type": "array", "items": {"type": "integer"}, "contains": {"type": "integer"}, "minContains": 2, "maxContains": 2}`, ""},
	{`{"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": false, "minItems": 2}`, ""},
	{`{"type": "object", "additionalProperties": {"type": "integer"}, "propertyNames": {"pattern": "^a"}}`, ""},
	{`{"type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 2}`, ""},
	{`{"type": "object", "additionalProperties": {"type": "integer"}, "maxProperties": 1}`, ""},
	{`{"type": "object", "patternProperties": {"^a": {"type": "integer"}}, "additionalProperties": false}`, ""},
	{`{"type": "object", "patternProperties": {"^[a-c]+$": {"type": "integer"}}, "additionalProperties": false}`, ""},
	{`{"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "dependentRequired": {"a": ["b"]}, "additionalProperties": false}`, ""},
	{`{"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "dependentSchemas": {"a": {"required": ["b"]}}, "additionalProperties": false}`, ""},
	{`{"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "if": {"required": ["a"]}, "then": {"required": ["b"]}, "additionalProperties": false}`, ""},
	{`{"type": "object", "properties": {"a": {"type": "integer"}}, "unevaluatedProperties": false}`, ""},
	{`{"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": {"type": "string"}}`, `{"b":"","a":""}`},
	{`{"type": "integer", "not": {"const": 1}}`, ""},
	{`{"oneOf": [{"type": "integer"}, {"type": "number"}]}`, ""},
	{`{"allOf": [{"type": "integer"}, {"type": "number"}]}`, ""},
	{`{"anyOf": [{"type": "string", "minLength": 2}, {"type": "null"}]}`, ""},
	{`{"const": "a\nb"}`, ""},
	{`{"enum": [1, "a", null, true, "ü"]}`, ""},
	{`{"type": ["string", "integer", "null"]}`, ""},
	{`{"type": "object"}`, ""},
	{`{"type": "array"}`, ""},
	{`{}`, ""},
}

// keywordTool is a tool with one of keywordSchemas.
type keywordTool struct {
	tool.Tool
	accepted []string // invalid arguments that XGrammar accepts
}

// keywordTools returns a tool for each of keywordSchemas, and one with references.
func keywordTools() (tools []keywordTool) {
	references := `{"type": "object", "properties": {"a": {"$ref": "#/$defs/Gr%C3%B6%C3%9Fe"}, "b": {"$ref": "#/$defs/a~1b"}, "c": {"$ref": "#/$defs/Gr__e"}}, "additionalProperties": false, "$defs": {"Größe": {"type": "integer"}, "Gr__e": {"type": "string"}, "a/b": {"type": "boolean"}}}`
	tools = append(tools, keywordTool{dynamicTool("references", references), nil})
	for i, k := range keywordSchemas {
		x := keywordTool{Tool: dynamicTool(fmt.Sprintf("keyword_%d", i), `{"type": "object", "properties": {"v": `+k.schema+`}, "required": ["v"], "additionalProperties": false}`)}
		if k.accepted != "" {
			x.accepted = []string{`{"v":` + k.accepted + `}`}
		}
		tools = append(tools, x)
	}
	return tools
}

func dynamicTool(name, input string) tool.Tool {
	d := tool.Definition{Name: name, Description: "a tool", Input: json.RawMessage(input)}
	return mustValue(schema.Dynamic(d, func(context.Context, json.RawMessage) (json.RawMessage, error) { return nil, nil }))
}

// checkTool checks one tool. Without a function that returns random arguments, it changes arguments that
// XGrammar writes. invalid are arguments that XGrammar accepts, although they are invalid.
func (c *grammarCheck) checkTool(t *testing.T, x tool.Tool, r *rand.Rand, random func() string, invalid ...string) {
	l := mustValue(schema.Lower(schema.OpenAI, x.Definition()))
	if !c.isNew(t, l.Input) {
		return
	}
	s := &grammarSubject{
		tool: x, registry: tool.NewRegistry(), lowered: l, root: mustValue(jsontext.Parse(string(l.Input), jsontext.Depth)),
		input: compileSchema(t, x.Definition().Input), wire: compileWith(t, l.Input, canonicalFormats),
	}
	s.registry.Replace(x)
	answer := c.engine.Ask(t, xgrammar.Question{Schema: string(l.Input), Texts: invalid, Samples: grammarSamples, Seed: r.Int()})
	if answer.Error != "" {
		t.Errorf("%s: %s in %s", x.Definition().Name, answer.Error, l.Input)
		return
	}
	for i, text := range invalid {
		if _, valid := c.checkSample(t, s, text); valid || !answer.Accepted[i] {
			t.Errorf("%s: %s is valid, or XGrammar refuses it", x.Definition().Name, text)
		}
	}
	bases := []string{"{}"}
	for _, sample := range answer.Samples {
		if raised, ok := c.checkSample(t, s, sample); ok {
			bases = append(bases, raised)
		}
	}
	if random == nil {
		random = func() string { return mutateDocument(r, bases[r.IntN(len(bases))]) }
	}
	c.checkTexts(t, s, bases, random)
}

// isNew reports whether a schema is new, apart from descriptions.
func (c *grammarCheck) isNew(t *testing.T, input json.RawMessage) bool {
	t.Helper()
	text := string(mustValue(json.Marshal(withoutDescriptions(decodeNumbers(input)))))
	c.mu.Lock()
	defer c.mu.Unlock()
	defer func() { c.seen[text] = true }()
	return !c.seen[text]
}

func withoutDescriptions(x any) any {
	switch x := x.(type) {
	case map[string]any:
		if _, ok := x["description"].(string); ok {
			delete(x, "description")
		}
		for _, member := range x {
			withoutDescriptions(member)
		}
	case []any:
		for _, item := range x {
			withoutDescriptions(item)
		}
	}
	return x
}

// grammarSubject is a tool with its lowered schema.
type grammarSubject struct {
	tool     tool.Tool
	registry *tool.Registry
	lowered  *schema.Lowered
	input    *jsonschema.Schema // of the tool
	wire     *jsonschema.Schema // as lowered
	root     *jsontext.Node     // the schema as lowered
}

// decode returns the error of the decoder for arguments.
func (s *grammarSubject) decode(t *testing.T, arguments string) error {
	call, err := s.registry.Match(tool.Request{Name: s.tool.Definition().Name, Arguments: json.RawMessage(arguments)})
	if err != nil {
		return err
	}
	return call.Check(t.Context())
}

// checkSample checks arguments that XGrammar accepts. It returns them in the tool's own form and reports whether
// the decoder accepts them, too.
func (c *grammarCheck) checkSample(t *testing.T, s *grammarSubject, sample string) (string, bool) {
	c.mu.Lock()
	c.samples++
	c.mu.Unlock()
	if !isInteroperable(sample) {
		reason := "surrogates in pairs"
		if !surrogate.MatchString(sample) {
			reason = "each member once"
		}
		c.reasons.Add(t, s.lowered.Name+" "+sample, reason)
		return "", false
	}
	raised := string(mustValue(s.lowered.Raise(json.RawMessage(sample))))
	refused := s.decode(t, raised)
	if refused == nil {
		return raised, true
	}
	if err := s.wire.Validate(capExponents(decodeNumbers(json.RawMessage(sample)))); err != nil && !hasOrder(s, sample) {
		c.reasons.Add(t, s.lowered.Name+" "+sample, "additionalProperties")
		return "", false
	} else if err != nil {
		c.reasons.Add(t, s.lowered.Name+" "+sample, c.reasons.KeywordsOf(err)...)
		return "", false
	}
	if err := s.input.Validate(capExponents(decodeNumbers(json.RawMessage(raised)))); err == nil {
		c.reasons.Add(t, s.lowered.Name+" "+sample, "limits of Go types")
	} else if len(s.lowered.Losses) == 0 {
		t.Errorf("%s: XGrammar accepts %s, which is valid as lowered, but: %v; %v", s.lowered.Name, sample, refused, err)
	}
	return "", false
}

// checkTexts checks that XGrammar accepts arguments that the decoder accepts, in canonical form.
func (c *grammarCheck) checkTexts(t *testing.T, s *grammarSubject, documents []string, random func() string) {
	q := xgrammar.Question{Schema: string(s.lowered.Input)}
	seen := map[string]bool{}
	for range grammarTexts {
		documents = append(documents, random())
	}
	for _, document := range documents {
		if !isInteroperable(document) || s.decode(t, document) != nil {
			continue
		}
		arguments := mustValue(marshalStandard(correctValue(s.input, decodeNumbers(json.RawMessage(document)))))
		written := mustValue(s.lowered.Encode(arguments))
		if s.wire.Validate(capExponents(decodeNumbers(written))) != nil {
			continue // the decoder accepts more than the schema
		}
		if text := canonicalText(s.root, written); !seen[text] {
			seen[text] = true
			q.Texts = append(q.Texts, text)
		}
	}
	for i, accepted := range c.engine.Ask(t, q).Accepted {
		if !accepted {
			t.Errorf("%s: XGrammar refuses %s by %s", s.lowered.Name, q.Texts[i], s.lowered.Input)
			return
		}
	}
	c.mu.Lock()
	c.texts += len(q.Texts)
	c.mu.Unlock()
}

// hasOrder reports whether the members of arguments have the order of the schema. XGrammar also accepts members
// that the schema names among additional ones.
func hasOrder(s *grammarSubject, sample string) bool {
	return canonicalText(s.root, json.RawMessage(sample)) == canonicalText(&jsontext.Node{Kind: jsontext.Object}, json.RawMessage(sample))
}

// canonicalText returns arguments as a constrained model writes them.
func canonicalText(root *jsontext.Node, written json.RawMessage) string {
	return xgrammar.Canonical(root, mustValue(jsontext.Parse(string(written), jsontext.Depth)))
}

// canonicalFormats replace formats of the validator by the form in which encoding/json writes them.
var canonicalFormats = []*jsonschema.Format{{Name: "date-time", Validate: func(x any) error {
	if text, ok := x.(string); ok && (!rfc3339.MatchString(text) || strings.ContainsAny(text, "tz") || strings.Contains(text, ":60")) {
		return errors.New("not in the form of RFC 3339 that encoding/json writes")
	}
	return dateTime.Validate(x)
}}}
