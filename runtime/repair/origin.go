package repair

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/fit"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// Origin is a text that something other than this package repairs, such as a model that was asked to. The
// repaired value may contain only what the text contains:
//
//   - A value that is valid at its place stays there. Only values under keys that the
//     schema does not know may move.
//   - Every leaf, including empty lists and objects, comes from the text: it is equal,
//     or its only reading by the schema, or a corrected enum value. Each leaf is used at
//     most as often as it occurs in the text. In prose, leaves are whole words. Names
//     that are data, as in maps, are leaves too.
//   - Any other leaf is the default of its place.
//   - The last leaf of a text that was cut off does not count, because it may continue.
type Origin struct {
	Text      string
	Truncated bool            // the text was cut off, even if it looks complete
	Schema    json.RawMessage // of the repaired value; may be nil

	Refused []string                  // JSON Pointers of values that are wrong although the schema allows them
	Free    func(pointer string) bool // reports places where any value is allowed; may be nil
	Stands  func(text string) bool    // reports strings that stand for values of any type, such as references; may be nil
}

// Check returns an [*Error] with everything in a value that does not come from the text, and everything in
// the text that the value lacks. It does not check the value against the schema.
func (o Origin) Check(value json.RawMessage) error {
	rule, bad := o.modelRepair()
	if bad != nil {
		return newError(bad, o.Text)
	}
	n, err := jsontext.Parse(string(value), jsontext.MaxDepth)
	if err != nil {
		return &Error{code: reader.Unreadable, Message: err.Error()}
	}
	faults := rule.Check(n, string(value))
	if len(faults) == 0 {
		return nil
	}
	texts := make([]string, len(faults))
	for i, f := range faults {
		texts[i] = f.String()
	}
	const told, most = 16, 64 // faults in the message, and in all
	return &Error{
		code:    reader.Invented,
		Message: "what comes back says something else than the original: " + strings.Join(texts[:min(told, len(texts))], "; "),
		Faults:  faults[:min(most, len(faults))],
	}
}

// Missing lists what the schema requires and a text lacks, as JSON Pointers.
type Missing struct {
	Absent  []string        // absent, or null
	Nowhere []string        // nothing in the text can be this value: a repair would have to invent it
	Rest    json.RawMessage // the valid part; nil for prose
}

// Missing returns what the text lacks. Prose may contain everything, so it lacks nothing.
func (o Origin) Missing() Missing {
	rule, bad := o.modelRepair()
	if bad != nil {
		return Missing{}
	}
	found := rule.Missing()
	m := Missing{Absent: found.Absent, Nowhere: found.Nowhere}
	if found.Rest != nil {
		m.Rest = found.Rest.Append(nil)
	}
	return m
}

func (o Origin) modelRepair() (*fit.ModelRepair, *reader.Failure) {
	s, bad := reader.ParseSchema(o.Schema)
	if bad != nil {
		return nil, bad
	}
	rule := &fit.ModelRepair{Text: o.Text, Schema: s, Refused: o.Refused, Free: o.Free}
	if o.Stands != nil {
		rule.Stands = func(n *jsontext.Node) bool { return n.Kind == jsontext.String && o.Stands(n.Str()) }
	}
	text, n, cut := o.readText(s)
	switch {
	case n != nil && cut:
		n = dropLastLeaf(n)
	case n == nil && cut:
		text = strings.TrimRightFunc(text, func(c rune) bool { return !unicode.IsSpace(c) })
	}
	rule.Text, rule.Value = text, n
	return rule, nil
}

// readText returns the object or list in the text. If there is none, n is nil, and text is prose: the text
// itself, or the string or number in it. cut reports whether the text was cut off in its last leaf.
func (o Origin) readText(s *jsonschema.Schema) (text string, n *jsontext.Node, cut bool) {
	nothing := func() (string, *jsontext.Node, bool) {
		if s != nil && reader.WantsKind(s, jsontext.Object) {
			return o.Text, &jsontext.Node{Kind: jsontext.Object}, false
		}
		return o.Text, nil, false
	}
	text, cut = o.Text, o.Truncated
	for range 3 { // in strings in each other
		if strings.Trim(text, scan.Blanks) == "" {
			return nothing()
		}
		result, err := JSON(text, o.Schema)
		if err != nil {
			return text, nil, cut
		}
		if n, err = jsontext.Parse(string(result.Value), jsontext.MaxDepth); err != nil {
			return text, nil, cut
		}
		cut = cut || result.Truncated && endsInLeaf(text, n)
		switch n.Kind {
		case jsontext.Array, jsontext.Object:
			return text, n, cut
		case jsontext.Null:
			return nothing()
		case jsontext.String:
			text = n.Str()
		default:
			return n.Text, nil, cut
		}
	}
	return text, nil, cut
}

// endsInLeaf reports whether a text that was cut off may end inside the last leaf of the value that was read.
func endsInLeaf(text string, n *jsontext.Node) bool {
	for len(n.Items) > 0 {
		n = n.Items[len(n.Items)-1]
	}
	text = strings.TrimRight(text, scan.Blanks)
	switch text[len(text)-1] {
	case ',', ']', '}':
		return false
	case ':':
		return n.Kind == jsontext.Null // stands for the missing value
	case '"', '\'':
		empty := n.Kind == jsontext.String && n.Str() == ""
		return empty && !strings.HasSuffix(text, `""`) && !strings.HasSuffix(text, `''`)
	}
	return true
}

// dropLastLeaf returns a value without its last leaf and without the containers that this empties. The root
// stays, even if it is empty.
func dropLastLeaf(n *jsontext.Node) *jsontext.Node {
	copied := *n
	if len(n.Items) == 0 {
		return &copied
	}
	last := len(n.Items) - 1
	copied.Items = slices.Clone(n.Items[:last])
	if inner := dropLastLeaf(n.Items[last]); len(inner.Items) > 0 {
		copied.Items = append(copied.Items, inner)
	}
	return &copied
}
