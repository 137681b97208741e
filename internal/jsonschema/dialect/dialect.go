// Package dialect translates JSON Schemas of drafts 3 to 2019-09 to draft 2020-12.
//
// Translate only translates. Repair also removes the keywords that cannot be used, so that
// the rest of a faulty schema is usable. If a schema declares no draft or the wrong one, both
// accept the keywords of all drafts.
package dialect

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// A Loss is a part of a schema that [Repair] removed, or that is not checked.
type Loss struct {
	Pointer string // JSON Pointer of the part in the original schema
	Message string
	Kind    Kind
}

// Kind is what happened to a part.
type Kind int

// The kinds of losses.
const (
	Dropped   Kind = iota // it was removed
	Worded                // it was removed and added to the description
	Unchecked             // it stays, but values are not checked against it
)

// String returns the loss as one line.
func (l Loss) String() string { return strings.TrimPrefix(l.Pointer+": ", ": ") + l.Message }

// maxLosses limits how many losses are recorded.
const maxLosses = 200

// Translate returns a schema in draft 2020-12. It does not modify root.
func Translate(root *jsontext.Node) *jsontext.Node {
	t := newTranslator(root)
	return t.translateDocument()
}

// Repair is like [Translate] but removes keywords whose values draft 2020-12 does not allow,
// unknown types, patterns that package regexp cannot compile, and references that lead
// nowhere. The result allows every value that the original allows.
func Repair(root *jsontext.Node) (*jsontext.Node, []Loss) {
	t := newTranslator(root)
	t.repairs = true
	out := t.translateDocument()
	if t.weak { // references may lead to schemas that now allow more
		t = newTranslator(root)
		t.repairs, t.weakRefs = true, true
		out = t.translateDocument()
	}
	const rounds = 4 // a removed part may be the target of a reference
	for range rounds {
		broken := jsonschema.Unresolved(out)
		if len(broken) == 0 {
			break
		}
		losses := t.losses
		t = newTranslator(out)
		t.repairs, t.weakRefs, t.broken, t.losses = true, true, broken, losses
		out = t.translateDocument()
	}
	return out, t.losses
}

// translator translates one document.
type translator struct {
	root       *jsontext.Node
	draft      draft
	repairs    bool
	weakRefs   bool                    // references may lead to schemas that allow more than before
	weak       bool                    // something was left out
	program    int                     // instructions left for patterns; see [jsonschema.MostProgram]
	broken     map[*jsontext.Node]bool // references that lead nowhere
	losses     []Loss
	resources  map[string]*jsontext.Node                    // by $id as written
	members    map[*jsontext.Node]map[string]*jsontext.Node // of large objects
	movedNames map[*jsontext.Node]string                    // schemas outside of schema keywords, by their names in $defs
	pending    []*jsontext.Node                             // those of them that are not translated yet
	taken      map[string]bool                              // names in $defs of the root
}

// draft is the draft that a document declares.
type draft int

const (
	undeclared draft = iota
	draft4           // or 3
	draft6           // or 7
	newer
)

func newTranslator(root *jsontext.Node) *translator {
	t := &translator{
		root: root, draft: draftOf(root.Member("$schema")), program: jsonschema.MostProgram, resources: map[string]*jsontext.Node{},
		members: map[*jsontext.Node]map[string]*jsontext.Node{}, movedNames: map[*jsontext.Node]string{}, taken: map[string]bool{},
	}
	for _, keyword := range []string{"$defs", "definitions"} {
		if m := root.Member(keyword); m.Is(jsontext.Object) {
			for _, d := range m.Items {
				t.taken[d.Name()] = true
			}
		}
	}
	t.collectResources(root)
	return t
}

// draftOf returns the draft that $schema declares.
func draftOf(m *jsontext.Node) draft {
	if !m.Is(jsontext.String) {
		return undeclared
	}
	_, address, _ := strings.Cut(strings.TrimRight(m.Str(), "#/"), "://")
	switch strings.ToLower(address) {
	case "json-schema.org/draft-03/schema", "json-schema.org/draft-04/schema":
		return draft4
	case "json-schema.org/draft-06/schema", "json-schema.org/draft-07/schema":
		return draft6
	case "json-schema.org/draft/2019-09/schema", "json-schema.org/draft/2020-12/schema":
		return newer
	}
	return undeclared
}

