package shape

import (
	"errors"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/source"
)

// isByReference reports whether values of a type have no form in JSON, so that a model can only refer to them. While
// a type is being examined, it counts as having a form in JSON.
func (r *typeReader) isByReference(t types.Type) bool {
	switch t := t.(type) { // most parts are one of these
	case *types.Basic:
		return t.Kind() == types.UnsafePointer
	case *types.Slice, *types.Array, *types.Map:
		return false
	}
	in := direction{r.output, r.nested}
	byReference := r.references[in]
	if byReference == nil {
		byReference = map[types.Type]bool{}
		r.references[in] = byReference
	}
	if only, ok := byReference[t]; ok {
		return only
	}
	if _, ok := t.(*types.Named); ok {
		_, _ = r.write.GoType(t) // charges type arguments to the budget
	}
	if isInvalid(t) || !r.write.chargeSize(t) || !r.write.Budget.UseSteps(1) {
		return false // reading the type reports the error
	}
	byReference[t] = false
	_, own := r.ownForm(t)
	byReference[t] = r.isOpaque(t) || !r.output && r.losesJSON(t) || !own && !r.isErrorText(t) && (r.isHandle(t) || r.isFormless(t))
	return byReference[t]
}

// isInvalid reports whether a type does not type-check. For an instance, it checks the generic type, because
// the instance may have been created before that type was found to be invalid.
func isInvalid(t types.Type) bool {
	if named, ok := t.(*types.Named); ok {
		t = named.Origin()
	}
	return t.Underlying() == types.Typ[types.Invalid]
}

// losesJSON reports whether a struct reads JSON into a copy of itself and so loses it: its UnmarshalJSON has
// a value receiver, as in filters.Args of Docker.
func (r *typeReader) losesJSON(t types.Type) bool {
	if r.isRepresented(t) {
		return false
	}
	if _, ok := t.Underlying().(*types.Struct); !ok {
		return false
	}
	own, index, _ := types.LookupFieldOrMethod(t, false, nil, unmarshalJSON.name)
	_, isMethod := own.(*types.Func)
	return isMethod && len(index) == 1
}

// isFormless reports whether a type has no form in JSON because of its structure, such as a channel, or a
// struct whose fields have no form.
func (r *typeReader) isFormless(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Chan, *types.Signature:
		return true
	case *types.Interface:
		return !u.Empty() && r.knownUnion(t) == nil && r.resultAccessors(t) == nil
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Struct:
		fields, _ := r.fieldsOf(t)
		return u.NumFields() > 0 && !slices.ContainsFunc(fields, func(f JSONField) bool {
			return r.isDemanded(f) || !r.isByReference(f.valueType())
		})
	case *types.Pointer:
		return !onlyPointers(t) && r.isByReference(types.Unalias(u.Elem()))
	}
	return false
}

// resultAccessors returns the accessors of an interface (see accessorsOf) if generated code writes results of
// its type as an object. Otherwise it returns nil.
func (r *typeReader) resultAccessors(t types.Type) []*types.Func {
	if !r.output || r.nested { // encoding/json writes nested values
		return nil
	}
	return r.accessorsOf(t)
}

// fieldsOf returns the fields of a struct, and its clashes: groups of fields with the same JSON name,
// which encoding/json drops. In arguments, the embedded structs that contain clashing fields become
// separate objects, so that the model can set the fields.
func (r *typeReader) fieldsOf(t types.Type) ([]JSONField, []model.Clash) {
	var parameters func(types.Type) fieldPredicate
	read := &r.structFields
	if !r.output && !r.nested {
		parameters, read = r.parametersOf, &r.argumentFields
	}
	if fields, ok := read.At(t).([]JSONField); ok {
		return fields, nil
	}
	separate := map[*types.Var]bool{}
	closed := func(v *types.Var) bool {
		return separate[v] || r.isSingleField(types.Unalias(v.Type())) || r.fills(v.Type())
	}
	hasForm := func(f JSONField) bool { return !r.isByReference(f.valueType()) }
	readFields := func() ([]JSONField, [][]JSONField) {
		fields, clashes := JSONFields(r.write.Budget, t, closed, parameters)
		findPresences(r.write, fields, parameters != nil)
		if len(separate) == 0 && len(clashes) == 0 {
			read.Set(t, fields)
		}
		return fields, slices.DeleteFunc(clashes, func(c []JSONField) bool { return !slices.ContainsFunc(c, hasForm) })
	}
	fields, found := readFields()
	unresolved := found
	for changed := !r.output && !r.nested; changed; {
		changed = false
		for _, clash := range unresolved {
			for _, v := range DivergingEmbedded(clash) {
				changed = changed || v.Exported() && !separate[v]
				separate[v] = v.Exported()
			}
		}
		if changed {
			fields, unresolved = readFields()
		}
	}
	return fields, describeClashes(found, unresolved)
}

