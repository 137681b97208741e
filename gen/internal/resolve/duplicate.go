package resolve

import (
	"go/types"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/source"
	"github.com/aiongen/aiongen/internal/words"
)

// reportDuplicate reports a function that the package declares more than once, so that Go cannot
// compile it. For a lambda, it checks the functions that the lambda calls. It returns true if there
// is one.
func (r *resolver) reportDuplicate(text aion.Text, t Function) bool {
	objects := []types.Object{t.Obj}
	if t.Literal != nil && t.Literal.Lambda != nil {
		objects = t.Literal.Lambda.Calls
	}
	for _, obj := range objects {
		if obj == nil || obj.Pkg() != r.pkg.Types {
			continue
		}
		key := source.DocKey(obj)
		names := r.docs.PackageDoc(r.pkg.Types).Declared[key]
		if len(names) < 2 {
			continue
		}
		d := r.faults.Errorf("broken-go", text.Span, "package %s declares %s %s", r.pkg.Name, key, words.Count(len(names), "time"))
		for _, id := range names[:min(len(names), maxListedDeclarations)] {
			d.WithRelated(r.pkg.Span(id.Pos(), id.End()), "%s is declared here", id.Name)
		}
		d.WithHelp("keep one of the declarations: delete the others, or give them other names")
		return true
	}
	return false
}

// maxListedDeclarations limits how many declarations of a name a message lists.
const maxListedDeclarations = 5
