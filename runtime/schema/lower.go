package schema

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsonschema/dialect"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/schema/internal/outline"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Severity is the severity of a loss, in ascending order.
type Severity int

// These are the severities.
const (
	Rewritten Severity = iota // nothing is lost: the model writes the value in another form, which [Lowered.Raise] reverses
	Worded                    // the provider does not enforce it; the description states it
	Quoted                    // the model writes the value as JSON text in a string, which the provider does not check; Raise reverses that
	Dropped                   // the model does not know it; the tool still enforces it
	Refused                   // the target refuses the definition
)

// String returns the severity as a word: rewritten, worded, quoted, dropped or refused.
func (s Severity) String() string {
	return [...]string{"rewritten", "worded", "quoted", "dropped", "refused"}[s]
}

// MarshalText writes the severity as String does.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Loss is one property of a definition that its lowered form lacks or expresses differently.
type Loss struct {
	Tool     string   `json:"tool,omitempty"` // original name; empty for a loss of all tools of a request together
	Pointer  string   `json:"pointer"`        // JSON Pointer into the definition, such as /input/properties/city or /name
	Severity Severity `json:"severity"`
	Message  string   `json:"message"` // such as "minimum 3 is only stated in the description"
}

// String returns the loss as one line.
func (l Loss) String() string {
	return fmt.Sprintf("%s%s: %s (%s)", l.Tool, l.Pointer, l.Message, l.Severity)
}

// Definition is the definition of a tool. Programs that only lower or check definitions, as the compiler
// does, need no other package of the runtime.
type Definition = tool.Definition

// Lowered is a definition in the form that a target accepts: its name, its schemas, and an example that
// matches them. Do not modify it. It is safe for concurrent use.
type Lowered struct {
	tool.Definition
	Target Target
	Losses []Loss // in the order of the definition

	form    *outline.Form // how arguments are written; nil if as in the original schema
	wrapped bool          // the result is a member of an object
}

// Lower returns a definition in the form that a target accepts. [Lowered.Losses] lists everything that had to
// be changed. Only MCP has output schemas and titles; for other targets they are removed.
//
// Schemas of older drafts are translated to draft 2020-12 for every target. Unusable keywords, such as a
// pattern that package regexp cannot compile, are removed.
//
// Lower returns an error if the target is unknown or a schema is unusable: not a JSON object, or nested too
// deeply.
func Lower(target Target, d tool.Definition) (*Lowered, error) {
	l, err := newLowering(target)
	if err != nil {
		return nil, err
	}
	out := &Lowered{Definition: d, Target: target}
	out.Name = l.FitName(d.Name)
	out.Description = l.CutDescription(d.Description)
	input, err := parseSchema(d.Input)
	if err != nil {
		return nil, fmt.Errorf("the input schema of %s cannot be used: %w", d.Name, err)
	}
	input = repairSchema(l, input, outline.Input)
	var schema *jsontext.Node
	if l.Dialect != nil {
		schema, out.form = rewriteSchema(l, input)
	} else {
		schema, out.form = passThroughSchema(l, input)
	}
	if l.PlainRefs {
		schema = renameDefinitions(schema)
	}
	l.CheckLimits(schema)
	if said := schema.Member("description"); l.Mute && said != nil {
		out.Description = outline.AppendSentences(d.Description, []string{said.Str()}).Str()
		schema = outline.WithoutMembers(schema, "description")
	}
	out.Input = outline.RawJSON(schema)
	if l.Output {
		output, err := parseSchema(d.Output)
		if err != nil {
			return nil, fmt.Errorf("the output schema of %s cannot be used: %w", d.Name, err)
		}
		if len(d.Output) > 0 {
			output = repairSchema(l, output, "/output")
		}
		out.Output, out.wrapped = wrapOutput(d.Output, output)
	} else {
		out.Output, out.Title = nil, ""
	}
	if d.Example != nil {
		if out.Example, err = out.Encode(d.Example); err != nil {
			out.Example = nil // the example is invalid
		}
	}
	for _, x := range l.Losses {
		out.Losses = append(out.Losses, Loss{d.Name, x.Pointer, Severity(x.Severity), x.Message})
	}
	return out, nil
}

// newLowering returns a lowering for a target.
func newLowering(target Target) (*outline.Lowering, error) {
	l := outline.NewLowering(string(target))
	if l == nil {
		return nil, newUnknownTarget(string(target))
	}
	return l, nil
}

// repairSchema returns a schema in draft 2020-12 without keywords that cannot be checked. Only MCP keeps
// $schema.
func repairSchema(l *outline.Lowering, s *jsontext.Node, at string) *jsontext.Node {
	repaired, losses := dialect.Repair(s)
	for _, loss := range losses {
		switch loss.Kind {
		case dialect.Dropped:
			l.AddLoss(outline.Dropped, at+loss.Pointer, "%s", loss.Message)
		case dialect.Worded:
			l.AddLoss(outline.Worded, at+loss.Pointer, "%s", loss.Message)
		}
	}
	if !l.Output {
		repaired = removeDialect(repaired, "")
	}
	return repaired
}

