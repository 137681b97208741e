// What a reference to a function can be wrong about, and what helps then.

package bind

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
func (b *binder) accept(text aion.Text, t target) (target, bool) {
	if hidden := t.unexported(); hidden != nil && b.foreign() {
		d := b.faults.Errorf("unexported", text.Span, "%s is not exported, so package %s, where the generated code goes, cannot call it", hidden.Name(), b.target.Name)
		d.Related = b.related(hidden, hidden.Name()+" is declared here")
		d.Help = []string{fmt.Sprintf("rename it to %s, or generate into package %s itself, without -o", goname.Capitalised(hidden.Name()), b.pkg.Name)}
		return target{}, false
	}
	if invalid(t.sig) {
		d := b.faults.Errorf("broken-go", text.Span, "the signature of %s does not type-check", t.describe())
		d.Related = b.declaration(t)
		b.addCauses(d, t)
		return target{}, false
	}
	return t, true
}

// unexported is what keeps other packages from calling the function, nil if
// nothing does.
func (t target) unexported() types.Object {
	switch {
	case !t.obj.Exported():
		return t.obj
	case t.holder != nil && !t.holder.Exported():
		return t.holder
	}
	return nil
}

// ghost reports a function that a package does not have, or a method that its
// owner does not have, beside the candidates that are there.
func (b *binder) ghost(text aion.Text, pkg *types.Package, owner, name string, candidates []types.Object) {
	kind, where := "function", "package "+pkg.Name()
	if owner != "" {
		kind, where = "method", owner
	}
	d := b.faults.Errorf("ghost-tool", text.Span, "ghost tool: there is no %s %s in %s", kind, name, where)
	if b.leftOut(d, pkg, owner, name) {
		return
	}
	var names []string
	for _, c := range candidates {
		names = append(names, c.Name())
	}
	if method := b.methodNamed(name); method != "" && owner == "" && pkg == b.pkg.Types {
		d.Help = []string{"did you mean the method " + method + "?"}
	} else if near := diag.Nearest(name, names); near != "" {
		found := candidates[slices.Index(names, near)]
		d.Help = []string{fmt.Sprintf("did you mean %s%s?", near, b.place(found))}
	} else if len(names) == 0 {
		d.Help = []string{fmt.Sprintf("%s has no %ss yet: write %s in Go", where, kind, name)}
	} else {
		near := diag.Closest(name, names)
		d.WithHelp("the nearest %s is %s%s", kind, near, b.place(candidates[slices.Index(names, near)]))
		d.WithHelp("%s has %s", where, enumerate(names))
	}
	for _, fault := range b.pkg.Faults {
		if !fault.Pos.IsValid() { // a syntax error may hide a function
			d.Help = append(d.Help, "a Go file of the package is broken, so that not all of it was read: "+fault.Msg)
			break
		}
	}
}

// methodNamed is a method of the package by that name, as a function text has it;
// "" if there is none.
func (b *binder) methodNamed(name string) string {
	for _, owner := range typeNames(b.pkg.Types) {
		if obj := b.methodOf(owner, name); obj != nil {
			return fmt.Sprintf("(*%s).%s%s", owner, obj.Name(), b.place(obj))
		}
	}
	return ""
}

// methodOf is the method of a type of the package that a name means, nil if it has
// none.
func (b *binder) methodOf(owner, name string) types.Object {
	methods := methodsOf(b.pkg.Types.Scope().Lookup(owner).Type(), true)
	obj, _ := lookup(name, slices.Sorted(maps.Keys(methods)), func(name string) types.Object { return methods[name] })
	return obj
}

func (b *binder) ambiguous(text aion.Text, name string, rivals []types.Object) {
	d := b.faults.Errorf("ambiguous-function", text.Span, "%q may be %s or %s", name, rivals[0].Name(), rivals[1].Name())
	for _, r := range rivals {
		d.Related = append(d.Related, b.related(r, r.Name()+" is declared here")...)
	}
	d.Help = []string{"write the Go name exactly"}
}

func (b *binder) notFunction(text aion.Text, obj types.Object, what string) {
	d := b.faults.Errorf("not-a-function", text.Span, "%s is %s, not a function", obj.Name(), what)
	d.Related = b.related(obj, obj.Name()+" is declared here")
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

// declaration is the place where the function is declared.
func (b *binder) declaration(t target) []diag.Related {
	if t.literal != nil {
		return nil // messages are about its text already
	}
	return b.related(t.obj, t.obj.Name()+" is declared here")
}

// related is the place of a Go object of this package, if it has one.
func (b *binder) related(obj types.Object, message string) []diag.Related {
	if obj.Pkg() != b.pkg.Types || !obj.Pos().IsValid() {
		return nil
	}
	return []diag.Related{{Span: b.objSpan(obj), Message: message}}
}

func (b *binder) objSpan(obj types.Object) diag.Span {
	return b.pkg.Span(obj.Pos(), obj.Pos()+tokenLength(obj.Name()))
}

func (b *binder) place(obj types.Object) string {
	if obj.Pkg() != b.pkg.Types || !obj.Pos().IsValid() {
		return ""
	}
	return " (" + b.objSpan(obj).String() + ")"
}

// enumerate lists names for a message, at most eight.
func enumerate(names []string) string {
	const most = 8
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	if len(names) > most {
		return strings.Join(names[:most], ", ") + " …"
	}
	return strings.Join(names, ", ")
}
