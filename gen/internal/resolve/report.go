package resolve

import (
	"fmt"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/internal/words"
)

// acceptFunction returns t if generated code can call it and its signature is valid. Otherwise it
// reports the problem and returns false.
func (r *resolver) acceptFunction(text aion.Text, t Function) (Function, bool) {
	if hidden := t.findUnexported(); hidden != nil && r.write.IsForeign() {
		d := r.faults.Errorf("unexported", text.Span, "%s is not exported, so package %s, where the generated code goes, cannot call it", hidden.Name(), r.write.Target.Name)
		d.Related = r.pkg.RelatedDeclaration(hidden)
		d.Help = []string{fmt.Sprintf("rename it to %s, or generate into package %s itself, without -o", goname.Capitalize(hidden.Name()), r.pkg.Name)}
		return Function{}, false
	}
	if isBrokenSignature(t.Sig) {
		d := r.faults.Errorf("broken-go", text.Span, "the signature of %s does not type-check", t.Describe())
		d.Related = r.RelatedDeclaration(t)
		r.AddCauses(d, t)
		if !r.helpWithCause(d) {
			d.WithHelp("fix the Go error in the signature: the tool needs its types")
		}
		return Function{}, false
	}
	if r.reportDuplicate(text, t) {
		return Function{}, false
	}
	if fault := r.findSyntaxError(t); fault != "" {
		d := r.faults.Errorf("broken-go", text.Span, "the signature of %s has a syntax error: %s", t.Describe(), fault)
		d.Related = r.RelatedDeclaration(t)
		d.WithHelp("fix the Go error in the signature: the tool needs its types")
		return Function{}, false
	}
	return t, true
}

// helpWithCause adds help on the first undefined name in a signature, which AddCauses has recorded.
// It returns true if there is one.
func (r *resolver) helpWithCause(d *diag.Diagnostic) bool {
	for _, cause := range d.Related {
		name, ok := strings.CutPrefix(cause.Message, "the Go error: undefined: ")
		if !ok {
			continue
		}
		file := path.Base(cause.Span.File)
		near := words.Nearest(name, typeNames(r.pkg.Types))
		packages := slices.DeleteFunc(r.listImportable(), func(k load.ImportablePackage) bool { return k.Name != name })
		switch {
		case len(packages) > 0:
			d.WithHelp("if %s is a package, import it in %s: import %q; otherwise declare it in package %s", name, file, packages[0].Path, r.pkg.Name)
		case near != "":
			d.WithHelp("write %s instead of %s (%s)", near, name, cause.Span)
		default:
			d.WithHelp("declare %s in package %s, or import it in %s if it is a package", name, r.pkg.Name, file)
		}
		return true
	}
	return false
}

// reportMissing reports a missing function of a package or, unless owner is empty, a missing method
// of the owner. It suggests one of the candidates.
func (r *resolver) reportMissing(text aion.Text, pkg *types.Package, owner, name string, candidates []types.Object) {
	kind, where := "function", "package "+pkg.Name()
	if owner != "" {
		kind, where = "method", owner
	}
	d := r.reportGhost(text, kind, name, where)
	if r.helpWithLeftOut(d, pkg, owner, name) {
		return
	}
	if owner == "" && name == "init" {
		d.WithHelp("init cannot be called, so it cannot be a tool: move its code to a function with another name, and write that name")
		return
	}
	syntaxError := r.helpWithSyntaxError(d)
	var names []string
	for _, c := range candidates {
		names = append(names, c.Name())
	}
	if method := r.methodNamed(name); method != "" && owner == "" && pkg == r.pkg.Types {
		d.WithHelp("did you mean the method %s?", method)
		spelled, _, _ := strings.Cut(method, " (")
		d.WithGuess(text.Rewrite(spelled)...)
	} else if near := words.NearestFitting(name, names, func(name string) bool { return r.fitsElement(candidates[slices.Index(names, name)]) }); near != "" {
		found := candidates[slices.Index(names, near)]
		d.WithHelp("did you mean %s%s?", near, r.pkg.DescribePlace(found))
		d.WithGuess(text.Replace(name, near)...)
	} else if len(names) == 0 && strings.ContainsAny(owner, "( ") {
		d.WithHelp("%s is a type without a name, so it has no methods", owner)
	} else if syntaxError {
		return // the syntax error probably hides the function
	} else if len(names) == 0 {
		d.WithHelp("%s has no %ss yet: write %s in Go", where, kind, name)
	} else if pkg == r.pkg.Types {
		d.WithHelp("no %s of %s has a similar name: write %s in Go, or name one of %s", kind, where, name, words.Sample(names))
	} else {
		d.WithHelp("no %s of %s has a similar name; it has %s", kind, where, words.Sample(names))
	}
}

