package shape

import (
	"errors"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/jsonfield"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// byReference reports whether values of a type, or what they point to, have no
// form in JSON, so that a model can only refer to them.
func (r *reading) byReference(t types.Type) bool { return r.refersOnly(t, r.knownReferences()) }

// knownReferences reports, for each type examined so far, whether its values can only be
// passed by reference.
func (r *reading) knownReferences() map[types.Type]bool {
	in := direction{r.output, r.nested}
	if r.references[in] == nil {
		r.references[in] = map[types.Type]bool{}
	}
	return r.references[in]
}

// refersOnly is byReference with what is known of the types on the way: of one that
// is under way, that it may have a form.
func (r *reading) refersOnly(t types.Type, known map[types.Type]bool) bool {
	switch t := t.(type) { // most parts are one of these
	case *types.Basic:
		return t.Kind() == types.UnsafePointer
	case *types.Slice, *types.Array, *types.Map:
		return false
	}
	if only, ok := known[t]; ok {
		return only
	}
	if _, ok := t.(*types.Named); ok {
		_, _ = r.write.Type(t) // which takes the type arguments of an instance from the budget
	}
	if isInvalid(t) || !r.write.Measure(t) || !r.write.Budget.Step(1) {
		return false // reading the type reports it
	}
	known[t] = false
	_, own := r.ownForm(t)
	known[t] = isOpaque(t) || !r.output && losesJSON(t) || !own && (r.isHandle(t) || r.isFormless(t, known))
	return known[t]
}

// isInvalid reports whether a type does not type-check. An instance may have been made
// before its generic type was found to be invalid.
func isInvalid(t types.Type) bool {
	if named, ok := t.(*types.Named); ok {
		t = named.Origin()
	}
	return t.Underlying() == types.Typ[types.Invalid]
}

// losesJSON reports whether a struct reads JSON into a copy of itself, so that nothing
// comes of it: its UnmarshalJSON is one of the value, as that of docker's filters.Args.
func losesJSON(t types.Type) bool {
	if _, ok := t.Underlying().(*types.Struct); !ok {
		return false
	}
	own, way, _ := types.LookupFieldOrMethod(t, false, nil, unmarshalJSON.name)
	_, isMethod := own.(*types.Func)
	return isMethod && len(way) == 1
}

func (r *reading) isFormless(t types.Type, known map[types.Type]bool) bool {
	switch u := t.Underlying().(type) {
	case *types.Chan, *types.Signature:
		return true
	case *types.Interface:
		return !u.Empty()
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Struct:
		fields, _ := r.fieldsOf(t, known)
		return u.NumFields() > 0 && !slices.ContainsFunc(fields, func(f jsonfield.Field) bool {
			return r.isDemanded(f) || !r.refersOnly(types.Unalias(f.Var().Type()), known)
		})
	case *types.Pointer:
		return !onlyPointers(t) && r.refersOnly(types.Unalias(u.Elem()), known)
	}
	return false
}

// fieldsOf are the fields of a struct, and those of one name, of which encoding/json
// sees none. In arguments the embedded structs that hold these are objects of their
// own, so that a model can give them. What is known is so of the types on the way.
func (r *reading) fieldsOf(t types.Type, known map[types.Type]bool) ([]jsonfield.Field, []model.Clash) {
	if fields, ok := r.unclashing.At(t).([]jsonfield.Field); ok {
		return fields, nil
	}
	apart := map[*types.Var]bool{}
	closed := func(v *types.Var) bool {
		return apart[v] || isOpaque(types.Unalias(v.Type())) || r.fills(v.Type())
	}
	tells := func(f jsonfield.Field) bool { return !r.refersOnly(types.Unalias(f.Var().Type()), known) }
	clashing := func() ([]jsonfield.Field, [][]jsonfield.Field) {
		fields, clashes := jsonfield.Of(r.write.Budget, t, closed)
		if len(apart) == 0 && len(clashes) == 0 {
			r.unclashing.Set(t, fields)
		}
		return fields, slices.DeleteFunc(clashes, func(c []jsonfield.Field) bool { return !slices.ContainsFunc(c, tells) })
	}
	fields, found := clashing()
	left := found
	for grown := !r.output && !r.nested; grown; {
		grown = false
		for _, clash := range left {
			for _, v := range jsonfield.Parting(clash) {
				grown = grown || v.Exported() && !apart[v]
				apart[v] = v.Exported()
			}
		}
		if grown {
			fields, left = clashing()
		}
	}
	var clashes []model.Clash
	for _, fields := range found {
		c := model.Clash{Name: fields[0].Name, Apart: !slices.ContainsFunc(left, func(l []jsonfield.Field) bool { return l[0].Name == fields[0].Name })}
		for _, f := range fields {
			c.Ways = append(c.Ways, f.Way())
		}
		clashes = append(clashes, c)
	}
	return fields, clashes
}

// onlyPointers reports whether following pointers from t never ends.
func onlyPointers(t types.Type) bool {
	for seen := map[types.Type]bool{}; !seen[t]; {
		seen[t] = true
		p, ok := t.Underlying().(*types.Pointer)
		if !ok {
			return false
		}
		t = types.Unalias(p.Elem())
	}
	return true
}

// Unseen lists the fields that are left out of a type, by their paths: JSON names
// from its value downwards, through values of lists and maps. What is found in
// several places is listed once.
func Unseen(t *model.Type) (all []model.Unseen) {
	objects("", t, &model.Met{}, func(path string, t *model.Type) {
		for _, u := range t.Unseen {
			all = append(all, model.Unseen{Name: path + u.Name, Type: u.Type})
		}
	})
	return all
}

// Clashes lists the fields of one name in a type, in the same way.
func Clashes(t *model.Type) (all []model.Clash) {
	var met model.Met
	var visit func(path string, t *model.Type)
	visit = func(path string, t *model.Type) {
		for _, c := range t.Clashes {
			all = append(all, model.Clash{Name: path + c.Name, Ways: c.Ways, Apart: c.Apart})
		}
		for _, u := range t.Unseen { // which may be left out for that
			if u.Field != nil {
				objects(path+u.Name+".", u.Field.Type, &met, visit)
			}
		}
	}
	objects("", t, &met, visit)
	return all
}

// objects visits what has fields in a type, with the path that leads to each, once.
func objects(path string, t *model.Type, met *model.Met, visit func(path string, t *model.Type)) {
	isLeaf := t == nil || t.Elem == nil && len(t.Fields)+len(t.Unseen)+len(t.Clashes) == 0 // most are
	if isLeaf || t.Kind == model.Opaque || !met.First(t) {
		return
	}
	visit(path, t)
	objects(path, t.Elem, met, visit)
	for _, f := range t.Fields {
		objects(path+f.Name+".", f.Type, met, visit)
	}
}

func (r *reading) fillRef(m *model.Type, t types.Type) error {
	if r.nested {
		why := r.why
		if _, err := r.write.Type(t); err != nil {
			why = err // it is out of reach itself
		}
		return fmt.Errorf("%s is %s, which can only be referred to, and generated code cannot reach it: %w", r.write.Package.TypeName(t), formless(t), why)
	}
	m.Kind = model.Ref
	m.Description = "" // it says how the value is used in Go
	if r.isHandle(t) && !isOpaque(t) {
		r.handles[m] = handle{t.(*types.Pointer).Elem(), r.shapes, r.output}
	}
	m.Clashes = r.onlyClashes(t)
	return nil
}

// onlyClashes returns the clashing fields of a struct, or of a pointer to one, if all of its
// fields clash, so that none is left for JSON.
func (r *reading) onlyClashes(t types.Type) []model.Clash {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if _, ok := t.Underlying().(*types.Struct); !ok || isOpaque(t) {
		return nil
	}
	fields, clashes := r.fieldsOf(t, r.knownReferences())
	if len(fields) > 0 {
		return nil
	}
	return clashes
}

// A handle is what values are that have fields, but are passed by reference unless a
// note says which of the fields are meant.
type handle struct {
	elem   types.Type
	shapes *typeutil.Map
	output bool
}

// IsHandle reports whether values of a type are passed by reference unless a note says
// which of their fields are meant.
func (s *Shapes) IsHandle(t types.Type) bool {
	r := reading{Shapes: s}
	return r.isHandle(types.Unalias(t)) && !isOpaque(types.Unalias(t))
}

// formless says what a type is that has no form in JSON.
func formless(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Chan:
		return "a channel"
	case *types.Signature:
		return "a function"
	case *types.Interface:
		return "an interface"
	case *types.Basic:
		return "an address"
	case *types.Pointer:
		return "a pointer to " + strings.TrimPrefix(formless(types.Unalias(u.Elem())), "a pointer to ")
	}
	return "a struct that JSON does not see into"
}