// collectResources finds the schemas with an address.
func (t *translator) collectResources(n *jsontext.Node) {
	if n == nil {
		return
	}
	if id := t.identifier(n); id != "" {
		if address, _, _ := strings.Cut(id, "#"); address != "" && t.resources[address] == nil {
			t.resources[address] = n
		}
	}
	for _, item := range n.Items {
		if item.Kind >= jsontext.Array {
			t.collectResources(item)
		}
	}
}

// identifier returns the address of a schema as it is written.
func (t *translator) identifier(n *jsontext.Node) string {
	id := n.Member("$id")
	if t.draft == draft4 && id == nil {
		id = n.Member("id")
	}
	if !id.Is(jsontext.String) {
		return ""
	}
	return id.Str()
}

// place is the location of a schema in the original document.
type place struct {
	outer *place
	name  string
}

func (p *place) child(name string) *place { return &place{p, name} }

// jsonPointer returns the JSON Pointer of the place, or of an outer place if a name is long.
func (p *place) jsonPointer() string {
	var names []string
	for ; p.outer != nil; p = p.outer {
		names = append(names, p.name)
	}
	slices.Reverse(names)
	const longest = 200 // of one name
	if i := slices.IndexFunc(names, func(name string) bool { return len(name) > longest }); i >= 0 {
		names = names[:i]
	}
	return jsontext.JoinNames("", names...)
}

// recordLoss adds a loss.
func (t *translator) recordLoss(at *place, message string, kind Kind) {
	if loss := (Loss{at.jsonPointer(), message, kind}); len(t.losses) < maxLosses && !slices.Contains(t.losses, loss) {
		t.losses = append(t.losses, loss)
	}
}

// translateDocument translates the whole document.
func (t *translator) translateDocument() *jsontext.Node {
	out, _ := t.translateSchema(t.root, t.root, &place{})
	if len(t.pending) == 0 || !out.Is(jsontext.Object) {
		return out
	}
	defs := &jsontext.Node{Kind: jsontext.Object, Key: `"$defs"`}
	out = cloneNode(out)
	if known := out.Member("$defs"); known.Is(jsontext.Object) {
		defs.Items = slices.Clone(known.Items)
		out.Items = slices.DeleteFunc(out.Items, func(m *jsontext.Node) bool { return m == known })
	}
	for len(t.pending) > 0 { // each may refer to others
		n := t.pending[0]
		t.pending = t.pending[1:]
		made, _ := t.translateSchema(n, t.root, (&place{}).child("$defs").child(t.movedNames[n]))
		defs.Add(renameNode(t.movedNames[n], made))
	}
	out.Add(defs)
	return out
}

// moveToDefs returns the name in $defs for a schema in a place where no schema is expected.
func (t *translator) moveToDefs(n *jsontext.Node, name string) string {
	if known, ok := t.movedNames[n]; ok {
		return known
	}
	name = freeName(cmp.Or(name, "schema"), func(name string) bool { return t.taken[name] })
	t.movedNames[n], t.taken[name] = name, true
	t.pending = append(t.pending, n)
	return name
}

// freeName returns a name that is not taken.
func freeName(name string, taken func(string) bool) string {
	for taken(name) {
		name += "_"
	}
	return name
}

// cloneNode returns a copy of an object or array that may be modified.
func cloneNode(n *jsontext.Node) *jsontext.Node {
	c := *n
	c.Items = slices.Clone(n.Items)
	return &c
}

// renameNode returns a copy of a value under another name.
func renameNode(name string, n *jsontext.Node) *jsontext.Node {
	c := *n
	c.Key = jsontext.Quote(name)
	return &c
}

func newObject(items ...*jsontext.Node) *jsontext.Node {
	return &jsontext.Node{Kind: jsontext.Object, Items: items}
}

func newArray(items ...*jsontext.Node) *jsontext.Node {
	return &jsontext.Node{Kind: jsontext.Array, Items: items}
}

func textNode(s string) *jsontext.Node {
	return &jsontext.Node{Kind: jsontext.String, Text: jsontext.Quote(s)}
}

// lastMembers returns the members of an object. Of members with the same name, it returns the
// last.
func lastMembers(n *jsontext.Node) []*jsontext.Node {
	if !n.Is(jsontext.Object) || n.FirstRepeated() == nil {
		return n.Items
	}
	last := map[string]*jsontext.Node{}
	for _, m := range n.Items {
		last[m.Name()] = m
	}
	return slices.DeleteFunc(slices.Clone(n.Items), func(m *jsontext.Node) bool { return last[m.Name()] != m })
}
