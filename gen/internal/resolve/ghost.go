// What a reference to a function can be wrong about, and what helps then.

package resolve

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/broken"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/internal/words"
)

// accept checks what holds for every function that a tool calls.
func (r *resolving) accept(text aion.Text, t Function) (Function, bool) {
	if hidden := t.unexported(); hidden != nil && r.write.Foreign() {
		d := r.faults.Errorf("unexported", text.Span, "%s is not exported, so package %s, where the generated code goes, cannot call it", hidden.Name(), r.write.Target.Name)
		d.Related = r.pkg.Declared(hidden)
		d.Help = []string{fmt.Sprintf("rename it to %s, or generate into package %s itself, without -o", goname.Capitalised(hidden.Name()), r.pkg.Name)}
		return Function{}, false
	}
	if broken.Signature(t.Sig) {
		d := r.faults.Errorf("broken-go", text.Span, "the signature of %s does not type-check", t.Describe())
		d.Related = r.Declaration(t)
		r.AddCauses(d, t)
		return Function{}, false
	}
	return t, true
}

// ghost reports a function that a package does not have, or a method that its
// owner does not have, beside the candidates that are there.
func (r *resolving) ghost(text aion.Text, pkg *types.Package, owner, name string, candidates []types.Object) {
	kind, where := "function", "package "+pkg.Name()
	if owner != "" {
		kind, where = "method", owner
	}
	d := r.faults.Errorf("ghost-tool", text.Span, "ghost tool: there is no %s %s in %s", kind, name, where)
	if r.LeftOut(d, pkg, owner, name) {
		return
	}
	var names []string
	for _, c := range candidates {
		names = append(names, c.Name())
	}
	if method := r.methodNamed(name); method != "" && owner == "" && pkg == r.pkg.Types {
		d.Help = []string{"did you mean the method " + method + "?"}
	} else if near := words.Nearest(name, names); near != "" {
		found := candidates[slices.Index(names, near)]
		d.Help = []string{fmt.Sprintf("did you mean %s%s?", near, r.pkg.Beside(found))}
		d.WithGuess(text.Replace(name, near)...)
	} else if len(names) == 0 && strings.ContainsAny(owner, "( ") {
		d.WithHelp("%s is a type without a name, and so without methods", owner)
	} else if len(names) == 0 {
		d.Help = []string{fmt.Sprintf("%s has no %ss yet: write %s in Go", where, kind, name)}
	} else {
		near := words.Closest(name, names)
		d.WithHelp("the nearest %s is %s%s", kind, near, r.pkg.Beside(candidates[slices.Index(names, near)]))
		d.WithHelp("%s has %s", where, words.Sample(names))
	}
	for _, fault := range r.pkg.Faults {
		if !fault.Pos.IsValid() { // a syntax error may hide a function
			d.Help = append(d.Help, "a Go file of the package is broken, so that not all of it was read: "+fault.Msg)
			break
		}
	}
}

func (r *resolving) ambiguous(text aion.Text, name string, rivals []types.Object) {
	d := r.faults.Errorf("ambiguous-function", text.Span, "%q may be %s or %s", name, rivals[0].Name(), rivals[1].Name())
	for _, rival := range rivals {
		d.Related = append(d.Related, r.pkg.Declared(rival)...)
	}
	d.Help = []string{"write the Go name exactly"}
	for _, rival := range rivals {
		d.WithGuess(text.Replace(name, rival.Name())...)
	}
}

func (r *resolving) notFunction(text aion.Text, obj types.Object, what string) {
	d := r.faults.Errorf("not-a-function", text.Span, "%s is %s, not a function", obj.Name(), what)
	d.Related = r.pkg.Declared(obj)
}

// functions are the functions of a package, nearest candidates for a name.
func functions(scope *types.Scope, names []string) []types.Object {
	var found []types.Object
	for _, name := range names {
		if f, ok := scope.Lookup(name).(*types.Func); ok {
			found = append(found, f)
		}
	}
	return found
}
