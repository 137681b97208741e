package bind

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
)

// target is the Go function that a function text names.
type target struct {
	obj      types.Object     // *types.Func or *types.Var, nil if it is a literal; of a lambda, the function that it stands for
	sig      *types.Signature // without receiver, type arguments put in
	args     []types.Type     // type arguments
	receiver types.Type       // of a method: what Deps has to hold, *T or an interface
	holder   *types.Var       // of a method of a package variable: that variable
	docKey   string

	literal *literal // of a function literal, which is no object
}

// describe is the function as messages show it.
func (t target) describe() string {
	switch {
	case t.literal != nil && t.literal.lambda != nil:
		return "the lambda"
	case t.literal != nil:
		return "the function literal"
	}
	return t.obj.Name()
}

// pkg is the package that declares the function, nil if it is none.
func (t target) pkg() *types.Package {
	if t.obj == nil {
		return nil
	}
	return t.obj.Pkg()
}

// A reference is the text of a function property, taken apart.
type reference struct {
	text     aion.Text
	path     string // import path in front, "" if none
	expr     ast.Expr
	typeArgs []ast.Expr
}

// resolve finds the function that the text of a function property names, and
// reports why there is none.
func (b *binder) resolve(el *aion.Element) (target, bool) {
	text := el.Function.Text
	switch source := strings.TrimSpace(text.Value); {
	case isLambda(source):
		return b.resolveLambda(el)
	case strings.HasPrefix(source, "func(") || strings.HasPrefix(source, "func ("):
		return b.resolveLiteral(text)
	}
	ref, ok := b.parseReference(text)
	if !ok {
		return target{}, false
	}
	if ref.path != "" {
		return b.resolveByPath(ref)
	}
	switch e := ref.expr.(type) {
	case *ast.Ident:
		return b.resolveMember(ref, b.pkg.Types, e.Name)
	case *ast.SelectorExpr:
		return b.resolveSelector(ref, e)
	}
	b.badReference(ref.text)
	return target{}, false
}

// parseReference takes a function text apart. An import path with slashes is
// no Go expression, so it is cut off first.
func (b *binder) parseReference(text aion.Text) (reference, bool) {
	ref := reference{text: text}
	source := strings.TrimSpace(text.Value)
	if slash := strings.LastIndexByte(source, '/'); slash >= 0 && !strings.ContainsAny(source[:slash], "[ (") {
		dot := strings.IndexByte(source[slash:], '.')
		if dot < 0 {
			b.badReference(text)
			return ref, false
		}
		ref.path, source = source[:slash+dot], source[slash+dot+1:]
	}
	expr, err := parser.ParseExpr(source)
	if err != nil {
		b.badReference(text)
		return ref, false
	}
	ref.expr, ref.typeArgs = typeArguments(expr)
	return ref, true
}

func (b *binder) badReference(text aion.Text) {
	source := strings.TrimSpace(text.Value)
	d := b.faults.Errorf("bad-function", text.Span, "%q is not the name of a function", source)
	expr, _ := parser.ParseExpr(source)
	if call, ok := expr.(*ast.CallExpr); ok {
		switch call.Fun.(type) {
		case *ast.Ident, *ast.SelectorExpr:
			d.WithHelp("write the name alone, %q: the model supplies the arguments", types.ExprString(call.Fun))
			return
		}
	}
	d.WithHelp("write a function's name, as in \"Find\", or a method, as in \"(*Store).Find\"")
}

// resolveByPath finds a function by the import path of its package.
func (b *binder) resolveByPath(ref reference) (target, bool) {
	pkg, err := b.pkg.Types, error(nil)
	if ref.path != b.pkg.Path {
		pkg, err = b.pkg.Import(ref.path)
	}
	if err != nil {
		b.faults.Errorf("no-package", ref.text.Span, "package %s cannot be imported: %v", ref.path, err).SplitMessage()
		return target{}, false
	}
	switch e := ref.expr.(type) {
	case *ast.Ident:
		return b.resolveMember(ref, pkg, e.Name)
	case *ast.SelectorExpr:
		owner, args := receiver(e.X)
		if name, ok := owner.(*ast.Ident); ok {
			return b.resolveMethod(ref, pkg, name.Name, args, e.Sel.Name)
		}
	}
	b.badReference(ref.text)
	return target{}, false
}

