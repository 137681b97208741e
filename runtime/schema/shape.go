package schema

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// shape is what can be told of the values of a schema at a glance: enough to tell
// the branches of a union apart, without a look at what is within.
type shape struct {
	kinds    string // those of node.kind, but for null
	null     bool
	closed   bool                      // there are no members but these:
	members  map[string]*jsontext.Node // an enumeration, or nil where a member is none
	required map[string]struct{}       // members that are always there
	anyCase  bool                      // values of enumerations may come in another case
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
func (l *lowering) shapeOf(s, root *jsontext.Node) shape {
	var target func(ref string, depth int) shape
	target = func(ref string, depth int) shape { return l.shapeIn(resolve(root, ref), target, depth) }
	return l.shapeIn(s, target, maxChain)
}

// shapeIn returns the shape of a schema whose references lead to others.
func (l *lowering) shapeIn(s *jsontext.Node, target func(ref string, depth int) shape, depth int) shape {
	l.shapes++
	if !s.Is(jsontext.Object) || depth == 0 || l.shapes > maxShapes {
		return anyShape
	}
	if ref := s.Member("$ref"); ref != nil {
		return target(ref.Str(), depth-1)
	}
	var x shape
	for _, union := range []string{"anyOf", "oneOf"} {
		for _, b := range itemsOf(s.Member(union)) {
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
	x.null = x.null || strings.Contains(x.kinds, "n") || s.Member("nullable") != nil
	x.kinds = strings.ReplaceAll(x.kinds, "n", "")
	if x.kinds == "" && !x.null {
		return anyShape
	}
	x.members, x.required = map[string]*jsontext.Node{}, map[string]struct{}{}
	properties := s.Member("properties")
	for _, p := range itemsOf(properties) {
		x.members[p.Name()] = valuesOf(p)
	}
	for _, name := range stringsIn(s.Member("required")) {
		if _, known := x.members[name]; !known {
			x.members[name] = nil
		}
		x.required[name] = struct{}{}
	}
	x.closed = !isOpen(s) && (properties != nil || s.Member("additionalProperties") != nil)
	return x
}

// valuesOf returns the values that a schema lists, also where null is one of them
// in the way of OpenAPI; nil if it lists none.
func valuesOf(s *jsontext.Node) *jsontext.Node {
	listed := enumOf(s)
	if listed != nil && isWord(s.Member("nullable"), "true") {
		return array(slices.Concat(listed.Items, []*jsontext.Node{nullNode})...)
	}
	return listed
}

// isObject reports whether the values of a schema are objects, as far as it says.
func (l *lowering) isObject(s, root *jsontext.Node) bool {
	kinds := l.shapeOf(s, root).kinds
	return kinds == allKinds || areObjects(kinds)
}

// fits reports whether the value may be of the shape.
func (x shape) fits(v *jsontext.Node) bool {
	if v.Is(jsontext.Null) {
		return x.null
	}
	if strings.IndexByte(x.kinds, kindOf(v)) < 0 {
		return false
	}
	if !v.Is(jsontext.Object) {
		return true
	}
	there := 0
	for _, member := range v.Items {
		enum, known := x.members[member.Name()]
		if !known && x.closed || enum != nil && !x.lists(enum, member) {
			return false
		}
		if _, required := x.required[member.Name()]; required {
			there++
		}
	}
	return there >= len(x.required)
}

// lists reports whether a value is one of an enumeration.
func (x shape) lists(enum, v *jsontext.Node) bool {
	return slices.ContainsFunc(enum.Items, func(one *jsontext.Node) bool {
		return jsontext.Equal(one, v) || x.anyCase && one.Is(jsontext.String) && v.Is(jsontext.String) && strings.EqualFold(one.Str(), v.Str())
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
		if mine := x.members[name]; mine != nil && enum != nil && !slices.ContainsFunc(mine.Items, func(v *jsontext.Node) bool {
			return x.lists(enum, v)
		}) {
			return true
		}
	}
	return false
}