// removeDialect returns a schema without $schema, including its subschemas.
func removeDialect(s *jsontext.Node, at string) *jsontext.Node {
	if !s.Is(jsontext.Object) {
		return s
	}
	out := jsonschema.MapSubschemas(s, at, removeDialect)
	out.Span = s.Span // limits the growth of references
	out.Items = slices.DeleteFunc(out.Items, func(m *jsontext.Node) bool { return m.Name() == "$schema" })
	return out
}

// parseSchema parses a schema. An empty text is the schema of an object without members.
func parseSchema(text json.RawMessage) (*jsontext.Node, error) {
	if len(text) == 0 {
		text = json.RawMessage(noArguments)
	}
	s, err := outline.Parse(text)
	if err == nil && !s.Is(jsontext.Object) {
		err = fmt.Errorf("it is %s, not a JSON object", cmp.Or(s.Text, "an array"))
	}
	return s, err
}

// Raise converts arguments that a model wrote for the lowered schema to the form that the tool accepts: lists
// of keys and values become maps again, nulls that stand for absent arguments are removed, and names are
// restored. Values in another form than the lowered schema stay unchanged; the tool reports them. If both
// forms are equal, Raise does nothing. It returns an error if the arguments are not JSON or nested too
// deeply. Empty arguments become {}.
//
// Raise takes time linear in the length of the arguments.
func (l *Lowered) Raise(arguments json.RawMessage) (json.RawMessage, error) {
	return l.convertArguments(arguments, (*outline.Form).Raise)
}

// Encode is the inverse of Raise: it converts arguments that the tool accepts to the form that a model would
// write for the lowered schema, for example for calls in a dialogue.
func (l *Lowered) Encode(arguments json.RawMessage) (json.RawMessage, error) {
	return l.convertArguments(arguments, (*outline.Form).Encode)
}

// Raises reports whether the model writes anything in another form, so that Raise and Encode are necessary.
func (l *Lowered) Raises() bool { return l.form != nil }

func (l *Lowered) convertArguments(arguments json.RawMessage, f func(*outline.Form, *jsontext.Node) *jsontext.Node) (json.RawMessage, error) {
	switch {
	case len(arguments) == 0:
		return json.RawMessage("{}"), nil
	case l.form == nil:
		return arguments, nil
	}
	v, err := outline.Parse(arguments)
	if err != nil {
		return nil, fmt.Errorf("the arguments of %s cannot be read: %w", l.Name, err)
	}
	return outline.RawJSON(f(l.form, v)), nil
}

// Result returns the result of a call in the form of the lowered output schema. For MCP, a result that may
// not be an object becomes the member result of an object.
func (l *Lowered) Result(output json.RawMessage) json.RawMessage {
	if !l.wrapped {
		return output
	}
	return fmt.Appendf(nil, `{%q:%s}`, resultMember, output)
}

// Wraps reports whether Result puts the result into a member named result. The lowered output schema then has
// the mark x-fastmcp-wrap-result, by which clients of FastMCP and others recognize it.
func (l *Lowered) Wraps() bool { return l.wrapped }

const (
	resultMember = "result"
	wrapMark     = "x-fastmcp-wrap-result"
)

// wrapOutput returns an output schema whose root is an object, and whether the result had to become a member
// of it.
func wrapOutput(text json.RawMessage, s *jsontext.Node) (json.RawMessage, bool) {
	if len(text) == 0 {
		return nil, false
	}
	if s.Member("type").Str() == "object" {
		return outline.RawJSON(s), false
	}
	wrapped := outline.WithoutMembers(wrapValue(resultMember, s), "additionalProperties") // like other results, which allow further members
	outline.AddMember(wrapped, wrapMark, outline.True)
	return outline.RawJSON(wrapped), true
}

// LowerStrict converts a definition for a strict target, such as [OpenAIStrict], if that loses nothing in
// comparison with the plain target of the same provider: it must not have more losses of [Quoted] or worse.
// Otherwise it converts the definition for the plain target. The error is that of [Lower] for the plain target.
func LowerStrict(strict, plain Target, d tool.Definition) (*Lowered, error) {
	lowered, err := Lower(plain, d)
	if err != nil {
		return nil, err
	}
	enforced, err := Lower(strict, d)
	if err != nil || enforced.countLosses() > lowered.countLosses() {
		return lowered, nil
	}
	return enforced, nil
}

// countLosses counts the parts of a schema that the provider does not enforce or the model does not know.
func (l *Lowered) countLosses() (n int) {
	for _, loss := range l.Losses {
		if loss.Severity >= Quoted {
			n++
		}
	}
	return n
}
