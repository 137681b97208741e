package outline

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// Shape summarizes the values of a schema, to distinguish the branches of a union: the kinds of
// values and, for objects, their members. It does not describe nested values.
type Shape struct {
	Kinds    string                    // the kinds of values other than null; see firstByte
	Null     bool                      // the value may be null
	Closed   bool                      // objects have no members other than Members
	Members  map[string]*jsontext.Node // the enumeration of each member; nil if its schema has none
	Required map[string]struct{}       // members that are always present
	AnyCase  bool                      // values of enumerations may be written in another case
}

const allKinds = `{["0t`

// KindOfType maps each type of JSON Schema to the result of firstByte for its values.
var KindOfType = map[string]string{
	"object": "{", "array": "[", "string": `"`, "number": "0", "integer": "0", "boolean": "t", "null": "n",
}

// maxShapes limits the number of shapes that are computed for one document. A referenced schema is
// examined once for each path to it, and there can be exponentially many paths.
const maxShapes = 50_000

// AnyShape is the shape of any value.
var AnyShape = Shape{Kinds: allKinds, Null: true}

// ShapeOf returns the shape of a schema in the document.
func (d *Document) ShapeOf(s *jsontext.Node) Shape {
	var target func(ref string, depth int) Shape
	target = func(ref string, depth int) Shape { return d.ShapeIn(d.Resolve(ref), target, depth) }
	return d.ShapeIn(s, target, MaxChain)
}

// ShapeIn returns the shape of a schema. It follows references and unions down to the given depth,
// and calls target for the shape of a referenced schema.
func (d *Document) ShapeIn(s *jsontext.Node, target func(ref string, depth int) Shape, depth int) Shape {
	d.shapeCount++
	if !s.Is(jsontext.Object) || depth == 0 || d.shapeCount > maxShapes {
		return AnyShape
	}
	if ref := s.Member("$ref"); ref != nil {
		return target(ref.Str(), depth-1)
	}
	var x Shape
	for _, union := range []string{"anyOf", "oneOf"} {
		for _, b := range ItemsOf(s.Member(union)) {
			if d.shapeCount > maxShapes {
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
	x.setMembers(s)
	return x
}

// setMembers sets the fields that describe the members of objects.
func (x *Shape) setMembers(s *jsontext.Node) {
	x.Members, x.Required = map[string]*jsontext.Node{}, map[string]struct{}{}
	properties := s.Member("properties")
	for _, p := range ItemsOf(properties) {
		x.Members[p.Name()] = listedValues(p)
	}
	for _, name := range StringsIn(s.Member("required")) {
		if _, ok := x.Members[name]; !ok {
			x.Members[name] = nil
		}
		x.Required[name] = struct{}{}
	}
	x.Closed = !IsOpen(s) && (properties != nil || s.Member("additionalProperties") != nil)
}

// listedValues returns the enumeration of a schema, or nil if it has none. If the schema has the
// keyword nullable of OpenAPI, the enumeration includes null.
func listedValues(s *jsontext.Node) *jsontext.Node {
	listed := EnumOf(s)
	if listed != nil && IsWord(s.Member("nullable"), "true") {
		return NewArray(slices.Concat(listed.Items, []*jsontext.Node{Null})...)
	}
	return listed
}

// IsObject reports whether a schema allows only objects, or states no type.
func (d *Document) IsObject(s *jsontext.Node) bool {
	kinds := d.ShapeOf(s).Kinds
	return kinds == allKinds || areObjects(kinds)
}

// FitsValue reports whether a value has the shape.
func (x Shape) FitsValue(v *jsontext.Node) bool {
	if v.Is(jsontext.Null) {
		return x.Null
	}
	if strings.IndexByte(x.Kinds, firstByte(v)) < 0 {
		return false
	}
	if !v.Is(jsontext.Object) {
		return true
	}
	present := 0
	for _, member := range v.Items {
		enum, listed := x.Members[member.Name()]
		if !listed && x.Closed || enum != nil && !x.listsValue(enum, member) {
			return false
		}
		if _, required := x.Required[member.Name()]; required {
			present++
		}
	}
	return present >= len(x.Required)
}

// listsValue reports whether a value is one of an enumeration.
func (x Shape) listsValue(enum, v *jsontext.Node) bool {
	return slices.ContainsFunc(enum.Items, func(listed *jsontext.Node) bool {
		return jsontext.Equal(listed, v) || x.AnyCase && listed.Is(jsontext.String) && v.Is(jsontext.String) && strings.EqualFold(listed.Str(), v.Str())
	})
}

// IsDisjoint reports whether no value fits both shapes.
func (x Shape) IsDisjoint(y Shape) bool {
	if x.Null && y.Null {
		return false
	}
	common := ""
	for _, kind := range x.Kinds {
		if strings.ContainsRune(y.Kinds, kind) {
			common += string(kind)
		}
	}
	return common == "" || areObjects(common) && (x.excludesObjects(y) || y.excludesObjects(x))
}

// areObjects reports whether kinds contains only objects.
func areObjects(kinds string) bool { return kinds != "" && strings.Trim(kinds, "{") == "" }

// excludesObjects reports whether no object has both shapes. That is so if x requires a member that y
// does not allow, or a member for which x and y list no common value.
func (x Shape) excludesObjects(y Shape) bool {
	for name := range x.Required {
		enum, listed := y.Members[name]
		if !listed && y.Closed {
			return true
		}
		if own := x.Members[name]; own != nil && enum != nil && !slices.ContainsFunc(own.Items, func(v *jsontext.Node) bool {
			return x.listsValue(enum, v)
		}) {
			return true
		}
	}
	return false
}
