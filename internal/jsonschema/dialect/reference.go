package dialect

import (
	"net/url"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema/parts"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// reference returns a reference to the same schema in the translated document. The base is the
// schema that a fragment is relative to.
func (t *translator) reference(ref string, base *jsontext.Node) string {
	address, fragment, hasFragment := strings.Cut(ref, "#")
	if address != "" {
		target := t.resources[address]
		if target == nil {
			return ref
		}
		base = target
		if base == t.root {
			address = ""
		}
	}
	if !strings.HasPrefix(fragment, "/") {
		if address != "" && !hasFragment {
			return address
		}
		return address + "#" + fragment
	}
	tokens := strings.Split(fragment[1:], "/")
	moved, target := t.follow(base, tokens)
	if target != nil && base == t.root {
		name := t.move(target, decoded(tokens[len(tokens)-1]))
		return "#/$defs/" + encoded(name)
	}
	return address + "#/" + strings.Join(moved, "/")
}

// follow returns the tokens of a pointer into the translated schema. If the pointer leads to an
// object that is not in a keyword for schemas, it returns that object.
func (t *translator) follow(n *jsontext.Node, tokens []string) (moved []string, outside *jsontext.Node) {
	const inSchema = parts.One
	moved = slices.Clone(tokens)
	state := inSchema
	for i, token := range tokens {
		name := decoded(token)
		parent := n
		if n = t.child(n, name); n == nil {
			return moved, nil
		}
		switch state {
		case inSchema:
			state = parts.ShapeOf(name)
			if name == "definitions" && i+1 < len(tokens) {
				moved[i], moved[i+1] = "$defs", t.renamedDefinition(parent, tokens[i+1])
			} else if to := renamedKeyword(parent, name); to != name {
				moved[i] = to
			}
			if n.Is(jsontext.Array) && state == parts.One {
				state = parts.List
			}
		case parts.Named, parts.List:
			state = inSchema
		}
	}
	if state != inSchema && n.Is(jsontext.Object) {
		return moved, n
	}
	return moved, nil
}

// renamedKeyword returns the keyword for the schemas that are in a keyword of an older draft.
func renamedKeyword(s *jsontext.Node, name string) string {
	switch {
	case name == "items" && s.Member("items").Is(jsontext.Array) && s.Member("prefixItems") == nil:
		return "prefixItems"
	case name == "additionalItems" && s.Member("items").Is(jsontext.Array):
		return "items"
	case name == "dependencies":
		return "dependentSchemas"
	}
	return name
}

// renamedDefinition returns the name in $defs of what is in definitions, which differs if both
// have another schema of that name.
func (t *translator) renamedDefinition(s *jsontext.Node, token string) string {
	name := decoded(token)
	defs, definitions := t.child(s, "$defs"), t.child(s, "definitions")
	taken := func(name string) bool { return t.child(defs, name) != nil }
	if !taken(name) || jsontext.Equal(t.child(defs, name), t.child(definitions, name)) {
		return token
	}
	return encoded(freeName(name, func(name string) bool { return taken(name) || t.child(definitions, name) != nil }))
}

// child returns a member or an element.
func (t *translator) child(n *jsontext.Node, name string) *jsontext.Node {
	const few = 16
	if n.Is(jsontext.Array) {
		if i, ok := jsontext.Index(name); ok && i < len(n.Items) {
			return n.Items[i]
		}
		return nil
	}
	if !n.Is(jsontext.Object) || len(n.Items) <= few {
		return n.Member(name)
	}
	all := t.members[n]
	if all == nil {
		all = map[string]*jsontext.Node{}
		for _, m := range n.Items {
			all[m.Name()] = m
		}
		t.members[n] = all
	}
	return all[name]
}

// decoded returns the name that a token of a pointer in a fragment stands for.
func decoded(token string) string {
	if plain, err := url.PathUnescape(token); err == nil {
		token = plain
	}
	return jsontext.Name(token)
}

// encoded returns a name as a token of a pointer in a fragment.
func encoded(name string) string {
	escaped := url.PathEscape(jsontext.Token(name))
	return strings.NewReplacer("%24", "$", "%3A", ":", "%40", "@", "%2B", "+").Replace(escaped)
}