// resolveSelector finds a.B and (*a).B: in a package, else a type, else a
// variable, else this package by its name, else a package that is not imported yet.
func (b *binder) resolveSelector(ref reference, e *ast.SelectorExpr) (target, bool) {
	owner, args := receiver(e.X)
	switch x := owner.(type) {
	case *ast.Ident:
		if pkg := b.packageNamed(x.Name); pkg != nil {
			return b.resolveMember(ref, pkg, e.Sel.Name)
		}
		return b.resolveMethod(ref, b.pkg.Types, x.Name, args, e.Sel.Name)
	case *ast.SelectorExpr:
		if name, ok := x.X.(*ast.Ident); ok {
			if pkg := b.packageNamed(name.Name); pkg != nil {
				return b.resolveMethod(ref, pkg, x.Sel.Name, args, e.Sel.Name)
			}
		}
	}
	b.badReference(ref.text)
	return target{}, false
}

// packageNamed is the package that a name stands for, if it does: an imported
// one, else, unless the package declares the name, itself or one that is not
// imported yet.
func (b *binder) packageNamed(name string) *types.Package {
	if pkg := b.imported(name); pkg != nil {
		return pkg
	}
	if b.pkg.Types.Scope().Lookup(name) != nil {
		return nil
	}
	if name == b.pkg.Name {
		return b.pkg.Types
	}
	pkg, err := b.pkg.Import(name)
	if err != nil {
		return nil
	}
	return pkg
}

// receiver is T, with its type arguments, of T, (T), (*T) and *T.
func receiver(e ast.Expr) (owner ast.Expr, args []ast.Expr) {
	e = ast.Unparen(e)
	if star, ok := e.(*ast.StarExpr); ok {
		e = ast.Unparen(star.X)
	}
	return typeArguments(e)
}

// typeArguments takes the type arguments off an expression.
func typeArguments(e ast.Expr) (plain ast.Expr, args []ast.Expr) {
	switch e := e.(type) {
	case *ast.IndexExpr:
		return e.X, []ast.Expr{e.Index}
	case *ast.IndexListExpr:
		return e.X, e.Indices
	}
	return e, nil
}

// imported is the package that a file of the source package imports by a name.
func (b *binder) imported(name string) *types.Package {
	for _, file := range b.pkg.Files {
		for _, spec := range file.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			if spec.Name != nil && spec.Name.Name != name {
				continue
			}
			for _, p := range b.pkg.Types.Imports() {
				if p.Path() == path && (spec.Name != nil || p.Name() == name) {
					return p
				}
			}
		}
	}
	return nil
}

// resolveMember finds a function, or a variable that holds one, of a package.
func (b *binder) resolveMember(ref reference, pkg *types.Package, name string) (target, bool) {
	obj, ok := b.member(ref, pkg, name)
	if !ok {
		return target{}, false
	}
	switch obj := obj.(type) {
	case *types.Func:
		return b.instantiate(ref, target{obj: obj, sig: obj.Signature(), docKey: obj.Name()})
	case *types.Var:
		if sig, ok := obj.Type().Underlying().(*types.Signature); ok {
			return b.instantiate(ref, target{obj: obj, sig: sig, docKey: obj.Name()})
		}
		b.notFunction(ref.text, obj, "a variable of type "+b.typeName(obj.Type()))
	case *types.TypeName:
		b.notFunction(ref.text, obj, "a type")
	default:
		b.notFunction(ref.text, obj, "a constant")
	}
	return target{}, false
}