// describeClashes returns the clashes that were found. All but those in unresolved are resolved by
// separate objects.
func describeClashes(found, unresolved [][]JSONField) (clashes []model.Clash) {
	for _, fields := range found {
		c := model.Clash{Name: fields[0].Name, Separate: !slices.ContainsFunc(unresolved, func(l []JSONField) bool { return l[0].Name == fields[0].Name })}
		for _, f := range fields {
			c.Ways = append(c.Ways, f.Selector())
		}
		clashes = append(clashes, c)
	}
	return clashes
}

// parametersOf returns a function that reports whether a tag may name a field of t as a parameter of a
// request, as in `url:"page"`. A tag may name two kinds of fields: those with the tag json:"-" (see
// hasParameters), and those without a json tag whose type is a struct that wraps a value (see findPresence).
func (s *Shapes) parametersOf(t types.Type) fieldPredicate {
	excluded := s.hasParameters(t)
	return func(v *types.Var, tag reflect.StructTag) bool {
		switch name, tagged := tag.Lookup("json"); {
		case name == "-":
			return excluded
		case !tagged:
			_, p := findPresence(s.write, v.Type())
			return p != nil
		}
		return false
	}
}

// hasParameters reports whether tags may name fields with the tag json:"-" as parameters of a request.
// This applies to structs of other modules, and to structs of the user's module without any field for
// JSON.
func (s *Shapes) hasParameters(t types.Type) bool {
	st := t.Underlying().(*types.Struct)
	named, ok := types.Unalias(t).(*types.Named)
	if ok && named.Obj().Pkg() != nil && s.isForeign(named.Obj().Pkg()) {
		return true
	}
	for i := range st.NumFields() {
		if f := st.Field(i); f.Exported() && !f.Embedded() && reflect.StructTag(st.Tag(i)).Get("json") != "-" {
			return false
		}
	}
	return true
}

// isSingleField reports whether an embedded type is itself a field in JSON, so that its fields are not
// promoted.
func (r *typeReader) isSingleField(t types.Type) bool { return r.isOpaque(t) || r.isRepresented(t) }

// onlyPointers reports whether t points to nothing but pointers, as in type T *T.
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

// ListUnseen returns the fields that are left out of a type, with the path of JSON names that
// leads to each. A type that occurs several times is listed once.
func ListUnseen(t *model.Type) (all []model.Unseen) {
	visitObjects(nil, t, &model.TypeSet{}, func(path []string, t *model.Type) {
		for _, u := range t.Unseen {
			u.Path = append(slices.Clip(path), u.Name)
			u.Name = strings.Join(u.Path, ".")
			all = append(all, u)
		}
	})
	return all
}

// Limits of ListContent.
const (
	maxContentPaths = 32
	maxContentSteps = 10000 // visited types
)

// ListContent returns those fields in ListUnseen without which a tool may lack data that it needs (see
// isLossOfContent), followed by other paths to the same fields. No path contains a type twice. If there are
// more than maxContentPaths paths, the others are omitted.
func ListContent(t *model.Type) (all []model.Unseen) {
	listed := map[string]bool{}
	for _, u := range ListUnseen(t) {
		if u.Content {
			all, listed[u.Name] = append(all, u), true
		}
	}
	if len(all) == 0 {
		return nil
	}
	leads, steps := typesWithContent(t), 0
	above := map[*model.Type]bool{}
	var visit func(path []string, t *model.Type)
	visit = func(path []string, t *model.Type) {
		if steps++; !leads[t] || above[t] || steps > maxContentSteps {
			return
		}
		for _, u := range t.Unseen {
			u.Path, u.Repeats = append(slices.Clip(path), u.Name), true
			if u.Name = strings.Join(u.Path, "."); u.Content && !listed[u.Name] && len(all) < maxContentPaths {
				all, listed[u.Name] = append(all, u), true
			}
		}
		above[t] = true
		visit(path, t.Elem)
		for _, f := range t.Fields {
			visit(append(slices.Clip(path), f.Name), f.Type)
		}
		above[t] = false
	}
	visit(nil, t)
	return all
}

