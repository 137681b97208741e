// Package dialect translates JSON Schemas of drafts 3 to 2019-09 to draft 2020-12.
//
// Translate only translates. Repair also removes the keywords that cannot be used, so that
// the rest of an invalid schema is usable. Both accept the keywords of all drafts, because
// schemas often declare no draft or the wrong one.
package dialect

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// A Loss is a part of a schema that [Repair] removed, or that values are not checked against.
type Loss struct {
	Pointer string // JSON Pointer of the part in the original schema
	Message string
	Kind    Kind
}

// Kind is what happened to a part.
type Kind int

// The kinds of losses.
const (
	Dropped   Kind = iota // the part was removed
	Worded                // the part was removed, and a sentence about it was added to the description
	Unchecked             // the part is still in the schema, but values are not checked against it
)

// String returns the loss as one line.
func (l Loss) String() string { return strings.TrimPrefix(l.Pointer+": ", ": ") + l.Message }

// maxLosses is the maximum number of losses that are recorded.
const maxLosses = 200

// Translate returns a schema in draft 2020-12. It does not modify root.
func Translate(root *jsontext.Node) *jsontext.Node {
	t := newTranslator(root)
	return t.translateDocument()
}

// Repair is like [Translate], but also removes parts that cannot be used: keywords whose values draft 2020-12
// does not allow, unknown types, patterns that package regexp cannot compile, and references without a target.
// The result allows every value that the original allows.
func Repair(root *jsontext.Node) (*jsontext.Node, []Loss) {
	t := newTranslator(root)
	t.repairs = true
	out := t.translateDocument()
	if t.weak { // the targets of references may now allow more values
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
	weakRefs   bool                    // the targets of references may allow more values than in the original
	weak       bool                    // a part was removed, so that the new schema allows more values
	program    int                     // number of instructions that are left for further patterns; see [jsonschema.MostProgram]
	broken     map[*jsontext.Node]bool // references without a target
	losses     []Loss
	resources  map[string]*jsontext.Node // schemas by their $id, as written
	lookup     jsontext.Lookup
	movedNames map[*jsontext.Node]string // new names in $defs of schemas that moveToDefs moves
	pending    []*jsontext.Node          // the keys of movedNames that are not translated yet
	taken      map[string]bool           // names in $defs of the root
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
		movedNames: map[*jsontext.Node]string{}, taken: map[string]bool{},
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

// collectResources finds the schemas that have an $id.
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

// identifier returns the $id of a schema as it is written, or its id in draft 4.
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

// jsonPointer returns the JSON Pointer of the place. If it contains a long name, the pointer ends before that name.
func (p *place) jsonPointer() string {
	var names []string
	for ; p.outer != nil; p = p.outer {
		names = append(names, p.name)
	}
	slices.Reverse(names)
	const longest = 200 // bytes of one name
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
	if existing := out.Member("$defs"); existing.Is(jsontext.Object) {
		defs.Items = slices.Clone(existing.Items)
		out.Items = slices.DeleteFunc(out.Items, func(m *jsontext.Node) bool { return m == existing })
	}
	for len(t.pending) > 0 { // translateSchema may add schemas
		n := t.pending[0]
		t.pending = t.pending[1:]
		translated, _ := t.translateSchema(n, t.root, (&place{}).child("$defs").child(t.movedNames[n]))
		defs.Add(renameNode(t.movedNames[n], translated))
	}
	out.Add(defs)
	return out
}

// moveToDefs schedules a schema to be moved to $defs, and returns its name there. It is for a schema that a
// reference leads to although it is not in a keyword for schemas, but, for example, in an unknown keyword.
func (t *translator) moveToDefs(n *jsontext.Node, name string) string {
	if moved, ok := t.movedNames[n]; ok {
		return moved
	}
	name = freeName(cmp.Or(name, "schema"), func(name string) bool { return t.taken[name] })
	t.movedNames[n], t.taken[name] = name, true
	t.pending = append(t.pending, n)
	return name
}

// freeName returns name, with underscores appended until it is not taken.
func freeName(name string, taken func(string) bool) string {
	for taken(name) {
		name += "_"
	}
	return name
}

// cloneNode returns a copy of an object or array whose Items may be modified.
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
