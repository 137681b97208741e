package resolve

import (
	"go/types"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/broken"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// A Function is the Go function that a function text names.
type Function struct {
	Obj      types.Object     // *types.Func or *types.Var, nil if it is a literal; of a lambda, the function that it stands for
	Sig      *types.Signature // without receiver, type arguments put in
	TypeArgs []types.Type
	Receiver types.Type   // of a method: what Deps has to hold, *T or an interface
	Holder   *types.Var   // of a method of a package variable: that variable
	Path     []model.Step // of a method of what a field has: the way there, from receiver or variable
	DocKey   string       // its key in the source of its package

	Literal *Literal // of a function literal, which is no object
}

// Describe is the function as messages show it.
func (t Function) Describe() string {
	switch {
	case t.Literal != nil && t.Literal.Lambda != nil:
		return "the lambda"
	case t.Literal != nil:
		return "the function literal"
	}
	return t.Obj.Name()
}

// Pkg is the package that declares the function, nil if it is none.
func (t Function) Pkg() *types.Package {
	if t.Obj == nil {
		return nil
	}
	return t.Obj.Pkg()
}

// Declaration is the place where the function is declared.
func (s *Scope) Declaration(t Function) []diag.Related {
	if t.Literal != nil {
		return nil // messages are about its text already
	}
	return s.pkg.Declared(t.Obj)
}

// AddCauses says why a type in the signature of the function is invalid.
func (s *Scope) AddCauses(d *diag.Diagnostic, t Function) {
	key := ""
	if t.Pkg() == s.pkg.Types {
		key = t.DocKey
	}
	d.Related = append(d.Related, broken.Search{Package: s.pkg, Docs: s.docs}.Causes(t.Sig, key)...)
}

// unexported is what keeps other packages from calling the function, nil if
// nothing does.
func (t Function) unexported() types.Object {
	switch {
	case !t.Obj.Exported():
		return t.Obj
	case t.Holder != nil && !t.Holder.Exported():
		return t.Holder
	}
	return nil
}
