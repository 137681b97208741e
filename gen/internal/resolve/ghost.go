// What a reference to a function can be wrong about, and what helps then.

package resolve

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/goname"
)

// accept checks what holds for every function that a tool calls.
func (r *resolving) accept(text aion.Text, t Function) (Function, bool) {
	if hidden := t.unexported(); hidden != nil && r.types.Foreign() {
		d := r.faults.Errorf("unexported", text.Span, "%s is not exported, so package %s, where the generated code goes, cannot call it", hidden.Name(), r.types.Target.Name)
		d.Related = r.pkg.Declared(hidden)
		d.Help = []string{fmt.Sprintf("rename it to %s, or generate into package %s itself, without -o", goname.Capitalised(hidden.Name()), r.pkg.Name)}
		return Function{}, false
	}
	if invalid(t.Sig) {
		d := r.faults.Errorf("broken-go", text.Span, "the signature of %s does not type-check", t.Describe())
		d.Related = r.Declaration(t)
		r.AddCauses(d, t)
		return Function{}, false
	}
	return t, true
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
	} else if near := diag.Nearest(name, names); near != "" {
		found := candidates[slices.Index(names, near)]
		d.Help = []string{fmt.Sprintf("did you mean %s%s?", near, r.pkg.Beside(found))}
	} else if len(names) == 0 {
		d.Help = []string{fmt.Sprintf("%s has no %ss yet: write %s in Go", where, kind, name)}
	} else {
		near := diag.Closest(name, names)
		d.WithHelp("the nearest %s is %s%s", kind, near, r.pkg.Beside(candidates[slices.Index(names, near)]))
		d.WithHelp("%s has %s", where, Enumerate(names))
	}
	for _, fault := range r.pkg.Faults {
		if !fault.Pos.IsValid() { // a syntax error may hide a function
			d.Help = append(d.Help, "a Go file of the package is broken, so that not all of it was read: "+fault.Msg)
			break
		}
	}
}

// methodNamed is a method of the package by that name, as a function text has it;
// "" if there is none.
func (s *Scope) methodNamed(name string) string {
	for _, owner := range typeNames(s.pkg.Types) {
		if obj := s.methodOf(owner, name); obj != nil {
			return fmt.Sprintf("(*%s).%s%s", owner, obj.Name(), s.pkg.Beside(obj))
		}
	}
	return ""
}

// methodOf is the method of a type of the package that a name means, nil if it has
// none.
func (s *Scope) methodOf(owner, name string) types.Object {
	methods := methodsOf(s.pkg.Types.Scope().Lookup(owner).Type(), true)
	obj, _ := lookup(name, slices.Sorted(maps.Keys(methods)), func(name string) types.Object { return methods[name] })
	return obj
}

func (r *resolving) ambiguous(text aion.Text, name string, rivals []types.Object) {
	d := r.faults.Errorf("ambiguous-function", text.Span, "%q may be %s or %s", name, rivals[0].Name(), rivals[1].Name())
	for _, rival := range rivals {
		d.Related = append(d.Related, r.pkg.Declared(rival)...)
	}
	d.Help = []string{"write the Go name exactly"}
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

// Declaration is the place where the function is declared.
func (s *Scope) Declaration(t Function) []diag.Related {
	if t.Literal != nil {
		return nil // messages are about its text already
	}
	return s.pkg.Declared(t.Obj)
}

// Enumerate lists names for a message, at most eight.
func Enumerate(names []string) string {
	const most = 8
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	if len(names) > most {
		return strings.Join(names[:most], ", ") + " …"
	}
	return strings.Join(names, ", ")
}
