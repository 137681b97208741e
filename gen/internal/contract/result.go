package contract

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema/compare"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// compareResults compares the JSON that callers received before with the JSON that they receive now. It reports
// a change between a result that is sent unchanged and one that is sent as the member "result" of an object.
func (r *report) compareResults(before, now Tool) {
	a, wasMember := unwrapResult(before.Output)
	b, isMember := unwrapResult(now.Output)
	if known := len(before.Output) > 0 && len(now.Output) > 0; known && wasMember != isMember {
		natural := &a
		if wasMember {
			natural = &b
		}
		member, alone := resultMember(*natural, true)
		if !alone {
			r.reportWrapping(now, isMember)
			return
		}
		*natural = member
	}
	for _, f := range compare.Texts(a, b) {
		r.reportResult(now, f)
	}
}

// reportWrapping reports that the result has become the member "result" of an object, or is
// no longer wrapped.
func (r *report) reportWrapping(now Tool, isMember bool) {
	text := `the result was sent as {"result": …}, and is now sent as the object itself`
	if isMember {
		text = `the result was sent as the object itself, and is now sent as {"result": …}`
	}
	r.Errorf("breaking-result", now.ResultPlace, "%s: %s", now.Name, text).
		WithHelp("callers expect the old form; only a result that is always an object is sent as the object itself")
}

// unwrapResult returns the schema of a result, and whether the result is sent as the member "result" of an
// object. The Model Context Protocol requires that object for results that are not objects themselves. The
// parameter output is the schema of that object, or of the result alone.
func unwrapResult(output json.RawMessage) (schema json.RawMessage, asMember bool) {
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

// resultMember returns the schema of the member "result" of an object, and whether the object can have no
// other members. For this, the schema must have "additionalProperties": false. This keyword may be absent if
// open is true, or if the schema has the keyword x-fastmcp-wrap-result.
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
	result = rebaseRefs(result)
	if definitions := root.Member("$defs"); definitions != nil {
		result.Add(rebaseRefs(definitions))
	}
	return result.Append(nil), true
}

// rebaseRefs returns a part of a schema in which references into the member "result" refer to the root:
// "#/properties/result/items" becomes "#/items".
func rebaseRefs(part *jsontext.Node) *jsontext.Node {
	out := *part
	if rest, inside := strings.CutPrefix(part.Str(), "#/properties/result"); inside && part.Name() == "$ref" {
		out.Text = jsontext.Quote("#" + rest)
	}
	out.Items = nil
	for _, item := range part.Items {
		out.Add(rebaseRefs(item))
	}
	return &out
}

// reportResult reports a difference between results. A new member is compatible unless the old schema
// allowed no other members. A removed member is breaking.
func (r *report) reportResult(now Tool, f compare.Difference) {
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
		r.noteCompatible(now.ResultPlace, "%s: %s: %s", now.Name, subject, f.Text)
		return
	}
	d := r.Errorf("breaking-result", now.ResultPlace, "%s: %s: %s", now.Name, subject, f.Text)
	switch f.Kind {
	case compare.MemberGone, compare.MemberOptional:
		d.WithHelp("callers that read it may find nothing")
	case compare.MemberNew, compare.MemberNewRequired:
		d.WithHelp("callers that validate results against the old schema reject them, because that schema allows no other members")
	case compare.Values:
		d.WithHelp("callers that rely on the list of values do not expect a new one")
	case compare.Uncompared:
		d.WithHelp("check by hand whether it is still what callers expect")
	default:
		d.WithHelp("callers get values that the old schema excludes")
	}
}