// typesWithContent returns the parts of a type that leave out fields with content, and the parts that
// contain such parts.
func typesWithContent(t *model.Type) map[*model.Type]bool {
	holders := map[*model.Type][]*model.Type{}
	var found []*model.Type
	visitObjects(nil, t, &model.TypeSet{}, func(_ []string, t *model.Type) {
		if slices.ContainsFunc(t.Unseen, func(u model.Unseen) bool { return u.Content }) {
			found = append(found, t)
		}
		holders[t.Elem] = append(holders[t.Elem], t)
		for _, f := range t.Fields {
			holders[f.Type] = append(holders[f.Type], t)
		}
	})
	leads := map[*model.Type]bool{}
	for len(found) > 0 {
		t := found[len(found)-1]
		if found = found[:len(found)-1]; t != nil && !leads[t] {
			leads[t] = true
			found = append(found, holders[t]...)
		}
	}
	return leads
}

// ListClashes returns the clashing fields in a type, with paths as in ListUnseen.
func ListClashes(t *model.Type) (all []model.Clash) {
	var visited model.TypeSet
	var visit func(path []string, t *model.Type)
	visit = func(path []string, t *model.Type) {
		for _, c := range t.Clashes {
			all = append(all, model.Clash{Name: strings.Join(append(slices.Clip(path), c.Name), "."), Ways: c.Ways, Separate: c.Separate})
		}
		for _, u := range t.Unseen { // fields may be left out because of clashes
			if u.Field != nil {
				visitObjects(append(slices.Clip(path), u.Name), u.Field.Type, &visited, visit)
			}
		}
	}
	visitObjects(nil, t, &visited, visit)
	return all
}

// visitObjects calls visit once for each part of a type that has fields, with the path to it.
func visitObjects(path []string, t *model.Type, visited *model.TypeSet, visit func(path []string, t *model.Type)) {
	if isLeaf(t) || t.Kind == model.Opaque || !visited.Add(t) {
		return
	}
	visit(path, t)
	visitObjects(path, t.Elem, visited, visit)
	for _, f := range t.Fields {
		if !isLeaf(f.Type) {
			visitObjects(append(slices.Clip(path), f.Name), f.Type, visited, visit)
		}
	}
}

// isLeaf reports whether a type, like most types, has no parts with names.
func isLeaf(t *model.Type) bool {
	return t == nil || t.Elem == nil && len(t.Fields)+len(t.Unseen)+len(t.Clashes) == 0
}

// fillRef fills the shape of a type whose values are passed by reference. It fails for a nested type, because
// encoding/json reads and writes it, and knows no references.
func (r *typeReader) fillRef(m *model.Type, t types.Type) error {
	if r.nested {
		why := r.nestedErr
		if _, err := r.write.GoType(t); err != nil {
			why = err // the type itself cannot be named
		}
		return fmt.Errorf("%s is %s, which can only be passed by reference, but generated code cannot name it: %w", r.write.Package.TypeName(t), describeFormless(t), why)
	}
	m.Kind = model.Ref
	m.Description = "" // the comment says how the value is used in Go
	r.rememberHandle(m, t)
	m.Clashes = r.onlyClashes(t)
	r.warnOfVariantClash(t)
	return nil
}

// errorInterface is the underlying type of error.
var errorInterface = errorType.Underlying().(*types.Interface)

// isErrorText reports whether a result of a type is written as the text of an error. The type is error,
// another interface with the method Error, or an error without a form in JSON. Nested types are excluded,
// because encoding/json writes them, and it does not write errors as text.
func (r *typeReader) isErrorText(t types.Type) bool {
	if !r.output || r.nested || !types.Implements(t, errorInterface) || r.isOpaque(t) {
		return false
	}
	if types.IsInterface(t) {
		return true
	}
	_, own := r.ownForm(t)
	return !own && (r.isHandle(t) || r.isFormless(t))
}

func (r *typeReader) fillErrorText(m *model.Type, t types.Type) {
	m.Kind, m.Description, m.Def = model.ErrorText, "", nil
	r.rememberHandle(m, t)
}

// rememberHandle records the shape of a handle, so that a note can select some of its fields.
func (r *typeReader) rememberHandle(m *model.Type, t types.Type) {
	if r.isHandle(t) && !r.isOpaque(t) {
		r.handles[m] = handle{t.(*types.Pointer).Elem(), r.shapes, r.output}
	}
}

// onlyClashes returns the clashing fields of a struct, or of a pointer to one, if no other
// fields are left for JSON.
func (r *typeReader) onlyClashes(t types.Type) []model.Clash {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if _, ok := t.Underlying().(*types.Struct); !ok || r.isOpaque(t) {
		return nil
	}
	fields, clashes := r.fieldsOf(t)
	if len(fields) > 0 {
		return nil
	}
	return clashes
}