// fitsElement reports whether the notes of the element can describe a function: JSON can carry its arguments, and
// their number is that of the notes.
func (r *resolver) fitsElement(obj types.Object) bool {
	f, ok := obj.(*types.Func)
	if !ok || f.Signature().TypeParams().Len() > 0 {
		return false
	}
	visible := slices.DeleteFunc(slices.Collect(f.Signature().Params().Variables()), func(v *types.Var) bool { return r.supply.HasType(v.Type()) })
	if slices.ContainsFunc(visible, func(v *types.Var) bool { return r.shapes.IsReference(v.Type()) }) {
		return false
	}
	isObject := len(visible) == 1 && r.shapes.IsObject(visible[0].Type()) // the notes may be about its fields
	return isObject || len(r.args) == 0 || len(r.args) == len(visible)
}

// helpWithSyntaxError adds the first syntax error in the Go files of the package to a diagnostic about
// a missing declaration. It returns true if there is one.
func (r *resolver) helpWithSyntaxError(d *diag.Diagnostic) bool {
	for _, fault := range r.pkg.Faults {
		if !fault.Pos.IsValid() {
			d.WithHelp("a Go file of the package has a syntax error, so it was read only in part: %s", fault.Msg)
			return true
		}
	}
	return false
}

func (r *resolver) reportAmbiguous(text aion.Text, name string, rivals []types.Object) {
	d := r.faults.Errorf("ambiguous-function", text.Span, "%q may be %s or %s", name, rivals[0].Name(), rivals[1].Name())
	for _, rival := range rivals {
		d.Related = append(d.Related, r.pkg.RelatedDeclaration(rival)...)
	}
	d.Help = []string{"write the Go name exactly"}
	for _, rival := range rivals {
		d.WithGuess(text.Replace(name, rival.Name())...)
	}
}

func (r *resolver) reportNotFunction(text aion.Text, obj types.Object, what string) {
	d := r.faults.Errorf("not-a-function", text.Span, "%s is %s, not a function", obj.Name(), what)
	d.Related = r.pkg.RelatedDeclaration(obj)
	if t, ok := obj.(*types.TypeName); ok && obj.Pkg() == r.pkg.Types {
		for _, name := range slices.Sorted(maps.Keys(methodsOf(t.Type(), true))) {
			method := "(*" + t.Name() + ")." + name
			d.WithHelp("write a method of it, such as %q", method).WithGuess(text.Rewrite(method)...)
			return
		}
	}
	var names []string
	for _, f := range listFunctions(obj.Pkg().Scope(), r.namesOf(obj.Pkg())) {
		names = append(names, f.Name())
	}
	if len(names) > 0 {
		d.WithHelp("package %s has the functions %s", obj.Pkg().Name(), words.Sample(names))
	}
}

// listFunctions returns the functions among the names of a package.
func listFunctions(scope *types.Scope, names []string) []types.Object {
	var found []types.Object
	for _, name := range names {
		if f, ok := scope.Lookup(name).(*types.Func); ok {
			found = append(found, f)
		}
	}
	return found
}
