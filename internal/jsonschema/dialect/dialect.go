// Package dialect translates JSON Schemas of drafts 3 to 2019-09 to draft 2020-12.
//
// Translate only translates. Repair also leaves out the keywords that cannot be used, so that
// a schema with mistakes can be used without them. Both treat a schema that does not declare its
// draft, or declares the wrong one, as if it used the keywords of all drafts.
package dialect

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// A Loss is a part of a schema that [Repair] left out, or that is not checked.
type Loss struct {
	Pointer string // JSON Pointer of the part in the original schema
	Message string
	Kind    Kind
}

// Kind is what became of a part.
type Kind int

const (
	Dropped   Kind = iota // it is left out
	Worded                // it is left out, and the description says it
	Unchecked             // it stays, but no value is checked against it
)

// String returns the loss as one line.
func (l Loss) String() string { return strings.TrimPrefix(l.Pointer+": ", ": ") + l.Message }

// mostLosses is how many losses are recorded; a schema with more is hardly one.
const mostLosses = 200

// Translate returns a schema in draft 2020-12. It does not modify root.
func Translate(root *jsontext.Node) *jsontext.Node {
	t := newTranslator(root)
	return t.document()
}

// Repair is like [Translate], and leaves out keywords with values that draft 2020-12 does not
// allow, unknown types, patterns that package regexp cannot compile and references that lead
// nowhere. The result allows every value that the original allows.
func Repair(root *jsontext.Node) (*jsontext.Node, []Loss) {
	t := newTranslator(root)
	t.repairs = true
	out := t.document()
	if t.weak { // references may lead to what allows more than it did
		t = newTranslator(root)
		t.repairs, t.weakRefs = true, true
		out = t.document()
	}
	const rounds = 4 // a reference may lead to what is left out with another
	for range rounds {
		broken := jsonschema.Unresolved(out)
		if len(broken) == 0 {
			break
		}
		losses := t.losses
		t = newTranslator(out)
		t.repairs, t.weakRefs, t.broken, t.losses = true, true, broken, losses
		out = t.document()
	}
	return out, t.losses
}

// translator translates one document.
type translator struct {
	root      *jsontext.Node
	draft     draft
	repairs   bool
	weakRefs  bool                    // references may lead to schemas that allow more than before
	weak      bool                    // something was left out
	program   int                     // how much longer patterns may be; see [jsonschema.MostProgram]
	broken    map[*jsontext.Node]bool // references that lead nowhere
	losses    []Loss
	resources map[string]*jsontext.Node                    // by $id as written
	members   map[*jsontext.Node]map[string]*jsontext.Node // of large objects
	moved     map[*jsontext.Node]string                    // schemas outside of schema keywords, by their names in $defs
	pending   []*jsontext.Node                             // those of them that are not translated yet
	taken     map[string]bool                              // names in $defs of the root
}

// draft is what a document declares.
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
		members: map[*jsontext.Node]map[string]*jsontext.Node{}, moved: map[*jsontext.Node]string{}, taken: map[string]bool{},
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

// collectResources finds the schemas that have an address.
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

// place is where a schema is in the original document.
type place struct {
	outer *place
	name  string
}

func (p *place) within(name string) *place { return &place{p, name} }

// pointer returns the JSON Pointer of the place, or of what is around it if that is long.
func (p *place) pointer() string {
	var names []string
	for ; p.outer != nil; p = p.outer {
		names = append(names, p.name)
	}
	slices.Reverse(names)
	const longest = 200 // of one name
	if i := slices.IndexFunc(names, func(name string) bool { return len(name) > longest }); i >= 0 {
		names = names[:i]
	}
	return jsontext.Within("", names...)
}

// record adds a loss.
func (t *translator) record(at *place, message string, kind Kind) {
	if loss := (Loss{at.pointer(), message, kind}); len(t.losses) < mostLosses && !slices.Contains(t.losses, loss) {
		t.losses = append(t.losses, loss)
	}
}

// document translates the whole.
func (t *translator) document() *jsontext.Node {
	out, _ := t.schema(t.root, t.root, &place{})
	if len(t.pending) == 0 || !out.Is(jsontext.Object) {
		return out
	}
	defs := &jsontext.Node{Kind: jsontext.Object, Key: `"$defs"`}
	out = with(out)
	if known := out.Member("$defs"); known.Is(jsontext.Object) {
		defs.Items = slices.Clone(known.Items)
		out.Items = slices.DeleteFunc(out.Items, func(m *jsontext.Node) bool { return m == known })
	}
	for len(t.pending) > 0 { // each may refer to others
		n := t.pending[0]
		t.pending = t.pending[1:]
		made, _ := t.schema(n, t.root, (&place{}).within("$defs").within(t.moved[n]))
		defs.Add(keyed(t.moved[n], made))
	}
	out.Add(defs)
	return out
}

// move returns the name in $defs of a schema that stands where no schema is expected.
func (t *translator) move(n *jsontext.Node, name string) string {
	if known, ok := t.moved[n]; ok {
		return known
	}
	name = freeName(cmp.Or(name, "schema"), func(name string) bool { return t.taken[name] })
	t.moved[n], t.taken[name] = name, true
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

// with returns a copy of an object or array, which may be changed.
func with(n *jsontext.Node) *jsontext.Node {
	c := *n
	c.Items = slices.Clone(n.Items)
	return &c
}

// keyed returns a value under another name.
func keyed(name string, n *jsontext.Node) *jsontext.Node {
	c := *n
	c.Key = jsontext.Quote(name)
	return &c
}

func object(items ...*jsontext.Node) *jsontext.Node {
	return &jsontext.Node{Kind: jsontext.Object, Items: items}
}

func array(items ...*jsontext.Node) *jsontext.Node {
	return &jsontext.Node{Kind: jsontext.Array, Items: items}
}

func textNode(s string) *jsontext.Node {
	return &jsontext.Node{Kind: jsontext.String, Text: jsontext.Quote(s)}
}

// lasting returns the members of an object, of several with one name the last.
func lasting(n *jsontext.Node) []*jsontext.Node {
	if !n.Is(jsontext.Object) || n.Repeated() == nil {
		return n.Items
	}
	last := map[string]*jsontext.Node{}
	for _, m := range n.Items {
		last[m.Name()] = m
	}
	return slices.DeleteFunc(slices.Clone(n.Items), func(m *jsontext.Node) bool { return last[m.Name()] != m })
}
