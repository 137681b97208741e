package schema

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/aiongen/aiongen/internal/jsonschema/dialect"
	"github.com/aiongen/aiongen/internal/jsonschema/parts"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/schema/internal/form"
	"github.com/aiongen/aiongen/runtime/schema/internal/keep"
	"github.com/aiongen/aiongen/runtime/schema/internal/outline"
	"github.com/aiongen/aiongen/runtime/schema/internal/rewrite"
	"github.com/aiongen/aiongen/runtime/schema/internal/rules"
	"github.com/aiongen/aiongen/runtime/schema/internal/tree"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Severity says how much is lost, from the least to the most.
type Severity int

const (
	Rewritten Severity = iota // nothing: the model writes it in another form, which [Lowered.Raise] undoes
	Worded                    // the provider does not enforce it; it is told to the model in a description
	Quoted                    // the model writes the value as JSON text in a string, into which the provider does not look; Raise undoes that, too
	Dropped                   // the model is not told of it; the tool still insists on it
	Refused                   // the target takes no such definition
)

// String returns the severity as a word: rewritten, worded, quoted, dropped or
// refused.
func (s Severity) String() string {
	return [...]string{"rewritten", "worded", "quoted", "dropped", "refused"}[s]
}

// MarshalText writes the severity as String does.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Loss is one thing that a definition says and its lowered form does not, or says
// in another way.
type Loss struct {
	Tool     string   `json:"tool,omitempty"` // the name before it was lowered; empty for all tools of a request together
	Pointer  string   `json:"pointer"`        // JSON Pointer into the definition, such as /input/properties/city or /name
	Severity Severity `json:"severity"`
	Message  string   `json:"message"` // such as "minimum 3 is only told in the description"
}

// String returns the loss as one line.
func (l Loss) String() string {
	return fmt.Sprintf("%s%s: %s (%s)", l.Tool, l.Pointer, l.Message, l.Severity)
}

// Lowered is a definition as a target takes it: with a name and schemas that it
// accepts, and an example that fits them. It is not to be modified, and safe for
// concurrent use.
type Lowered struct {
	tool.Definition
	Target Target
	Losses []Loss // in the order of the definition

	form    *form.Form // how arguments are written; nil if as in the neutral schema
	wrapped bool       // the result is a member of an object
}

// Lower returns a definition as a target takes it. What the target does not take
// is written in another way: that is what [Lowered.Losses] lists. An output schema
// is left only for MCP, which alone has one, and a title for MCP, too.
//
// Schemas of older drafts are translated to draft 2020-12, which every target gets. Keywords that
// cannot be used, such as a pattern that package regexp cannot compile, are left out.
//
// The error says that there is no such target, or that a schema cannot be used:
// it is no JSON object, or nested too deeply.
func Lower(target Target, d tool.Definition) (*Lowered, error) {
	l, err := lowering(target)
	if err != nil {
		return nil, err
	}
	out := &Lowered{Definition: d, Target: target}
	out.Name = l.Name(d.Name)
	out.Description = l.Description(d.Description)
	input, err := parseSchema(d.Input)
	if err != nil {
		return nil, fmt.Errorf("the input schema of %s cannot be used: %w", d.Name, err)
	}
	input = repair(l, input, rules.Input)
	var schema *jsontext.Node
	if l.Dialect != nil {
		schema, out.form = rewrite.Schema(l, input)
	} else {
		schema, out.form = keep.Schema(l, input)
	}
	l.Limit(schema)
	if said := schema.Member("description"); l.Mute && said != nil {
		out.Description = outline.Describe(d.Description, []string{said.Str()}).Str()
		schema = tree.Without(schema, "description")
	}
	out.Input = tree.Raw(schema)
	if l.Output {
		output, err := parseSchema(d.Output)
		if err != nil {
			return nil, fmt.Errorf("the output schema of %s cannot be used: %w", d.Name, err)
		}
		if len(d.Output) > 0 {
			output = repair(l, output, "/output")
		}
		out.Output, out.wrapped = wrapOutput(d.Output, output)
	} else {
		out.Output, out.Title = nil, ""
	}
	if d.Example != nil {
		if out.Example, err = out.Encode(d.Example); err != nil {
			out.Example = nil // it is none
		}
	}
	for _, x := range l.Losses {
		out.Losses = append(out.Losses, Loss{d.Name, x.Pointer, Severity(x.Severity), x.Message})
	}
	return out, nil
}