// isUnseen reports whether a field of a struct is left out for what its type is.
// Where somebody asked for it in a struct that he can change, it is not.
func (r *reading) isUnseen(f jsonfield.Field, field *model.Field, err error) bool {
	if r.nested || r.isDemanded(f) {
		return false
	}
	if err != nil {
		_, within := err.(*fieldError)
		return !within && !errors.Is(err, ErrInvalid)
	}
	return !field.Type.HasPart()
}

// isDemanded reports whether a field is one of the own module with a json tag.
func (r *reading) isDemanded(f jsonfield.Field) bool {
	_, tagged := f.Tag.Lookup("json")
	return tagged && r.write.Owns(f.Var().Pkg().Path())
}

// A fieldError is what is wrong within a field that is not left out.
type fieldError struct {
	field string
	err   error
}

// Error has the path to the innermost field.
func (e *fieldError) Error() string {
	path, err := e.field, e.err
	for {
		if out, ok := err.(*outOfReachError); ok {
			err = out.err
		}
		inner, ok := err.(*fieldError)
		if !ok {
			return "field " + path + ": " + err.Error()
		}
		path, err = path+"."+inner.field, inner.err
	}
}

func (e *fieldError) Unwrap() error { return e.err }

// An outOfReachError is what is wrong within a type that generated code cannot name,
// so that encoding/json is no way to it either.
type outOfReachError struct{ err error }

