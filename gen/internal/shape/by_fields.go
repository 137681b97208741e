package shape

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// An undescribedStruct is a struct with its own JSON methods. The form of its JSON is unknown, unless a note has the
// option fields, which says that the fields of the struct describe its JSON.
type undescribedStruct struct {
	t         types.Type
	reader    typeReader  // reads the struct as its fields describe it
	described *model.Type // set by DescribeByFields
}

// rememberUndescribed records the shape of an undescribedStruct, so that DescribeByFields can find it. Other types
// are ignored.
func (r *typeReader) rememberUndescribed(m *model.Type, t types.Type) {
	if _, ok := t.Underlying().(*types.Struct); !ok || !isUndescribed(m) {
		return
	}
	reader := typeReader{
		Shapes: r.Shapes, shapes: r.shapes, output: r.output, nested: r.nested, nestedErr: r.nestedErr, codec: r.codec, at: r.at, byFields: t,
	}
	r.undescribed[m] = &undescribedStruct{t: t, reader: reader}
}

// CanDescribeByFields reports whether DescribeByFields applies to a type.
func (s *Shapes) CanDescribeByFields(t *model.Type) bool {
	return s.whyNotByFields(t) == ""
}

// whyNotByFields returns why the fields of a type cannot describe its JSON, or "" if they can.
func (s *Shapes) whyNotByFields(t *model.Type) string {
	u, ok := s.undescribed[t]
	switch {
	case ok && hasEmbeddedMethod(u.t):
		return "its methods for JSON belong to an embedded struct, and ignore the other fields"
	case ok && !isMeantAsJSON(u.t.Underlying().(*types.Struct)):
		return "none of its fields has a json tag"
	case ok:
		return ""
	case t.Kind == model.StructKind:
		return "its fields describe it anyway"
	case t.Kind == model.Custom && t.Elem != nil:
		return "the form of its JSON is known"
	}
	return "it is not a struct with its own methods for JSON"
}

// DescribeByFields returns the shape that a struct with its own JSON methods has according to its fields and their
// json tags. If these cannot describe its JSON, DescribeByFields returns t, and problem says why. Errors in struct
// tags are returned in faults.
func (s *Shapes) DescribeByFields(t *model.Type) (described *model.Type, faults diag.List, problem string) {
	if why := s.whyNotByFields(t); why != "" {
		return t, nil, fmt.Sprintf("the option fields does not apply to the Go type %s: %s", t.Go, why)
	}
	u := s.undescribed[t]
	if u.described != nil {
		return u.described, nil, ""
	}
	r := u.reader
	m := *t
	m.Unread = ""
	if r.nested { // if the struct contains its own type, that part has the same shape
		r.shapes = &typeutil.Map{}
		r.shapes.Set(u.t, &m)
	}
	if err := r.fillDescribed(&m, u.t); err != nil {
		return t, r.faults, fmt.Sprintf("the fields of %s do not describe its JSON: %v", t.Go, err)
	}
	u.described = &m
	return &m, r.faults, ""
}