// member finds an object of a package by its name or a spelling of it.
func (b *binder) member(ref reference, pkg *types.Package, name string) (types.Object, bool) {
	obj, rivals := b.lookupIn(pkg, name)
	for _, path := range b.dotImports(pkg) {
		if imported, err := b.pkg.Import(path); obj == nil && err == nil {
			obj, rivals = b.lookupIn(imported, name)
		}
	}
	switch {
	case len(rivals) > 1:
		b.ambiguous(ref.text, name, rivals)
		return nil, false
	case obj == nil:
		b.ghost(ref.text, name, "function", "package "+pkg.Name(), functions(pkg.Scope(), b.namesOf(pkg)))
		return nil, false
	}
	return obj, true
}

// lookupIn finds an object of a package by its name or a spelling of it.
func (b *binder) lookupIn(pkg *types.Package, name string) (types.Object, []types.Object) {
	if obj := pkg.Scope().Lookup(name); obj != nil && (pkg == b.pkg.Types || obj.Exported()) {
		return obj, nil
	}
	spellings := b.spellings[pkg]
	if spellings == nil {
		spellings = map[string][]string{}
		for _, n := range b.namesOf(pkg) {
			spellings[anySpelling(n)] = append(spellings[anySpelling(n)], n)
		}
		b.spellings[pkg] = spellings
	}
	return lookup(name, spellings[anySpelling(name)], pkg.Scope().Lookup)
}

