package bind

import (
	"encoding/json"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strconv"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/resolve"
	"github.com/aiongen/aiongen/internal/jsontext"
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

// findAnnotations lists the annotations of the package. What names neither a
// function nor a tool is left to the Go compiler.
func (b *binder) findAnnotations(documents []*aion.Document) (found []annotation) {
	for _, file := range b.pkg.Files {
		for _, decl := range file.Decls {
			general, ok := decl.(*ast.GenDecl)
			if !ok || general.Tok != token.VAR {
				continue
			}
			for _, spec := range general.Specs {
				for _, value := range spec.(*ast.ValueSpec).Values {
					call, ok := value.(*ast.CallExpr)
					if !ok || len(call.Args) == 0 || b.runtimeName(file, call.Fun) != "Annotate" {
						continue
					}
					a := annotation{facts: call.Args[1:], file: file, span: b.pkg.Span(call.Pos(), call.End())}
					if b.annotated(&a, call.Args[0], documents) {
						found = append(found, a)
					}
				}
			}
		}
	}
	return found
}

// annotated settles what an annotation is of.
func (b *binder) annotated(a *annotation, subject ast.Expr, documents []*aion.Document) bool {
	switch tv := b.infoOf(a.file, subject).Types[subject]; {
	case tv.Value != nil && tv.Value.Kind() == constant.String:
		a.tool = constant.StringVal(tv.Value)
		return b.hasTool(a.tool, subject, documents)
	case tv.IsValue() && isString(tv.Type):
		b.badFact(subject, "the name of a tool must be a constant: it is read when code is generated")
		return false
	}
	a.function = b.objectOf(a.file, subject)
	return a.function != nil
}

func isString(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsString != 0
}

// hasTool reports an annotation of a tool that the documents do not have. Where
// there are faulty elements, nobody knows what became of their names.
func (b *binder) hasTool(name string, at ast.Expr, documents []*aion.Document) bool {
	var known []string
	for _, doc := range documents {
		for _, el := range doc.Elements {
			if el.Faulty || el.Name.Value == name {
				return true
			}
			known = append(known, el.Name.Value)
		}
	}
	d := b.faults.Errorf("bad-annotation", b.pkg.Span(at.Pos(), at.End()), "the .aion files of package %s have no tool %q", b.pkg.Name, name)
	if near := diag.Nearest(name, known); near != "" {
		d.WithHelp("did you mean %q?", near)
	} else {
		d.WithHelp("they have %s; a function stands without quotes", resolve.Enumerate(known))
	}
	return false
}

// annotate takes over what the package says of a tool, by its name or by its
// function, and returns where its example stands.
func (b *binder) annotate(tool *model.Tool, function types.Object) (example diag.Span) {
	var said []annotation
	for _, a := range b.annotations {
		if a.of(tool, function) {
			said = append(said, a)
		}
	}
	if len(said) > 1 {
		d := b.faults.Errorf("bad-annotation", said[1].span, "tool %q is annotated twice", tool.Name)
		d.Related = []diag.Related{{Span: said[0].span, Message: "it was first annotated here"}}
		d.Help = []string{"put it all into one tool.Annotate"}
	}
	for _, a := range said[:min(len(said), 1)] {
		for _, fact := range a.facts {
			if !b.applyMark(&tool.Annotations, b.runtimeName(a.file, fact)) && b.applyText(tool, a.file, fact) {
				example = b.pkg.Span(fact.Pos(), fact.End())
			}
		}
	}
	return example
}

// applyMark takes over an annotation without text, if it is one.
func (b *binder) applyMark(x *model.Annotations, name string) bool {
	switch name {
	case "ReadOnly":
		x.ReadOnly, x.Additive, x.Idempotent = true, true, true
	case "Additive":
		x.Additive = true
	case "Idempotent":
		x.Idempotent = true
	case "ClosedWorld":
		x.ClosedWorld = true
	default:
		return false
	}
	return true
}

// applyText takes over a title or an example, and reports whether it was an
// example.
func (b *binder) applyText(tool *model.Tool, file *ast.File, fact ast.Expr) (example bool) {
	call, ok := fact.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		b.badFact(fact, "what is annotated must be written out here: ReadOnly, Additive, Idempotent, ClosedWorld, Title or Example of package tool")
		return false
	}
	value := b.infoOf(file, call.Args[0]).Types[call.Args[0]].Value
	if value == nil || value.Kind() != constant.String {
		b.badFact(call.Args[0], "a title or an example must be a constant string: it is read when code is generated")
		return false
	}
	switch text := constant.StringVal(value); b.runtimeName(file, call.Fun) {
	case "Title":
		tool.Title = text
	case "Example":
		tool.Example = text
		return true
	default:
		b.badFact(fact, "package tool has no such annotation")
	}
	return false
}

func (b *binder) badFact(at ast.Expr, message string) {
	b.faults.Errorf("bad-annotation", b.pkg.Span(at.Pos(), at.End()), "%s", message)
}

// checkExample holds the example of a tool against its arguments: an object with
// all that are required and no others. It is made compact.
func (b *binder) checkExample(tool *model.Tool, at diag.Span) {
	if tool.Example == "" || tool.Args == nil {
		return
	}
	bad := func(format string, args ...any) {
		b.faults.Errorf("bad-annotation", at, "the example of tool %q "+format, append([]any{tool.Name}, args...)...).
			WithHelp("write the arguments of a call as a JSON object")
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(tool.Example), &members); err != nil || members == nil {
		bad("is no JSON object")
		return
	}
	for _, f := range tool.Args.Fields {
		if _, given := members[f.Name]; !given && !f.Optional {
			bad("leaves out %s, which is required", f.Name)
		}
		delete(members, f.Name)
	}
	for _, name := range sortedKeys(members) {
		bad("has %s, which is no argument", name)
	}
	if compact, err := jsontext.Marshal(json.RawMessage(tool.Example), ""); err == nil {
		tool.Example = string(compact)
	}
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// runtimeName is the name of an object of the runtime's package tool that an
// expression refers to, by the imports of its file; "" if it does not.
func (b *binder) runtimeName(file *ast.File, e ast.Expr) string {
	for _, im := range file.Imports {
		if imported, err := strconv.Unquote(im.Path.Value); err != nil || imported != model.ToolPath {
			continue
		}
		name := path.Base(model.ToolPath)
		if im.Name != nil {
			name = im.Name.Name
		}
		switch e := e.(type) {
		case *ast.Ident:
			if name == "." {
				return e.Name
			}
		case *ast.SelectorExpr:
			if x, ok := e.X.(*ast.Ident); ok && x.Name == name {
				return e.Sel.Name
			}
		}
	}
	return ""
}

// objectOf is what an expression in a file refers to: a function, a method or a
// variable; nil for others.
func (b *binder) objectOf(file *ast.File, e ast.Expr) types.Object {
	e = ast.Unparen(e)
	info := b.infoOf(file, e)
	switch e := e.(type) {
	case *ast.Ident:
		return info.Uses[e]
	case *ast.SelectorExpr:
		return info.Uses[e.Sel]
	}
	return nil
}

// infoOf type-checks an expression where it stands. What is wrong with it is the
// Go compiler's to say.
func (b *binder) infoOf(file *ast.File, e ast.Expr) *types.Info {
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	_ = types.CheckExpr(b.pkg.Fset, b.pkg.Types, file.Name.Pos(), e, info)
	return info
}
