package resolve

import (
	"go/types"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// A Function is the Go function of an element.
type Function struct {
	Obj      types.Object     // *types.Func or *types.Var; nil for a literal, except for a lambda that only calls a function
	Sig      *types.Signature // without receiver, instantiated
	TypeArgs []types.Type
	Receiver types.Type   // for a method: the type that Deps has to hold, *T or an interface
	Holder   *types.Var   // for a method of a package variable: that variable
	Path     []model.Step // for a method of a field: the fields that lead from Receiver or Holder to it
	DocKey   string       // its key in the documentation of its package

	Literal *Literal // set for literals and lambdas
}

// Describe returns the name of the function for messages, or "the lambda" or "the function
// literal".
func (t Function) Describe() string {
	switch {
	case t.Literal != nil && t.Literal.Lambda != nil:
		return "the lambda"
	case t.Literal != nil:
		return "the function literal"
	}
	return t.Obj.Name()
}

// Pkg returns the package that declares Obj. It returns nil if there is no Obj, and for the method Error of
// error.
func (t Function) Pkg() *types.Package {
	if t.Obj == nil {
		return nil
	}
	return t.Obj.Pkg()
}

// RelatedDeclaration returns the position of the declaration of the function, or nil for literals.
func (s *Scope) RelatedDeclaration(t Function) []diag.Related {
	if t.Literal != nil {
		return nil // messages already point at its text
	}
	return s.pkg.RelatedDeclaration(t.Obj)
}

// AddCauses adds the reasons why a type in the signature of the function is invalid to a
// diagnostic.
func (s *Scope) AddCauses(d *diag.Diagnostic, t Function) {
	key := ""
	if t.Pkg() == s.pkg.Types {
		key = t.DocKey
	}
	d.Related = append(d.Related, causeSearch{Package: s.pkg, Docs: s.docs}.findCauses(t.Sig, key)...)
}

// findUnexported returns the unexported object that prevents other packages from calling the
// function, or nil if there is none.
func (t Function) findUnexported() types.Object {
	switch {
	case !t.Obj.Exported():
		return t.Obj
	case t.Holder != nil && !t.Holder.Exported():
		return t.Holder
	}
	return nil
}
