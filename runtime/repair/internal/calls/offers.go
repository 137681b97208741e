package calls

import (
	"encoding/json"
	"strings"
	"unicode"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/tool"
)

// offeredTools are the tools that a model was offered.
type offeredTools struct {
	byName   map[string]*offer // by name
	unusable []*reader.Failure // the errors in schemas of tools that were called
}

// offer describes a tool. Its schema is parsed only when needed: most calls are JSON, and the type of a JSON value
// is clear without a schema.
type offer struct {
	input      json.RawMessage // nil once it is parsed
	schema     *jsonschema.Schema
	parameters []string // in the order of the schema
}

func newOfferedTools(definitions []tool.Definition) *offeredTools {
	o := &offeredTools{byName: map[string]*offer{}}
	for _, d := range definitions {
		o.byName[d.Name] = &offer{input: d.Input}
	}
	return o
}

// plainName returns name without the prefixes and suffixes that models add to names of tools, such as
// functions.f:0 for f. If a tool is called exactly name, plainName returns name.
func (o *offeredTools) plainName(name string) string {
	if o.byName[name] != nil {
		return name
	}
	name = strings.TrimPrefix(strings.TrimPrefix(name, "call:"), "default_api.") // Gemma, Gemini
	name = strings.TrimSuffix(name, ".call")                                     // Llama
	i := strings.LastIndexByte(name, ':')
	numbered := i > 0 && i+1 < len(name) && strings.Trim(name[i+1:], "0123456789") == "" // Kimi
	if numbered {
		name = name[:i]
	}
	short := strings.TrimPrefix(name, "functions.")
	if numbered || o.byName[short] != nil {
		return short
	}
	return name
}

// isOffered reports whether a tool was offered.
func (o *offeredTools) isOffered(name string) bool { return o.byName[o.plainName(name)] != nil }

// findOffer returns the offer of a tool, with its parsed schema. It returns the zero offer if the tool was not
// offered.
func (o *offeredTools) findOffer(name string) offer {
	found := o.byName[o.plainName(name)]
	if found == nil {
		return offer{}
	}
	if found.input != nil {
		s, bad := reader.ParseSchema(found.input)
		switch {
		case bad != nil:
			bad.Message = reader.CutShown(name) + ": " + bad.Message
			o.unusable = append(o.unusable, bad)
		case s != nil && s.Properties != nil:
			for _, p := range s.Properties {
				found.parameters = append(found.parameters, p.Name)
			}
		}
		found.schema, found.input = s, nil
	}
	return *found
}

// isFinal reports whether name is "finish", which models write to say that they are done, and no offered tool has
// this name.
func (o *offeredTools) isFinal(name string) bool {
	return words.FoldName(name) == "finish" && !o.isOffered(name)
}

// takesNothing reports whether a tool takes no arguments, so that its name alone is a complete call. If cut is
// true, the name may be incomplete; then takesNothing returns false if another tool's name begins with it.
func (o *offeredTools) takesNothing(name string, cut bool) bool {
	s, name := o.findOffer(name).schema, o.plainName(name)
	if s == nil || len(s.Properties) > 0 || s.Additional == nil || !s.Additional.Never {
		return false
	}
	for other := range o.byName {
		if cut && other != name && strings.HasPrefix(other, name) {
			return false
		}
	}
	return true
}

// isName reports whether name can be the name of a tool.
func isName(name string) bool {
	return len(name) <= 256 && strings.ContainsFunc(name, unicode.IsLetter) && !strings.ContainsAny(name, " \t\r\n\"'`<>{}()[],;=")
}
