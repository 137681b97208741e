package dialect

import (
	"net/url"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// translateReference returns the reference that leads to the same schema in the translated document. base is the
// schema to which a reference without an address, such as #/$defs/a, is relative.
func (t *translator) translateReference(ref string, base *jsontext.Node) string {
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
	moved, target := t.followPointer(base, tokens)
	if target != nil && base == t.root {
		name := t.moveToDefs(target, decodeToken(tokens[len(tokens)-1]))
		return "#/$defs/" + encodeToken(name)
	}
	return address + "#/" + strings.Join(moved, "/")
}

// followPointer translates the tokens of a pointer. The original pointer is relative to the original schema n,
// and the returned tokens are relative to the translated one. If the pointer leads to an object that is not in a
// keyword for schemas, followPointer also returns that object.
func (t *translator) followPointer(n *jsontext.Node, tokens []string) (moved []string, outside *jsontext.Node) {
	const inSchema = jsonschema.OneSubschema
	moved = slices.Clone(tokens)
	state := inSchema
	for i, token := range tokens {
		name := decodeToken(token)
		parent := n
		if n = t.lookup.Child(n, name); n == nil {
			return moved, nil
		}
		switch state {
		case inSchema:
			state = jsonschema.SubschemaShapeOf(name)
			if name == "definitions" && i+1 < len(tokens) {
				moved[i], moved[i+1] = "$defs", t.renamedDefinition(parent, tokens[i+1])
			} else if newName := renamedKeyword(parent, name); newName != name {
				moved[i] = newName
			}
			if n.Is(jsontext.Array) && state == jsonschema.OneSubschema {
				state = jsonschema.SubschemaList
			}
		case jsonschema.SubschemaMap, jsonschema.SubschemaList:
			state = inSchema
		}
	}
	if state != inSchema && n.Is(jsontext.Object) {
		return moved, n
	}
	return moved, nil
}

// renamedKeyword returns the name in draft 2020-12 of a keyword that contains schemas.
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

// renamedDefinition returns the new name in $defs of a schema in definitions. The name changes only if $defs
// already has another schema with the same name.
func (t *translator) renamedDefinition(s *jsontext.Node, token string) string {
	name := decodeToken(token)
	defs, definitions := t.lookup.Child(s, "$defs"), t.lookup.Child(s, "definitions")
	taken := func(name string) bool { return t.lookup.Child(defs, name) != nil }
	if !taken(name) || jsontext.Equal(t.lookup.Child(defs, name), t.lookup.Child(definitions, name)) {
		return token
	}
	return encodeToken(freeName(name, func(name string) bool { return taken(name) || t.lookup.Child(definitions, name) != nil }))
}

// decodeToken decodes a token of a pointer in a fragment to a name: "a~1b%20" becomes "a/b ".
func decodeToken(token string) string {
	if plain, err := url.PathUnescape(token); err == nil {
		token = plain
	}
	return jsontext.Name(token)
}

// encodeToken encodes a name as a token of a pointer in a fragment.
func encodeToken(name string) string { return url.PathEscape(jsontext.Token(name)) }
