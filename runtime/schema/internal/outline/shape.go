package outline

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/schema/internal/tree"
)

// Shape is what can be told of the values of a schema at a glance: enough to tell
// the branches of a union apart, without a look at what is within.
type Shape struct {
	Kinds    string // those of tree.First, but for null
	Null     bool
	Closed   bool                      // there are no members but these:
	Members  map[string]*jsontext.Node // an enumeration, or nil where a member is none
	Required map[string]struct{}       // members that are always there
	AnyCase  bool                      // values of enumerations may come in another case
}

const allKinds = `{["0t`

var KindOfType = map[string]string{
	"object": "{", "array": "[", "string": `"`, "number": "0", "integer": "0", "boolean": "t", "null": "n",
}

// maxShapes bounds the schemas that one run looks at. Unions of references hold
// what they refer to as often as there are ways to it, which has no other bound.
const maxShapes = 50_000

// AnyShape is that of all values.
var AnyShape = Shape{Kinds: allKinds, Null: true}

// ShapeOf returns the shape of a schema in the document.
func (d *Document) ShapeOf(s *jsontext.Node) Shape {
	var target func(ref string, depth int) Shape
	target = func(ref string, depth int) Shape { return d.ShapeIn(d.Resolve(ref), target, depth) }
	return d.ShapeIn(s, target, MaxChain)
}

// ShapeIn returns the shape of a schema whose references lead to others.
func (d *Document) ShapeIn(s *jsontext.Node, target func(ref string, depth int) Shape, depth int) Shape {
	d.looked++
	if !s.Is(jsontext.Object) || depth == 0 || d.looked > maxShapes {
		return AnyShape
	}
	if ref := s.Member("$ref"); ref != nil {
		return target(ref.Str(), depth-1)
	}
	var x Shape
	for _, union := range []string{"anyOf", "oneOf"} {
		for _, b := range tree.Items(s.Member(union)) {
			if d.looked > maxShapes {
				return AnyShape
			}
			y := d.ShapeIn(b, target, depth-1)
			x.Kinds += y.Kinds
			x.Null = x.Null || y.Null
		}
	}
	for _, t := range TypesOf(s) {
		x.Kinds += KindOfType[t]
	}
	x.Null = x.Null || strings.Contains(x.Kinds, "n") || s.Member("nullable") != nil
	x.Kinds = strings.ReplaceAll(x.Kinds, "n", "")
	if x.Kinds == "" && !x.Null {
		return AnyShape
	}
	x.Members, x.Required = map[string]*jsontext.Node{}, map[string]struct{}{}
	properties := s.Member("properties")
	for _, p := range tree.Items(properties) {
		x.Members[p.Name()] = valuesOf(p)
	}
	for _, name := range tree.StringsIn(s.Member("required")) {
		if _, known := x.Members[name]; !known {
			x.Members[name] = nil
		}
		x.Required[name] = struct{}{}
	}
	x.Closed = !IsOpen(s) && (properties != nil || s.Member("additionalProperties") != nil)
	return x
}

// valuesOf returns the values that a schema lists, also where null is one of them
// in the way of OpenAPI; nil if it lists none.
func valuesOf(s *jsontext.Node) *jsontext.Node {
	listed := EnumOf(s)
	if listed != nil && tree.Is(s.Member("nullable"), "true") {
		return tree.Array(slices.Concat(listed.Items, []*jsontext.Node{tree.Null})...)
	}
	return listed
}

// IsObject reports whether the values of a schema are objects, as far as it says.
func (d *Document) IsObject(s *jsontext.Node) bool {
	kinds := d.ShapeOf(s).Kinds
	return kinds == allKinds || areObjects(kinds)
}

// Fits reports whether the value may be of the shape.
func (x Shape) Fits(v *jsontext.Node) bool {
	if v.Is(jsontext.Null) {
		return x.Null
	}
	if strings.IndexByte(x.Kinds, tree.First(v)) < 0 {
		return false
	}
	if !v.Is(jsontext.Object) {
		return true
	}
	there := 0
	for _, member := range v.Items {
		enum, known := x.Members[member.Name()]
		if !known && x.Closed || enum != nil && !x.lists(enum, member) {
			return false
		}
		if _, required := x.Required[member.Name()]; required {
			there++
		}
	}
	return there >= len(x.Required)
}

// lists reports whether a value is one of an enumeration.
func (x Shape) lists(enum, v *jsontext.Node) bool {
	return slices.ContainsFunc(enum.Items, func(one *jsontext.Node) bool {
		return jsontext.Equal(one, v) || x.AnyCase && one.Is(jsontext.String) && v.Is(jsontext.String) && strings.EqualFold(one.Str(), v.Str())
	})
}

// Apart reports whether no value fits both shapes.
func (x Shape) Apart(y Shape) bool {
	if x.Null && y.Null {
		return false
	}
	common := ""
	for _, kind := range x.Kinds {
		if strings.ContainsRune(y.Kinds, kind) {
			common += string(kind)
		}
	}
	return common == "" || areObjects(common) && (x.excludes(y) || y.excludes(x))
}

// areObjects reports whether objects are the only one of some kinds.
func areObjects(kinds string) bool { return kinds != "" && strings.Trim(kinds, "{") == "" }

// excludes reports whether objects of the shape y lack something that those of x
// have: a member, or the value of one.
func (x Shape) excludes(y Shape) bool {
	for name := range x.Required {
		enum, known := y.Members[name]
		if !known && y.Closed {
			return true
		}
		if mine := x.Members[name]; mine != nil && enum != nil && !slices.ContainsFunc(mine.Items, func(v *jsontext.Node) bool {
			return x.lists(enum, v)
		}) {
			return true
		}
	}
	return false
}
