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

// Origin is a text that something other than this package repairs, such as a model. The
// repaired value may contain only what the text contains:
//
//   - A value that is valid at its place must stay there. Only values of members whose names the schema does not
//     declare may move.
//   - A leaf is a value without members or elements. The names of members are leaves, too, if the schema does not
//     declare them, as in maps. Every leaf must come from a leaf of the text. It must be equal to that leaf, be
//     its only possible conversion to the type that the schema requires, or be an enum value that differs from it
//     by one letter. If the text is prose, each leaf must be in it as whole words.
//   - A leaf may be used at most as often as it occurs in the text.
//   - The only leaves that need not come from the text are the defaults that the schema states for their places.
//   - The last leaf of a text that was cut off does not count, because it may be incomplete.
type Origin struct {
	Text      string
	Truncated bool            // the text was cut off, even if it looks complete
	Schema    json.RawMessage // the schema of the repaired value; may be nil

	Refused []string                  // JSON Pointers of values that are wrong although the schema allows them
	Free    func(pointer string) bool // reports whether any value is allowed at a JSON Pointer; may be nil
	Stands  func(text string) bool    // reports whether a string is a placeholder for a value of any type, such as a reference; may be nil
}

// Check returns an [*Error] if a value breaks these rules. The error lists the leaves of the value that do not
// come from the text, and the values of the text that the value must contain but does not. It does not check the
// value against the schema.
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
	const maxInMessage, maxFaults = 16, 64
	return &Error{
		code:    reader.Invented,
		Message: "the repair differs from the original: " + strings.Join(texts[:min(maxInMessage, len(texts))], "; "),
		Faults:  faults[:min(maxFaults, len(faults))],
	}
}

// Missing lists the values that the schema requires and that a text does not contain.
type Missing struct {
	Absent  []string        // JSON Pointers of required values that are absent or null
	Nowhere []string        // JSON Pointers of values that a repair would have to invent, because the text contains nothing for them
	Rest    json.RawMessage // the value without its invalid parts; nil for prose
}

// Missing returns the required values that the text does not contain. If the text is prose, the result is empty,
// because prose may contain everything.
func (o Origin) Missing() Missing {
	rule, bad := o.modelRepair()
	if bad != nil {
		return Missing{}
	}
	absent, nowhere, rest := rule.Missing()
	m := Missing{Absent: absent, Nowhere: nowhere}
	if rest != nil {
		m.Rest = rest.Append(nil)
	}
	return m
}

func (o Origin) modelRepair() (*fit.ModelRepair, *reader.Failure) {
	s, bad := reader.ParseSchema(o.Schema)
	if bad != nil {
		return nil, bad
	}
	text, n, cut := o.readText(s)
	switch {
	case n != nil && cut:
		n = dropLastLeaf(n)
	case n == nil && cut:
		text = strings.TrimRightFunc(text, func(c rune) bool { return !unicode.IsSpace(c) })
	}
	return &fit.ModelRepair{Text: text, Value: n, Schema: s, Refused: o.Refused, Free: o.Free, Stands: o.Stands}, nil
}

// readText returns the object or list in the text. If there is none, n is nil, and text is prose: the text
// itself, or the string or number in it. cut states that the text was cut off inside its last leaf.
func (o Origin) readText(s *jsonschema.Schema) (text string, n *jsontext.Node, cut bool) {
	nothing := func() (string, *jsontext.Node, bool) {
		if s != nil && reader.WantsKind(s, jsontext.Object) {
			return o.Text, &jsontext.Node{Kind: jsontext.Object}, false
		}
		return o.Text, nil, false
	}
	text, cut = o.Text, o.Truncated
	for range 3 { // the value may be in a string, and that in another string
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

// endsInLeaf reports whether text, which was cut off, may end inside the last leaf of n, the value in it.
func endsInLeaf(text string, n *jsontext.Node) bool {
	for len(n.Items) > 0 {
		n = n.Items[len(n.Items)-1]
	}
	text = strings.TrimRight(text, scan.Blanks)
	switch text[len(text)-1] {
	case ',', ']', '}':
		return false
	case ':':
		return n.Kind == jsontext.Null // null was inserted for the missing value
	case '"', '\'':
		empty := n.Kind == jsontext.String && n.Str() == ""
		return empty && !strings.HasSuffix(text, `""`) && !strings.HasSuffix(text, `''`)
	}
	return true
}

// dropLastLeaf returns a value without its last leaf. It also drops containers that become empty, except the
// root.
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
