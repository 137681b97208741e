package contract

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema/compare"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// results compares what the tools return, as it is sent.
func (r *report) results(before, now Tool) {
	a, wasMember := received(before.Output)
	b, isMember := received(now.Output)
	if known := len(before.Output) > 0 && len(now.Output) > 0; known && wasMember != isMember {
		natural := &a
		if wasMember {
			natural = &b
		}
		member, alone := resultMember(*natural, true)
		if !alone {
			r.resent(now, isMember)
			return
		}
		*natural = member
	}
	for _, f := range compare.Texts(a, b) {
		r.result(now, f)
	}
}

// resent tells that the result is a member of an object now, or no longer.
func (r *report) resent(now Tool, isMember bool) {
	text := `the result is sent as an object now, it was the member "result" of one`
	if isMember {
		text = `the result is sent as the member "result" of an object now, it was an object itself`
	}
	r.Errorf("breaking-result", now.Result, "%s: %s", now.Name, text).
		WithHelp("what may be null, or anything but an object, is sent as that member, and callers look for it there")
}

// received returns the schema of a result, and whether it is sent as the member
// "result" of an object, as the Model Context Protocol wants it of what may be
// anything else. The schema may be as it is sent, or without that object.
func received(output json.RawMessage) (schema json.RawMessage, asMember bool) {
	root, err := jsontext.Parse(string(output), jsontext.MaxDepth)
	if err != nil {
		return output, false
	}
	if root.Member("type").Str() != "object" {
		return output, true
	}
	if member, alone := resultMember(output, false); alone {
		return member, true
	}
	return output, false
}

// resultMember returns the schema of the member "result", if that is all that an
// object has: it says that there are no others, or that it is there for the result
// alone, or open, it need not say so.
func resultMember(output json.RawMessage, open bool) (schema json.RawMessage, alone bool) {
	root, err := jsontext.Parse(string(output), jsontext.MaxDepth)
	if err != nil {
		return output, false
	}
	result, required, others := root.Member("properties").Member("result"), root.Member("required"), root.Member("additionalProperties")
	open = open || root.Member("x-fastmcp-wrap-result") != nil
	alone = result.Is(jsontext.Object) && len(root.Member("properties").Items) == 1 && root.Member("type").Str() == "object" &&
		required != nil && required.String() == `["result"]` && (others == nil && open || others.Is(jsontext.Bool) && others.Text == "false")
	for _, word := range root.Items {
		alone = alone && slices.Contains([]string{"type", "properties", "required", "additionalProperties", "$defs", "x-fastmcp-wrap-result"}, word.Name())
	}
	if !alone {
		return output, false
	}
	result = moved(result)
	if definitions := root.Member("$defs"); definitions != nil {
		result.Add(moved(definitions))
	}
	return result.Append(nil), true
}

// moved returns a part of a schema whose references into the member "result" lead
// to the root.
func moved(part *jsontext.Node) *jsontext.Node {
	out := *part
	if rest, inside := strings.CutPrefix(part.Str(), "#/properties/result"); inside && part.Name() == "$ref" {
		out.Text = jsontext.Quote("#" + rest)
	}
	out.Items = nil
	for _, item := range part.Items {
		out.Add(moved(item))
	}
	return &out
}

// result judges a change of a result. A member that is new is none that a caller
// has to know, unless it was told that there are no others; one that is gone was
// there to be read.
func (r *report) result(now Tool, f compare.Difference) {
	subject := strings.TrimSpace("result " + f.At)
	breaks := f.Effect&compare.Widens != 0
	switch f.Kind {
	case compare.MemberNew, compare.MemberNewRequired:
		f.Text = "it is new"
	case compare.MembersOpen:
		breaks = false
	case compare.MemberRequired:
		f.Text = "it is always there now"
	case compare.MemberOptional:
		f.Text = "it may be missing now"
	case compare.MemberGone:
		breaks = true
	}
	if !breaks {
		r.harmless(now.Result, "%s: %s: %s", now.Name, subject, f.Text)
		return
	}
	d := r.Errorf("breaking-result", now.Result, "%s: %s: %s", now.Name, subject, f.Text)
	switch f.Kind {
	case compare.MemberGone, compare.MemberOptional:
		d.WithHelp("callers that read it may find nothing")
	case compare.MemberNew, compare.MemberNewRequired:
		d.WithHelp("callers that hold results to the schema that they know refuse it, which allows no other members")
	case compare.Values:
		d.WithHelp("callers that were told all values have no answer to another one")
	case compare.Uncompared:
		d.WithHelp("it takes a person to tell whether it is still what callers expect")
	default:
		d.WithHelp("callers get what they were told not to expect")
	}
}