// lowering returns a lowering for a target.
func lowering(target Target) (*rules.Lowering, error) {
	l := rules.For(string(target))
	if l == nil {
		return nil, unknown(string(target))
	}
	return l, nil
}

// repair returns a schema in draft 2020-12 without what cannot be checked. Only MCP gets its
// $schema.
func repair(l *rules.Lowering, s *jsontext.Node, at string) *jsontext.Node {
	repaired, losses := dialect.Repair(s)
	for _, loss := range losses {
		switch loss.Kind {
		case dialect.Dropped:
			l.Lose(rules.Dropped, at+loss.Pointer, "%s", loss.Message)
		case dialect.Worded:
			l.Lose(rules.Worded, at+loss.Pointer, "%s", loss.Message)
		}
	}
	if !l.Output {
		repaired = undeclared(repaired, "")
	}
	return repaired
}

// undeclared returns a schema without $schema, also in the schemas within it.
func undeclared(s *jsontext.Node, at string) *jsontext.Node {
	if !s.Is(jsontext.Object) {
		return s
	}
	out := parts.Map(s, at, undeclared)
	out.Span = s.Span // by which the growth of references is limited
	out.Items = slices.DeleteFunc(out.Items, func(m *jsontext.Node) bool { return m.Name() == "$schema" })
	return out
}

// parseSchema returns the schema in a text, one of an object without members if
// there is no text.
func parseSchema(text json.RawMessage) (*jsontext.Node, error) {
	if len(text) == 0 {
		text = json.RawMessage(noArguments)
	}
	s, err := tree.Parse(text)
	if err == nil && !s.Is(jsontext.Object) {
		err = fmt.Errorf("it is %s, no JSON object", cmp.Or(s.Text, "an array"))
	}
	return s, err
}

// Raise turns arguments that a model wrote for the lowered schema into what the
// tool takes: lists of keys and values become maps again, nulls that stand for
// absent arguments go, and names are what they were. What is not of the lowered
// form is left alone, for the tool to judge; so is everything where both forms are
// the same. Else the error says that the arguments are no JSON, or nested too
// deeply. Empty arguments are {}.
//
// It takes time linear in the length of the arguments.
func (l *Lowered) Raise(arguments json.RawMessage) (json.RawMessage, error) {
	return l.convert(arguments, (*form.Form).Raise)
}

// Encode is the inverse of Raise: it turns arguments that the tool takes into
// what a model would write for the lowered schema, as for the calls in a dialogue.
func (l *Lowered) Encode(arguments json.RawMessage) (json.RawMessage, error) {
	return l.convert(arguments, (*form.Form).Encode)
}

// Raises reports whether the model writes anything in another form, so that Raise
// and Encode are to be called.
func (l *Lowered) Raises() bool { return l.form != nil }

func (l *Lowered) convert(arguments json.RawMessage, f func(*form.Form, *jsontext.Node) *jsontext.Node) (json.RawMessage, error) {
	switch {
	case len(arguments) == 0:
		return json.RawMessage("{}"), nil
	case l.form == nil:
		return arguments, nil
	}
	v, err := tree.Parse(arguments)
	if err != nil {
		return nil, fmt.Errorf("the arguments of %s cannot be read: %w", l.Name, err)
	}
	return tree.Raw(f(l.form, v)), nil
}

// Result returns the result of a call as the lowered output schema describes it:
// for MCP, one that may be something else than an object is a member of one,
// named result.
func (l *Lowered) Result(output json.RawMessage) json.RawMessage {
	if !l.wrapped {
		return output
	}
	return fmt.Appendf(nil, `{%q:%s}`, resultMember, output)
}

// Wraps reports whether the result is the member named result of an object, as Result
// returns it. The lowered output schema has a mark of it, x-fastmcp-wrap-result, by
// which clients of FastMCP and others know that they may take it out again.
func (l *Lowered) Wraps() bool { return l.wrapped }

const (
	resultMember = "result"
	wrapMark     = "x-fastmcp-wrap-result"
)

// wrapOutput returns an output schema whose root is an object, and whether the
// result became a member of it for that.
func wrapOutput(text json.RawMessage, s *jsontext.Node) (json.RawMessage, bool) {
	if len(text) == 0 {
		return nil, false
	}
	if s.Member("type").Str() == "object" {
		return tree.Raw(s), false
	}
	wrapped := tree.Without(keep.Wrap(resultMember, s), "additionalProperties") // as other results say nothing of more members
	tree.Add(wrapped, wrapMark, tree.True)
	return tree.Raw(wrapped), true
}
