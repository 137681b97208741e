package load

import (
	"go/token"
	"go/types"

	"github.com/aiongen/aiongen/aion/diag"
)

// TypeName is a type as messages show it: without the package's own name.
func (p *Package) TypeName(t types.Type) string {
	return types.TypeString(t, func(other *types.Package) string {
		if other == p.Types {
			return ""
		}
		return other.Name()
	})
}

// Place is where an object of the package is declared.
func (p *Package) Place(obj types.Object) diag.Span {
	return p.Span(obj.Pos(), obj.Pos()+token.Pos(len(obj.Name())))
}

// Declared is the same for a diagnostic: nothing of what is declared elsewhere.
func (p *Package) Declared(obj types.Object) []diag.Related {
	if !p.declares(obj) {
		return nil
	}
	return []diag.Related{{Span: p.Place(obj), Message: obj.Name() + " is declared here"}}
}

// Beside is the same in brackets, to stand behind a name in a sentence.
func (p *Package) Beside(obj types.Object) string {
	if !p.declares(obj) {
		return ""
	}
	return " (" + p.Place(obj).String() + ")"
}

func (p *Package) declares(obj types.Object) bool { return obj.Pkg() == p.Types && obj.Pos().IsValid() }