func (e *outOfReachError) Error() string { return e.err.Error() }

func (e *outOfReachError) Unwrap() error { return e.err }

// opaque are the types whose fields are secrets, or hold some, by full name.
var opaque = map[string]bool{
	"net/http.Request":  true,
	"net/http.Response": true,
	"net/http.Client":   true,
	"net/http.Cookie":   true,
	"net/url.Userinfo":  true,
	"os/exec.Cmd":       true,
	"database/sql.DB":   true,

	"crypto/dsa.PrivateKey":     true,
	"crypto/ecdh.PrivateKey":    true,
	"crypto/ecdsa.PrivateKey":   true,
	"crypto/ed25519.PrivateKey": true,
	"crypto/rsa.PrivateKey":     true,

	"golang.org/x/oauth2.Token":                    true,
	"golang.org/x/oauth2.Config":                   true,
	"github.com/aws/aws-sdk-go-v2/aws.Credentials": true,
}

// isHeader reports whether a type is that of headers of HTTP, some of which are secrets.
func isHeader(t types.Type) bool {
	named, ok := t.(*types.Named)
	return ok && named.Obj().Name() == "Header" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "net/http"
}

// isOpaque reports whether a type, or what it points to, is never told by its
// fields.
func isOpaque(t types.Type) bool {
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	if path := named.Obj().Pkg().Path(); path == "crypto/tls" || path == "crypto/x509" {
		_, isStruct := named.Underlying().(*types.Struct)
		return isStruct
	}
	_, known := goname.Known(opaque, named.Obj())
	return known
}

// isHandle reports whether a type stands for something that is more than its
// fields, as csv.Reader does: a pointer to a struct of another module with methods
// and fields of its own that are not exported, which is not meant as JSON.
func (r *reading) isHandle(t types.Type) bool {
	p, ok := t.(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || r.write.Owns(named.Obj().Pkg().Path()) {
		return false
	}
	s, ok := named.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	if _, own := r.ownForm(named); own {
		return false
	}
	if isMeantAsJSON(s) {
		return false
	}
	hidden := false
	for f := range s.Fields() {
		hidden = hidden || !f.Exported() && !f.Embedded()
	}
	methods := types.NewMethodSet(t)
	for i := range methods.Len() {
		if hidden && methods.At(i).Obj().Exported() {
			return true
		}
	}
	return false
}
