package schema

import (
	"slices"
	"strings"
)

// shape is what can be told of the values of a schema at a glance: enough to tell
// the branches of a union apart, without a look at what is within.
type shape struct {
	kinds    string // those of node.kind, but for null
	null     bool
	closed   bool                // there are no members but these:
	members  map[string]*node    // an enumeration, or nil where a member is none
	required map[string]struct{} // members that are always there
}

const allKinds = `{["0t`

var kindOfType = map[string]string{
	"object": "{", "array": "[", "string": `"`, "number": "0", "integer": "0", "boolean": "t", "null": "n",
}

// maxShapes bounds the schemas that one run looks at. Unions of references hold
// what they refer to as often as there are ways to it, which has no other bound.
const maxShapes = 50_000

// shapeOf returns the shape of a schema. Its references lead to root.
func (l *lowering) shapeOf(s, root *node, depth int) shape {
	l.shapes++
	if !s.is('{') || depth == 0 || l.shapes > maxShapes {
		return shape{kinds: allKinds, null: true}
	}
	if ref := s.get("$ref"); ref != nil {
		return l.shapeOf(resolve(root, ref.str()), root, depth-1)
	}
	var x shape
	for _, union := range []string{"anyOf", "oneOf"} {
		for _, b := range s.get(union).elements() {
			if l.shapes > maxShapes {
				return shape{kinds: allKinds, null: true}
			}
			y := l.shapeOf(b, root, depth-1)
			x.kinds += y.kinds
			x.null = x.null || y.null
		}
	}
	for _, t := range typesOf(s) {
		x.kinds += kindOfType[t]
	}
	x.null = x.null || strings.Contains(x.kinds, "n") || s.get("nullable") != nil
	x.kinds = strings.ReplaceAll(x.kinds, "n", "")
	if x.kinds == "" && !x.null {
		return shape{kinds: allKinds, null: true}
	}
	x.members, x.required = map[string]*node{}, map[string]struct{}{}
	properties := s.get("properties")
	for i, p := range properties.elements() {
		x.members[properties.name(i)] = enumOf(p)
	}
	for _, name := range s.get("required").list() {
		x.required[name] = struct{}{}
	}
	x.closed = s.get("additionalProperties") == nil && properties != nil || s.get("additionalProperties").isWord("false")
	return x
}

// isObject reports whether the values of a schema are objects, as far as it says.
func (l *lowering) isObject(s, root *node) bool {
	kinds := l.shapeOf(s, root, maxChain).kinds
	return kinds == allKinds || areObjects(kinds)
}

// fits reports whether the value may be of the shape.
func (x shape) fits(v *node) bool {
	if v.is('n') {
		return x.null
	}
	if strings.IndexByte(x.kinds, v.kind()) < 0 {
		return false
	}
	if !v.is('{') {
		return true
	}
	there := 0
	for i, member := range v.values {
		enum, known := x.members[v.name(i)]
		if !known && x.closed || enum != nil && !slices.ContainsFunc(enum.values, member.equal) {
			return false
		}
		if _, required := x.required[v.name(i)]; required {
			there++
		}
	}
	return there >= len(x.required)
}

// apart reports whether no value fits both shapes.
func (x shape) apart(y shape) bool {
	if x.null && y.null {
		return false
	}
	common := ""
	for _, kind := range x.kinds {
		if strings.ContainsRune(y.kinds, kind) {
			common += string(kind)
		}
	}
	return common == "" || areObjects(common) && (x.excludes(y) || y.excludes(x))
}

// areObjects reports whether objects are the only one of some kinds.
func areObjects(kinds string) bool { return kinds != "" && strings.Trim(kinds, "{") == "" }

// excludes reports whether objects of the shape y lack something that those of x
// have: a member, or the value of one.
func (x shape) excludes(y shape) bool {
	for name := range x.required {
		enum, known := y.members[name]
		if !known && y.closed {
			return true
		}
		if mine := x.members[name]; mine != nil && enum != nil && !slices.ContainsFunc(mine.values, func(v *node) bool {
			return slices.ContainsFunc(enum.values, v.equal)
		}) {
			return true
		}
	}
	return false
}
