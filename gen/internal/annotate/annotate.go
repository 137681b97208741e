// Package annotate reads what declarations of a Go package say of its tools beside
// types: tool.Annotate with what calls do, a title, an example; tool.Inject with what
// the application supplies.
//
// Its layers, from top to bottom:
//
//	annotate, inject  what is declared, and what it says of a tool
//	name              what names in a file refer to
package annotate

import (
	"encoding/json"
	"go/ast"
	"go/constant"
	"go/types"
	"maps"
	"slices"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// An annotation is what a declaration of the package says of a function, or of a
// tool by its name, as in
//
//	var _ = tool.Annotate(Find, tool.ReadOnly)
//	var _ = tool.Annotate("find", tool.ReadOnly)
type annotation struct {
	function types.Object // nil if it names a tool
	tool     string
	facts    []ast.Expr
	file     *ast.File
	span     diag.Span
}

// of reports whether an annotation is one of a tool that is bound to a function,
// or to none.
func (a annotation) of(tool *model.Tool, function types.Object) bool {
	return a.tool == tool.Name || a.function != nil && a.function == function
}

// Annotations are those of a package.
type Annotations struct {
	pkg   *load.Package
	found []annotation
}

// Find reads the annotations of a package, whose documents are these. What names
// neither a function nor a tool is left to the Go compiler.
func Find(pkg *load.Package, documents []*aion.Document) (Annotations, diag.List) {
	r := reader{pkg: pkg}
	return Annotations{pkg, r.find(documents)}, r.faults
}

// Apply takes over what the package says of a tool, by its name or by its
// function, nil if it is bound to none. The list says what is wrong with it.
func (as Annotations) Apply(tool *model.Tool, function types.Object) diag.List {
	var said []annotation
	for _, a := range as.found {
		if a.of(tool, function) {
			said = append(said, a)
		}
	}
	r := reader{pkg: as.pkg}
	if len(said) > 1 {
		d := r.faults.Errorf("bad-annotation", said[1].span, "tool %q is annotated twice", tool.Name)
		d.Related = []diag.Related{{Span: said[0].span, Message: "it was first annotated here"}}
		d.Help = []string{"put it all into one tool.Annotate"}
	}
	if len(said) > 0 {
		r.apply(tool, said[0])
	}
	return r.faults
}

// A reader reads annotations, and notes what is wrong with them.
type reader struct {
	pkg    *load.Package
	faults diag.List
}

func (r *reader) find(documents []*aion.Document) (found []annotation) {
	for file, call := range r.declared {
		if len(call.Args) == 0 || r.runtimeName(file, call.Fun) != "Annotate" {
			continue
		}
		a := annotation{facts: call.Args[1:], file: file, span: r.pkg.Span(call.Pos(), call.End())}
		if r.annotated(&a, call.Args[0], documents) {
			found = append(found, a)
		}
	}
	return found
}

// annotated settles what an annotation is of.
func (r *reader) annotated(a *annotation, subject ast.Expr, documents []*aion.Document) bool {
	switch tv := r.infoOf(a.file, subject).Types[subject]; {
	case tv.Value != nil && tv.Value.Kind() == constant.String:
		a.tool = constant.StringVal(tv.Value)
		return r.hasTool(a.tool, subject, documents)
	case tv.IsValue() && isString(tv.Type):
		r.badFact(subject, "the name of a tool must be a constant: it is read when code is generated")
		return false
	}
	a.function = r.objectOf(a.file, subject)
	return a.function != nil
}

func isString(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsString != 0
}

// hasTool reports an annotation of a tool that the documents do not have. Where
// there are faulty elements, nobody knows what became of their names.
func (r *reader) hasTool(name string, at ast.Expr, documents []*aion.Document) bool {
	var known []string
	for _, doc := range documents {
		for _, el := range doc.Elements {
			if el.Faulty || el.Name.Value == name {
				return true
			}
			known = append(known, el.Name.Value)
		}
	}
	d := r.faults.Errorf("bad-annotation", r.pkg.Span(at.Pos(), at.End()), "the .aion files of package %s have no tool %q", r.pkg.Name, name)
	if near := words.Nearest(name, known); near != "" {
		d.WithHelp("did you mean %q?", near)
	} else {
		d.WithHelp("they have %s; a function stands without quotes", words.Sample(known))
	}
	return false
}

// apply takes over the facts of an annotation.
func (r *reader) apply(tool *model.Tool, a annotation) {
	for _, fact := range a.facts {
		if !applyMark(tool, r.runtimeName(a.file, fact)) && r.applyText(tool, a.file, fact) {
			r.checkExample(tool, r.pkg.Span(fact.Pos(), fact.End()))
		}
	}
}

// applyMark takes over an annotation without text, if it is one.
func applyMark(tool *model.Tool, name string) bool {
	switch x := &tool.Annotations; name {
	case "ReadOnly":
		x.ReadOnly, x.Additive, x.Idempotent = true, true, true
	case "Additive":
		x.Additive = true
	case "Idempotent":
		x.Idempotent = true
	case "ClosedWorld":
		x.ClosedWorld = true
	case "NoOutputSchema":
		tool.Untold = true
	default:
		return false
	}
	return true
}

// applyText takes over a title or an example, and reports whether it was an
// example.
func (r *reader) applyText(tool *model.Tool, file *ast.File, fact ast.Expr) (example bool) {
	call, ok := fact.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		r.badFact(fact, "what is annotated must be written out here: ReadOnly, Additive, Idempotent, ClosedWorld, NoOutputSchema, Title or Example of package tool")
		return false
	}
	value := r.infoOf(file, call.Args[0]).Types[call.Args[0]].Value
	if value == nil || value.Kind() != constant.String {
		r.badFact(call.Args[0], "a title or an example must be a constant string: it is read when code is generated")
		return false
	}
	switch text := constant.StringVal(value); r.runtimeName(file, call.Fun) {
	case "Title":
		tool.Title = text
	case "Example":
		tool.Example = text
		return true
	default:
		r.badFact(fact, "package tool has no such annotation")
	}
	return false
}

func (r *reader) badFact(at ast.Expr, message string) {
	r.faults.Errorf("bad-annotation", r.pkg.Span(at.Pos(), at.End()), "%s", message)
}

// checkExample holds the example of a tool against its arguments: an object with
// all that are required and no others. It is made compact.
func (r *reader) checkExample(tool *model.Tool, at diag.Span) {
	if tool.Example == "" || tool.Args == nil {
		return
	}
	bad := func(format string, args ...any) {
		r.faults.Errorf("bad-annotation", at, "the example of tool %q "+format, append([]any{tool.Name}, args...)...).
			WithHelp("write the arguments of a call as a JSON object")
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(tool.Example), &members); err != nil || members == nil {
		bad("is no JSON object")
		return
	}
	for _, f := range tool.Args.Fields {
		if f.Hidden {
			continue
		}
		if _, given := members[f.Name]; !given && !f.Optional {
			bad("leaves out %s, which is required", f.Name)
		}
		delete(members, f.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		bad("has %s, which is no argument", name)
	}
	if compact, err := jsontext.Marshal(json.RawMessage(tool.Example), ""); err == nil {
		tool.Example = string(compact)
	}
}

// objectOf is what an expression in a file refers to: a function, a method or a
// variable; nil for others.
func (r *reader) objectOf(file *ast.File, e ast.Expr) types.Object {
	e = ast.Unparen(e)
	info := r.infoOf(file, e)
	switch e := e.(type) {
	case *ast.Ident:
		return info.Uses[e]
	case *ast.SelectorExpr:
		return info.Uses[e.Sel]
	}
	return nil
}