// anySpelling is the same for all names that differ in their spelling alone.
func anySpelling(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// namesOf are the names of a package that a function text may mention.
func (b *binder) namesOf(pkg *types.Package) []string {
	if pkg == b.pkg.Types {
		return pkg.Scope().Names()
	}
	return exportedNames(pkg)
}

func exportedNames(pkg *types.Package) []string {
	return slices.DeleteFunc(pkg.Scope().Names(), func(n string) bool { return !isExported(n) })
}

// dotImports are the packages whose names the source package has as its own.
func (b *binder) dotImports(pkg *types.Package) []string {
	if pkg != b.pkg.Types {
		return nil
	}
	return b.importedPaths(".")
}

// instantiate puts type arguments into a generic function.
func (b *binder) instantiate(ref reference, t target) (target, bool) {
	args, ok := b.typeArgs(ref.text, t.obj, t.sig.TypeParams().Len(), ref.typeArgs, "a tool needs one exact function")
	if !ok {
		return target{}, false
	}
	if t.args = args; len(args) > 0 {
		instance, ok := b.instance(ref.text, t.obj, t.sig, args)
		if !ok {
			return target{}, false
		}
		t.sig = instance.(*types.Signature)
	}
	return b.accept(ref.text, t)
}

// typeArgs evaluates the type arguments of a generic function or type, of which
// so many are wanted.
func (b *binder) typeArgs(text aion.Text, obj types.Object, want int, exprs []ast.Expr, why string) (args []types.Type, ok bool) {
	if len(exprs) != want {
		d := b.faults.Errorf("generic-function", text.Span, "%s is generic, and %s", obj.Name(), why)
		if want == 0 {
			d.Message = obj.Name() + " is not generic, and takes no type arguments"
		} else {
			d.WithHelp("write its %s behind it, as in %s[%s]", plural(want, "type argument"), obj.Name(), strings.Join([]string{"string", "int", "bool"}[:min(want, 3)], ", "))
		}
		d.Related = b.related(obj, obj.Name()+" is declared here")
		return nil, false
	}
	for _, e := range exprs {
		arg, err := b.checkType(e)
		if err != nil {
			b.faults.Errorf("bad-type", text.Span, "type argument %s of %s: %v", types.ExprString(e), obj.Name(), err)
			return nil, false
		}
		args = append(args, arg)
	}
	return args, true
}

func (b *binder) instance(text aion.Text, obj types.Object, generic types.Type, args []types.Type) (types.Type, bool) {
	instance, err := types.Instantiate(nil, generic, args, true)
	if err != nil {
		b.faults.Errorf("bad-type", text.Span, "%s: %v", obj.Name(), err).Related = b.related(obj, obj.Name()+" is declared here")
	}
	return instance, err == nil
}

// resolveMethod finds a method of a type, with its type arguments, or of what a
// package variable holds.
func (b *binder) resolveMethod(ref reference, pkg *types.Package, owner string, args []ast.Expr, name string) (target, bool) {
	t := target{}
	switch obj := pkg.Scope().Lookup(owner).(type) {
	case *types.TypeName:
		var ok bool
		if t.receiver, ok = b.receiverType(ref, obj, args); !ok {
			return target{}, false
		}
	case *types.Var:
		if _, ok := b.typeArgs(ref.text, obj, 0, args, ""); !ok {
			return target{}, false
		}
		t.holder, t.receiver = obj, obj.Type()
	default:
		b.missingReceiver(ref.text, pkg, owner)
		return target{}, false
	}
	methods := methodsOf(t.receiver, pkg == b.pkg.Types)
	known := slices.Sorted(maps.Keys(methods))
	obj, rivals := lookup(name, known, func(name string) types.Object { return methods[name] })
	if len(rivals) > 1 {
		b.ambiguous(ref.text, name, rivals)
		return target{}, false
	}
	if obj == nil {
		var all []types.Object
		for _, n := range known {
			all = append(all, methods[n])
		}
		b.ghost(ref.text, name, "method", owner, all)
		return target{}, false
	}
	f := obj.(*types.Func)
	t.obj, t.sig, t.docKey = f, f.Signature(), methodDocKey(f)
	if t.holder != nil {
		t.receiver = nil
	}
	return b.instantiate(ref, t)
}

// receiverType is what Deps has to hold for the methods of a type: a pointer,
// or an interface.
func (b *binder) receiverType(ref reference, obj *types.TypeName, exprs []ast.Expr) (types.Type, bool) {
	t, want := obj.Type(), 0
	if generic, ok := t.(interface{ TypeParams() *types.TypeParamList }); ok {
		want = generic.TypeParams().Len()
	}
	args, ok := b.typeArgs(ref.text, obj, want, exprs, "a receiver is one exact type")
	if ok && want > 0 {
		t, ok = b.instance(ref.text, obj, t, args)
	}
	if !ok {
		return nil, false
	}
	t = types.Unalias(t)
	if _, pointer := t.(*types.Pointer); pointer || types.IsInterface(t) {
		return t, true
	}
	return types.NewPointer(t), true
}

// methodsOf lists the methods that can be called on a value of a type; a
// variable's address can be taken, so those of its pointer count.
func methodsOf(t types.Type, own bool) map[string]types.Object {
	if _, pointer := types.Unalias(t).(*types.Pointer); !pointer && !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	methods := map[string]types.Object{}
	for m := range types.NewMethodSet(t).Methods() {
		if own || m.Obj().Exported() {
			methods[m.Obj().Name()] = m.Obj()
		}
	}
	return methods
}

// methodDocKey names the method where it is declared, which for a promoted one
// is another type.
func methodDocKey(f *types.Func) string {
	t := f.Signature().Recv().Type()
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Obj().Name() + "." + f.Name()
	}
	return f.Name()
}

// lookup finds the object of that name, or of a Go spelling of it: the
// exported ones first, and all of the same rank.
func lookup(name string, names []string, find func(string) types.Object) (types.Object, []types.Object) {
	if slices.Contains(names, name) {
		return find(name), nil
	}
	var exported, others []types.Object
	for _, candidate := range names {
		if !spelledAs(name, candidate) {
			continue
		}
		if isExported(candidate) {
			exported = append(exported, find(candidate))
		} else {
			others = append(others, find(candidate))
		}
	}
	if len(exported) == 0 {
		exported = others
	}
	if len(exported) == 0 {
		return nil, nil
	}
	return exported[0], exported
}

