package source

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

// An annotation is a declaration about a function, or about a tool with a name:
//
//	var _ = tool.Annotate(Find, tool.ReadOnly)
type annotation struct {
	function   types.Object // nil if the annotation names a tool
	tool       string
	subject    ast.Expr   // the function or the name of the tool
	properties []ast.Expr // such as tool.ReadOnly
	file       *ast.File
	span       diag.Span
}

// matchesTool reports whether the annotation names the tool, or the function that the tool is bound to.
// The function may be nil.
func (a annotation) matchesTool(tool *model.Tool, function types.Object) bool {
	return a.tool == tool.Name || a.function != nil && a.function == function
}

// Annotations holds the annotations of a package.
type Annotations struct {
	pkg   *load.Package
	found []annotation
}

// ReadAnnotations reads the annotations of a package. It ignores annotations whose subject is neither a
// function nor a tool, because the Go compiler reports them.
func ReadAnnotations(pkg *load.Package) (Annotations, diag.List) {
	r := annotationReader{pkg: pkg, code: "bad-annotation"}
	return Annotations{pkg, r.readAnnotations()}, r.faults
}

// CheckTools returns diagnostics for annotations of tools that the documents do not contain. If an element
// of a document has errors, it returns none, because the element may be the missing tool.
func (as Annotations) CheckTools(documents []*aion.Document) (faults diag.List) {
	var known []string
	for _, doc := range documents {
		for _, el := range doc.Elements {
			if el.Faulty {
				return nil
			}
			known = append(known, el.Name.Value)
		}
	}
	for _, a := range as.found {
		if a.function != nil || slices.Contains(known, a.tool) {
			continue
		}
		d := faults.Errorf("bad-annotation", as.pkg.Span(a.subject.Pos(), a.subject.End()), "the .aion files of package %s have no tool %q", as.pkg.Name, a.tool)
		if near := words.Nearest(a.tool, known); near != "" {
			d.WithHelp("did you mean %q?", near)
		} else {
			d.WithHelp("the tools are %s; write the name of a function without quotes", words.Sample(known))
		}
	}
	return faults
}

// Apply sets the annotated properties of a tool. The function, which may be nil, is the one that the tool
// is bound to. Apply returns diagnostics for invalid annotations.
func (as Annotations) Apply(tool *model.Tool, function types.Object) diag.List {
	var matching []annotation
	for _, a := range as.found {
		if a.matchesTool(tool, function) {
			matching = append(matching, a)
		}
	}
	r := annotationReader{pkg: as.pkg, code: "bad-annotation"}
	if len(matching) > 1 {
		d := r.report(matching[1].span, "tool %q is annotated twice", tool.Name)
		d.Related = []diag.Related{{Span: matching[0].span, Message: "it was first annotated here"}}
		d.Help = []string{"combine them in one tool.Annotate"}
	}
	if len(matching) > 0 {
		r.applyProperties(tool, matching[0])
	}
	return r.faults
}

// An annotationReader reads annotations and collects diagnostics.
type annotationReader struct {
	pkg    *load.Package
	code   diag.Code // of the diagnostics
	faults diag.List
}

// report adds an error about a declaration.
func (r *annotationReader) report(at diag.Span, format string, args ...any) *diag.Diagnostic {
	return r.faults.Errorf(r.code, at, format, args...)
}

// reportExpr adds an error about a part of a declaration.
func (r *annotationReader) reportExpr(e ast.Expr, format string, args ...any) *diag.Diagnostic {
	return r.report(r.pkg.Span(e.Pos(), e.End()), format, args...)
}

func (r *annotationReader) readAnnotations() (found []annotation) {
	for file, call := range r.allCalls {
		if len(call.Args) == 0 || r.runtimeName(file, calledName(call)) != "Annotate" {
			continue
		}
		a := annotation{subject: call.Args[0], properties: call.Args[1:], file: file, span: r.pkg.Span(call.Pos(), call.End())}
		if r.setSubject(&a) {
			found = append(found, a)
		}
	}
	return found
}

