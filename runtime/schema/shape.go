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
	anyCase  bool                // values of enumerations may come in another case
}

const allKinds = `{["0t`

var kindOfType = map[string]string{
	"object": "{", "array": "[", "string": `"`, "number": "0", "integer": "0", "boolean": "t", "null": "n",
}

// maxShapes bounds the schemas that one run looks at. Unions of references hold
// what they refer to as often as there are ways to it, which has no other bound.
const maxShapes = 50_000

// anyShape is that of all values.
var anyShape = shape{kinds: allKinds, null: true}

// shapeOf returns the shape of a neutral schema, whose references lead to root.
func (l *lowering) shapeOf(s, root *node) shape {
	var target func(ref string, depth int) shape
	target = func(ref string, depth int) shape { return l.shapeIn(resolve(root, ref), target, depth) }
	return l.shapeIn(s, target, maxChain)
}

// shapeIn returns the shape of a schema whose references lead to others.
func (l *lowering) shapeIn(s *node, target func(ref string, depth int) shape, depth int) shape {
	l.shapes++
	if !s.is('{') || depth == 0 || l.shapes > maxShapes {
		return anyShape
	}
	if ref := s.get("$ref"); ref != nil {
		return target(ref.str(), depth-1)
	}
	var x shape
	for _, union := range []string{"anyOf", "oneOf"} {
		for _, b := range s.get(union).elements() {
			if l.shapes > maxShapes {
				return anyShape
			}
			y := l.shapeIn(b, target, depth-1)
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
		return anyShape
	}
	x.members, x.required = map[string]*node{}, map[string]struct{}{}
	properties := s.get("properties")
	for i, p := range properties.elements() {
		x.members[properties.name(i)] = valuesOf(p)
	}
	for _, name := range s.get("required").list() {
		if _, known := x.members[name]; !known {
			x.members[name] = nil
		}
		x.required[name] = struct{}{}
	}
	x.closed = !isOpen(s) && (properties != nil || s.has("additionalProperties"))
	return x
}

// valuesOf returns the values that a schema lists, also where null is one of them
// in the way of OpenAPI; nil if it lists none.
func valuesOf(s *node) *node {
	listed := enumOf(s)
	if listed != nil && s.get("nullable").isWord("true") {
		return array(slices.Concat(listed.values, []*node{nullNode})...)
	}
	return listed
}

// isObject reports whether the values of a schema are objects, as far as it says.
func (l *lowering) isObject(s, root *node) bool {
	kinds := l.shapeOf(s, root).kinds
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
		if !known && x.closed || enum != nil && !x.lists(enum, member) {
			return false
		}
		if _, required := x.required[v.name(i)]; required {
			there++
		}
	}
	return there >= len(x.required)
}

// lists reports whether a value is one of an enumeration.
func (x shape) lists(enum, v *node) bool {
	return slices.ContainsFunc(enum.values, func(one *node) bool {
		return one.equal(v) || x.anyCase && one.is('"') && v.is('"') && strings.EqualFold(one.str(), v.str())
	})
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
			return x.lists(enum, v)
		}) {
			return true
		}
	}
	return false
}
