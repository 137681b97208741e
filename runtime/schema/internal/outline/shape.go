package outline

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// Shape describes the values of a schema from the outside: enough to distinguish the branches of a
// union without examining nested values.
type Shape struct {
	Kinds    string // the possible results of firstByte, except null
	Null     bool
	Closed   bool                      // there are no members other than Members
	Members  map[string]*jsontext.Node // the listed values of each member; nil if its schema lists none
	Required map[string]struct{}       // members that are always present
	AnyCase  bool                      // values of enumerations may be written in another case
}

const allKinds = `{["0t`

// KindOfType maps each type of JSON Schema to the result of firstByte for its values.
var KindOfType = map[string]string{
	"object": "{", "array": "[", "string": `"`, "number": "0", "integer": "0", "boolean": "t", "null": "n",
}

// maxShapes limits the schemas that one document examines. A union of references examines a
// referenced schema once for each path to it, and the number of paths has no other limit.
const maxShapes = 50_000

// AnyShape is the shape of any value.
var AnyShape = Shape{Kinds: allKinds, Null: true}

// ShapeOf returns the shape of a schema in the document.
func (d *Document) ShapeOf(s *jsontext.Node) Shape {
	var target func(ref string, depth int) Shape
	target = func(ref string, depth int) Shape { return d.ShapeIn(d.Resolve(ref), target, depth) }
	return d.ShapeIn(s, target, MaxChain)
}

// ShapeIn returns the shape of a schema. It calls target for the shapes of the schemas that
// references refer to, and follows at most depth levels.
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
		if _, known := x.Members[name]; !known {
			x.Members[name] = nil
		}
		x.Required[name] = struct{}{}
	}
	x.Closed = !IsOpen(s) && (properties != nil || s.Member("additionalProperties") != nil)
}

// listedValues returns the values that a schema lists, including null if the schema is nullable as
// in OpenAPI; nil if it lists none.
func listedValues(s *jsontext.Node) *jsontext.Node {
	listed := EnumOf(s)
	if listed != nil && IsWord(s.Member("nullable"), "true") {
		return NewArray(slices.Concat(listed.Items, []*jsontext.Node{Null})...)
	}
	return listed
}

// IsObject reports whether the values of a schema are objects, or may be of any kind.
func (d *Document) IsObject(s *jsontext.Node) bool {
	kinds := d.ShapeOf(s).Kinds
	return kinds == allKinds || areObjects(kinds)
}

// FitsValue reports whether a value can have the shape.
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
		enum, known := x.Members[member.Name()]
		if !known && x.Closed || enum != nil && !x.listsValue(enum, member) {
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
	return slices.ContainsFunc(enum.Items, func(one *jsontext.Node) bool {
		return jsontext.Equal(one, v) || x.AnyCase && one.Is(jsontext.String) && v.Is(jsontext.String) && strings.EqualFold(one.Str(), v.Str())
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

// areObjects reports whether objects are the only kind.
func areObjects(kinds string) bool { return kinds != "" && strings.Trim(kinds, "{") == "" }

// excludesObjects reports whether x requires a member that objects of the shape y cannot have, or for
// which x and y list different values.
func (x Shape) excludesObjects(y Shape) bool {
	for name := range x.Required {
		enum, known := y.Members[name]
		if !known && y.Closed {
			return true
		}
		if mine := x.Members[name]; mine != nil && enum != nil && !slices.ContainsFunc(mine.Items, func(v *jsontext.Node) bool {
			return x.listsValue(enum, v)
		}) {
			return true
		}
	}
	return false
}