// setSubject sets the function or the tool of an annotation, and reports whether it names one.
func (r *annotationReader) setSubject(a *annotation) bool {
	switch tv := r.checkExpr(a.file, a.subject).Types[a.subject]; {
	case tv.Value != nil && tv.Value.Kind() == constant.String:
		a.tool = constant.StringVal(tv.Value)
		return true
	case tv.IsValue() && isString(tv.Type):
		r.reportExpr(a.subject, "the name of a tool must be a constant, because it is read at compile time")
		return false
	}
	a.function = r.resolveObject(a.file, a.subject)
	return a.function != nil
}

func isString(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsString != 0
}

// applyProperties sets the properties of a tool that an annotation lists.
func (r *annotationReader) applyProperties(tool *model.Tool, a annotation) {
	for _, property := range a.properties {
		if !applyFlag(tool, r.runtimeName(a.file, property)) && r.applyText(tool, a.file, property) {
			r.checkExample(tool, r.pkg.Span(property.Pos(), property.End()))
		}
	}
}

// applyFlag sets a property that takes no text, such as ReadOnly. It reports false for other properties.
func applyFlag(tool *model.Tool, name string) bool {
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
		tool.OmitsOutput = true
	default:
		return false
	}
	return true
}

// applyText sets the title or the example of a tool, and reports whether it was an example.
func (r *annotationReader) applyText(tool *model.Tool, file *ast.File, property ast.Expr) (example bool) {
	call, ok := property.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		r.reportExpr(property, "an annotation must be written out here as one of ReadOnly, Additive, Idempotent, ClosedWorld, NoOutputSchema, Title or Example of package tool")
		return false
	}
	value := r.checkExpr(file, call.Args[0]).Types[call.Args[0]].Value
	if value == nil || value.Kind() != constant.String {
		r.reportExpr(call.Args[0], "a title or an example must be a constant string, because it is read at compile time")
		return false
	}
	switch text := constant.StringVal(value); r.runtimeName(file, call.Fun) {
	case "Title":
		tool.Title = text
	case "Example":
		tool.Example = text
		return true
	default:
		r.reportExpr(property, "package tool has no such annotation")
	}
	return false
}

// checkExample checks the example of a tool against its arguments: it must be an object
// with all required arguments and no others. It compacts the example.
func (r *annotationReader) checkExample(tool *model.Tool, at diag.Span) {
	if tool.Example == "" || tool.Args == nil {
		return
	}
	bad := func(format string, args ...any) {
		r.report(at, "the example of tool %q "+format, append([]any{tool.Name}, args...)...).
			WithHelp("write the arguments of a call as a JSON object")
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(tool.Example), &members); err != nil || members == nil {
		bad("is not a JSON object")
		return
	}
	for _, f := range tool.Args.Fields {
		if f.Hidden {
			continue
		}
		if _, given := members[f.Name]; !given && !f.Optional {
			bad("lacks the required argument %s", f.Name)
		}
		delete(members, f.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		bad("has %s, which is not an argument", name)
	}
	if compact, err := jsontext.Marshal(json.RawMessage(tool.Example), ""); err == nil {
		tool.Example = string(compact)
	}
}

// resolveObject returns the function, method or variable that an expression refers to, or
// nil.
func (r *annotationReader) resolveObject(file *ast.File, e ast.Expr) types.Object {
	e = ast.Unparen(e)
	info := r.checkExpr(file, e)
	switch e := e.(type) {
	case *ast.Ident:
		return info.Uses[e]
	case *ast.SelectorExpr:
		return info.Uses[e.Sel]
	}
	return nil
}

// calledName returns the function of a call without its type arguments.
func calledName(call *ast.CallExpr) ast.Expr {
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.IndexExpr:
		return f.X
	case *ast.IndexListExpr:
		return f.X
	default:
		return f
	}
}
