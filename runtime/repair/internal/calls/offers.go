package calls

import (
	"encoding/json"
	"strings"
	"unicode"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/repair/internal/report"
	"github.com/aiongen/aiongen/runtime/repair/internal/tree"
	"github.com/aiongen/aiongen/runtime/tool"
)

// offers are the tools that a model was offered.
type offers struct {
	offered  map[string]*offer // by name
	unusable []*report.Failure // why schemas that were needed cannot be used
}

// An offer is what is known of a tool. Its schema is read when it is needed: most
// calls are JSON, which has types.
type offer struct {
	input      json.RawMessage
	schema     *jsonschema.Schema
	parameters []string // in the order of the schema
}

func newOffers(definitions []tool.Definition) *offers {
	o := &offers{offered: map[string]*offer{}}
	for _, d := range definitions {
		o.offered[d.Name] = &offer{input: d.Input}
	}
	return o
}

// name returns the name of a tool without what models add to it, unless the
// tool is called so.
func (o *offers) name(name string) string {
	if o.offered[name] != nil {
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
	if numbered || o.offered[short] != nil {
		return short
	}
	return name
}

// knows tells whether a tool was offered.
func (o *offers) knows(name string) bool { return o.offered[o.name(name)] != nil }

// offer returns what is known of a tool: nothing, if it was not offered.
func (o *offers) offer(name string) offer {
	known := o.offered[o.name(name)]
	if known == nil {
		return offer{}
	}
	if known.input != nil {
		s, bad := tree.ParseSchema(known.input)
		switch {
		case bad != nil:
			bad.Message = report.Cut(name) + ": " + bad.Message
			o.unusable = append(o.unusable, bad)
		case s != nil && s.Properties != nil:
			for _, p := range s.Properties {
				known.parameters = append(known.parameters, p.Name)
			}
		}
		known.schema, known.input = s, nil
	}
	return *known
}

// isFinal tells whether a name stands for none: the model says that it is done.
func (o *offers) isFinal(name string) bool { return words.Folded(name) == "finish" && !o.knows(name) }

// takesNothing tells whether a call without arguments is one although the text ends
// there: the tool takes none, and, if the text may have been cut off in its name, no
// other tool is called like that and more.
func (o *offers) takesNothing(name string, cut bool) bool {
	s, name := o.offer(name).schema, o.name(name)
	if s == nil || len(s.Properties) > 0 || s.Additional == nil || !s.Additional.Never {
		return false
	}
	for other := range o.offered {
		if cut && other != name && strings.HasPrefix(other, name) {
			return false
		}
	}
	return true
}

// isName tells whether a tool may be called so.
func isName(name string) bool {
	return len(name) <= 256 && strings.ContainsFunc(name, unicode.IsLetter) && !strings.ContainsAny(name, " \t\r\n\"'`<>{}()[],;=")
}