// accept checks what holds for every function that a tool calls.
func (b *binder) accept(text aion.Text, t target) (target, bool) {
	if hidden := t.unexported(); hidden != nil && b.foreign() {
		d := b.faults.Errorf("unexported", text.Span, "%s is not exported, so package %s, where the generated code goes, cannot call it", hidden.Name(), b.target.Name)
		d.Related = b.related(hidden, hidden.Name()+" is declared here")
		d.Help = []string{fmt.Sprintf("rename it to %s, or generate into package %s itself, without -o", capitalised(hidden.Name()), b.pkg.Name)}
		return target{}, false
	}
	if invalid(t.sig) {
		d := b.faults.Errorf("broken-go", text.Span, "the signature of %s does not type-check", t.describe())
		d.Related = append(b.declaration(t), b.causes(t.docKey)...)
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

func invalid(sig *types.Signature) bool {
	for _, tuple := range []*types.Tuple{sig.Params(), sig.Results()} {
		for v := range tuple.Variables() {
			if hasInvalid(v.Type()) {
				return true
			}
		}
	}
	return false
}

// hasInvalid looks through type literals, not into named types.
func hasInvalid(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Kind() == types.Invalid
	case *types.Map:
		return hasInvalid(t.Key()) || hasInvalid(t.Elem())
	case *types.Named:
		return t.Underlying() == types.Typ[types.Invalid]
	case interface{ Elem() types.Type }:
		return hasInvalid(t.Elem())
	}
	return false
}

// causes are the Go errors within a declaration, or in the imports above it if it
// has none: what they do not bring in is no error where it is used.
func (b *binder) causes(docKey string) []diag.Related {
	where := b.docsOf(b.pkg.Types).extent[docKey]
	if found := b.faultsWithin(where); len(found) > 0 {
		return found
	}
	var related []diag.Related
	for _, file := range b.pkg.Files {
		if file.FileStart <= where.from && where.from < file.FileEnd {
			for _, spec := range file.Imports {
				related = append(related, b.faultsWithin(extent{spec.Pos(), spec.End()})...)
			}
		}
	}
	return related
}

func (b *binder) faultsWithin(where extent) (related []diag.Related) {
	for _, fault := range b.pkg.Faults {
		if where.holds(fault.Pos) {
			message := strings.Join(strings.Fields(fault.Msg), " ") // it may have several lines
			related = append(related, diag.Related{Span: b.pkg.Span(fault.Pos, fault.Pos+1), Message: "the Go error: " + message})
		}
	}
	return related
}

func (b *binder) ghost(text aion.Text, name, kind, where string, candidates []types.Object) {
	d := b.faults.Errorf("ghost-tool", text.Span, "ghost tool: there is no %s %s in %s", kind, name, where)
	var names []string
	for _, c := range candidates {
		names = append(names, c.Name())
	}
	if method := b.methodNamed(name); method != "" && kind == "function" && where == "package "+b.pkg.Name {
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
	scope := b.pkg.Types.Scope()
	for _, owner := range scope.Names() {
		t, ok := scope.Lookup(owner).(*types.TypeName)
		if !ok {
			continue
		}
		methods := methodsOf(t.Type(), true)
		if obj, _ := lookup(name, slices.Sorted(maps.Keys(methods)), func(name string) types.Object { return methods[name] }); obj != nil {
			return fmt.Sprintf("(*%s).%s%s", owner, obj.Name(), b.place(obj))
		}
	}
	return ""
}

func (b *binder) missingReceiver(text aion.Text, pkg *types.Package, name string) {
	d := b.faults.Errorf("ghost-tool", text.Span, "ghost tool: there is no type %s in package %s", name, pkg.Name())
	switch near := diag.Nearest(name, typeNames(pkg)); {
	case near != "":
		d.WithHelp("did you mean %s%s?", near, b.place(pkg.Scope().Lookup(near)))
	case pkg == b.pkg.Types:
		d.WithHelp("if %s is a package, import it in a Go file, or write its path", name)
	}
}

// typeNames are the types that a package declares.
func typeNames(pkg *types.Package) []string {
	return slices.DeleteFunc(pkg.Scope().Names(), func(name string) bool {
		_, isType := pkg.Scope().Lookup(name).(*types.TypeName)
		return !isType
	})
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
	names = sortedCopy(names)
	if len(names) > most {
		return strings.Join(names[:most], ", ") + " …"
	}
	return strings.Join(names, ", ")
}