// A handle is a type that has fields but is passed by reference unless a note selects some of
// them.
type handle struct {
	elem   types.Type
	shapes *typeutil.Map
	output bool
}

// IsHandle reports whether values of a type are passed by reference unless a note selects
// some of their fields.
func (s *Shapes) IsHandle(t types.Type) bool {
	r := typeReader{Shapes: s}
	return r.isHandle(types.Unalias(t)) && !r.isOpaque(types.Unalias(t))
}

// describeFormless describes a type without a form in JSON, as in "a channel".
func describeFormless(t types.Type) string {
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
		return "a pointer to " + strings.TrimPrefix(describeFormless(types.Unalias(u.Elem())), "a pointer to ")
	}
	return "a struct without fields for JSON"
}

// isUnseen reports whether a field of a struct is left out because of its type. In the user's module, such
// a field with a json tag is an error instead.
func (r *typeReader) isUnseen(f JSONField, field *model.Field, err error) bool {
	if r.nested || r.isDemanded(f) {
		return false
	}
	if err != nil {
		return asFieldError(err) == nil && !errors.Is(err, ErrInvalid)
	}
	return !field.Type.HasPart()
}

// isDemanded reports whether a field has a json tag and belongs to the user's module.
func (s *Shapes) isDemanded(f JSONField) bool {
	_, tagged := f.Tag.Lookup("json")
	return tagged && s.write.OwnsPackage(f.Variable().Pkg().Path())
}

// A fieldError is an error in the type of a field that cannot be left out.
type fieldError struct {
	field string
	err   error
}

// asFieldError returns err if it is a fieldError, or nil.
func asFieldError(err error) *fieldError {
	e, _ := err.(*fieldError) //nolint:errorlint // an error that wraps one has its own text
	return e
}

// Error returns the message with the path to the innermost field.
func (e *fieldError) Error() string {
	path, err := e.field, e.err
	for {
		if out, ok := err.(*outOfReachError); ok { //nolint:errorlint // an error that wraps it has its own text
			err = out.err
		}
		inner := asFieldError(err)
		if inner == nil {
			return "field " + path + ": " + err.Error()
		}
		path, err = path+"."+inner.field, inner.err
	}
}

func (e *fieldError) Unwrap() error { return e.err }

// An outOfReachError reports that generated code cannot name a type, and that encoding/json cannot read or
// write it either.
type outOfReachError struct{ err error }

func (e *outOfReachError) Error() string { return e.err.Error() }

func (e *outOfReachError) Unwrap() error { return e.err }

// opaqueTypes lists types, by full name, whose fields may contain secrets.
var opaqueTypes = map[string]bool{
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

// isHeader reports whether a type is http.Header, which may contain secrets.
func isHeader(t types.Type) bool {
	named, ok := t.(*types.Named)
	return ok && named.Obj().Name() == "Header" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "net/http"
}

// isRepresented reports whether t, or the type that t points to, is represented by another type in JSON. It
// returns false inside types that encoding/json reads and writes.
func (r *typeReader) isRepresented(t types.Type) bool {
	if p, ok := t.(*types.Pointer); ok && !r.nested && r.representingType(p.Elem()) != nil {
		return true
	}
	return !r.nested && r.representingType(t) != nil
}

// isOpaque reports whether the fields of a type, or of what it points to, are never shown to
// a model.
func (r *typeReader) isOpaque(t types.Type) bool {
	if r.isRepresented(t) {
		return false
	}
	named := source.NamedOf(t)
	if named == nil || named.Obj().Pkg() == nil {
		return false
	}
	if path := named.Obj().Pkg().Path(); path == "crypto/tls" || path == "crypto/x509" {
		_, isStruct := named.Underlying().(*types.Struct)
		return isStruct
	}
	_, listed := goname.LookupType(opaqueTypes, named.Obj())
	return listed
}

// isHandle reports whether a type has state in addition to its exported fields, as *csv.Reader does. Such a
// type is a pointer to a struct of another module that has exported methods, unexported fields and no json
// tags.
func (r *typeReader) isHandle(t types.Type) bool {
	p, ok := t.(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || r.write.OwnsPackage(named.Obj().Pkg().Path()) {
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
	hasHidden := slices.ContainsFunc(slices.Collect(s.Fields()), func(f *types.Var) bool { return !f.Exported() && !f.Embedded() })
	return hasHidden && len(methodsOf(t)) > 0
}
