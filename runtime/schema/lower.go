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

// Severity is the severity of a loss.
type Severity int

// The severities, in ascending order.
const (
	Rewritten Severity = iota // nothing is lost: the model writes the value in another form, and [Lowered.Raise] converts it back
	Worded                    // the description states the property, but the provider does not enforce it
	Quoted                    // the model writes the value as JSON text in a string, which the provider does not check; Raise converts it back
	Dropped                   // the model does not see the property; the tool still enforces it
	Refused                   // the target refuses the definition
)

// String returns the severity as a word: rewritten, worded, quoted, dropped or refused.
func (s Severity) String() string {
	return [...]string{"rewritten", "worded", "quoted", "dropped", "refused"}[s]
}

// MarshalText returns the same word as String.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Loss is one property of a definition that its lowered form lacks or expresses differently.
type Loss struct {
	Tool     string   `json:"tool,omitempty"` // original name of the tool; empty if the loss concerns the request as a whole
	Pointer  string   `json:"pointer"`        // JSON Pointer into the definition, such as /input/properties/city or /name
	Severity Severity `json:"severity"`
	Message  string   `json:"message"` // such as "minimum 3 is only stated in the description"
}

// String returns the loss as one line.
func (l Loss) String() string {
	return fmt.Sprintf("%s%s: %s (%s)", l.Tool, l.Pointer, l.Message, l.Severity)
}

// Definition is the definition of a tool. With this alias, programs that only lower or check definitions, such
// as the compiler, need not import package tool.
type Definition = tool.Definition

// Lowered is a definition in the form that a target accepts: its name, its schemas, and an example that
// matches them. Do not modify it. It is safe for concurrent use.
type Lowered struct {
	tool.Definition
	Target Target
	Losses []Loss // in the order of the definition

	form    *outline.Form // how the model writes arguments; nil if as in the original schema
	wrapped bool          // results become a member of an object; see Wraps
}

// Lower converts a definition to the form that a target accepts. [Lowered.Losses] lists the changes. Output
// schemas and titles are removed for all targets except MCP.
//
// For every target, Lower translates schemas of older drafts to draft 2020-12, and removes unusable keywords,
// such as a pattern that package regexp cannot compile.
//
// Lower returns an error if the target is unknown or a schema is unusable: not a JSON object, or nested too
// deeply.
func Lower(target Target, d tool.Definition) (*Lowered, error) {
	l, err := newLowering(target, d.Name)
	if err != nil {
		return nil, err
	}
	out := &Lowered{Definition: d, Target: target}
	out.Name = l.fitName()
	out.Description = l.cutDescription(d.Description)
	input, err := parseSchema(d.Input)
	if err != nil {
		return nil, fmt.Errorf("the input schema of %s cannot be used: %w", d.Name, err)
	}
	input = repairSchema(l, input, inputPointer)
	var schema *jsontext.Node
	if l.Dialect != nil {
		schema, out.form = rewriteSchema(l, input)
	} else {
		schema, out.form = passThroughSchema(l, input)
	}
	if l.PlainRefs {
		schema = renameDefinitions(schema)
	}
	var size outline.Size
	size.AddSchema(schema)
	for _, excess := range size.DescribeExcess(l.SchemaLimits) {
		l.addLoss(Refused, inputPointer, "%s", excess)
	}
	if description := schema.Member("description"); l.Mute && description != nil {
		out.Description = outline.AppendSentences(d.Description, []string{description.Str()}).Str()
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
			out.Example = nil // the example is not valid JSON
		}
	}
	out.Losses = l.losses
	return out, nil
}

// repairSchema translates a schema to draft 2020-12 and removes keywords that cannot be checked. It removes
// $schema for all targets except MCP.
func repairSchema(l *lowering, s *jsontext.Node, at string) *jsontext.Node {
	repaired, losses := dialect.Repair(s)
	for _, loss := range losses {
		switch loss.Kind {
		case dialect.Dropped:
			l.addLoss(Dropped, at+loss.Pointer, "%s", loss.Message)
		case dialect.Worded:
			l.addLoss(Worded, at+loss.Pointer, "%s", loss.Message)
		}
	}
	if !l.Output {
		repaired = removeDialect(repaired, "")
	}
	return repaired
}

// removeDialect returns a schema without the keyword $schema in it and in its subschemas.
func removeDialect(s *jsontext.Node, at string) *jsontext.Node {
	if !s.Is(jsontext.Object) {
		return s
	}
	out := jsonschema.MapSubschemas(s, at, removeDialect)
	out.Span = s.Span // its length limits how much references may expand
	out.Items = slices.DeleteFunc(out.Items, func(m *jsontext.Node) bool { return m.Name() == "$schema" })
	return out
}

// parseSchema parses a schema. An empty text is the schema of arguments without members.
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

// Raise converts arguments that a model wrote for the lowered schema to the form that the tool accepts. For
// example, it turns lists of keys and values back into maps, removes a null that means an absent argument, and
// restores the original names. It does not change values that do not follow the lowered schema, so that the
// tool reports them. Empty arguments become {}. Raise returns an error if it must convert arguments that are not
// JSON or nested too deeply; see [Lowered.Raises].
//
// Raise takes time linear in the length of the arguments.
func (l *Lowered) Raise(arguments json.RawMessage) (json.RawMessage, error) {
	return l.convertArguments(arguments, (*outline.Form).Raise)
}

// Encode is the inverse of Raise: it converts arguments that the tool accepts to the form in which a model
// writes them for the lowered schema. Use it for earlier calls in a dialogue.
func (l *Lowered) Encode(arguments json.RawMessage) (json.RawMessage, error) {
	return l.convertArguments(arguments, (*outline.Form).Encode)
}

// Raises reports whether the model writes some arguments in another form, so that Raise and Encode change them.
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

// Result converts the result of a call to the form of the lowered output schema. For MCP, whose results must be
// objects, a tool with another output schema has results of the form {"result": …}.
func (l *Lowered) Result(output json.RawMessage) json.RawMessage {
	if !l.wrapped {
		return output
	}
	return fmt.Appendf(nil, `{%q:%s}`, resultMember, output)
}

// Wraps reports whether Result puts the result into a member named result. The lowered output schema then
// contains "x-fastmcp-wrap-result": true, by which clients such as FastMCP recognize this.
func (l *Lowered) Wraps() bool { return l.wrapped }

const (
	resultMember = "result"
	wrapMark     = "x-fastmcp-wrap-result"
)

// wrapOutput returns an output schema whose root describes an object, and reports whether it had to wrap the
// result in one.
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

// LowerStrict lowers a definition for strict, such as [OpenAIStrict], if that loses no more than lowering it for
// plain, the target without strict mode of the same provider. Otherwise, it lowers the definition for plain. Only
// losses with the severity [Quoted] or higher count. LowerStrict returns an error if lowering for plain fails.
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

// countLosses returns the number of losses with the severity Quoted or higher.
func (l *Lowered) countLosses() (n int) {
	for _, loss := range l.Losses {
		if loss.Severity >= Quoted {
			n++
		}
	}
	return n
}
