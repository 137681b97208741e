package bind

import (
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
)

// target is the Go function that a function text names.
type target struct {
	obj      types.Object     // *types.Func or *types.Var
	recv     *types.TypeName  // of a method
	sig      *types.Signature // without receiver
	docKey   string
	receiver types.Type // what Deps has to hold: *T, or an interface
}

var (
	plainName  = regexp.MustCompile(`^[\pL_][\pL\p{Nd}_]*$`)
	methodName = regexp.MustCompile(`^(?:\(\s*\*?\s*([\pL_][\pL\p{Nd}_]*)\s*\)|([\pL_][\pL\p{Nd}_]*))\.([\pL_][\pL\p{Nd}_]*)$`)
)

// resolve finds the function that the text of a function property names, and
// reports why there is none.
func (b *binder) resolve(text aion.Text) (target, bool) {
	name := strings.TrimSpace(text.Value)
	switch parts := methodName.FindStringSubmatch(name); {
	case plainName.MatchString(name):
		return b.resolveFunc(text, name)
	case parts != nil:
		return b.resolveMethod(text, parts[1]+parts[2], parts[3])
	case strings.HasPrefix(name, "lambda"):
		b.faults.Errorf("unsupported-function", text.Span, "lambdas are not compiled by this version of aiongen").
			Help = []string{"write a Go function in package " + b.pkg.Name + " and name it here"}
	case strings.HasPrefix(name, "func"):
		b.faults.Errorf("unsupported-function", text.Span, "function literals are not compiled by this version of aiongen").
			Help = []string{"give the function a name in package " + b.pkg.Name + " and name it here"}
	default:
		b.faults.Errorf("bad-function", text.Span, "%q is not the name of a function", name).
			Help = []string{"write a function's name, as in \"Find\", or a method, as in \"(*Store).Find\""}
	}
	return target{}, false
}

func (b *binder) resolveFunc(text aion.Text, name string) (target, bool) {
	scope := b.pkg.Types.Scope()
	obj, rivals := lookup(name, scope.Names(), scope.Lookup)
	if len(rivals) > 1 {
		b.ambiguous(text, name, rivals)
		return target{}, false
	}
	switch obj := obj.(type) {
	case nil:
		b.ghost(text, name, "function", "package "+b.pkg.Name, b.functions())
	case *types.Func:
		return b.accept(text, target{obj: obj, sig: obj.Signature(), docKey: obj.Name()})
	case *types.Var:
		if sig, ok := obj.Type().Underlying().(*types.Signature); ok {
			return b.accept(text, target{obj: obj, sig: sig, docKey: obj.Name()})
		}
		b.notFunction(text, obj, "a variable of type "+b.typeName(obj.Type()))
	case *types.TypeName:
		b.notFunction(text, obj, "a type")
	default:
		b.notFunction(text, obj, "a constant")
	}
	return target{}, false
}

func (b *binder) resolveMethod(text aion.Text, typeName, name string) (target, bool) {
	scope := b.pkg.Types.Scope()
	tn, ok := scope.Lookup(typeName).(*types.TypeName)
	if !ok {
		b.missingReceiver(text, typeName)
		return target{}, false
	}
	receiver := tn.Type()
	if !types.IsInterface(receiver) {
		receiver = types.NewPointer(receiver)
	}
	set := types.NewMethodSet(receiver)
	methods := map[string]types.Object{}
	var methodNames []string
	for m := range set.Methods() {
		methods[m.Obj().Name()] = m.Obj()
		methodNames = append(methodNames, m.Obj().Name())
	}
	obj, rivals := lookup(name, methodNames, func(name string) types.Object { return methods[name] })
	if len(rivals) > 1 {
		b.ambiguous(text, name, rivals)
		return target{}, false
	}
	if obj == nil {
		var all []types.Object
		for _, n := range methodNames {
			all = append(all, methods[n])
		}
		b.ghost(text, name, "method", "type "+typeName, all)
		return target{}, false
	}
	f := obj.(*types.Func)
	return b.accept(text, target{obj: f, recv: tn, sig: f.Signature(), docKey: methodDocKey(f), receiver: receiver})
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
	at := b.related(t.obj, t.obj.Name()+" is declared here")
	switch {
	case t.sig.TypeParams().Len() > 0:
		b.faults.Errorf("generic-function", text.Span, "%s is generic, and a tool needs one exact function", t.obj.Name()).
			Related = at
	case !t.obj.Exported() && b.foreign():
		d := b.faults.Errorf("unexported", text.Span, "%s is not exported, so package %s, where the generated code goes, cannot call it", t.obj.Name(), b.target.Name)
		d.Related = at
		d.Help = []string{fmt.Sprintf("rename it to %s, or generate into package %s itself, without -o", capitalised(t.obj.Name()), b.pkg.Name)}
	case invalid(t.sig):
		d := b.faults.Errorf("broken-go", text.Span, "the signature of %s does not type-check", t.obj.Name())
		d.Related = append(at, b.causes(t.docKey)...)
	default:
		return t, true
	}
	return target{}, false
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

// causes are the Go errors within a declaration.
func (b *binder) causes(docKey string) []diag.Related {
	var related []diag.Related
	where := b.docsOf(b.pkg.Types).extent[docKey]
	for _, fault := range b.pkg.Faults {
		if where.holds(fault.Pos) {
			related = append(related, diag.Related{Span: b.pkg.Span(fault.Pos, fault.Pos+1), Message: "the Go error: " + fault.Msg})
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
	if near := diag.Nearest(name, names); near != "" {
		found := candidates[slices.Index(names, near)]
		d.Help = []string{fmt.Sprintf("did you mean %s%s?", near, b.place(found))}
	} else if len(names) == 0 {
		d.Help = []string{fmt.Sprintf("%s has no %ss yet: write %s in Go", where, kind, name)}
	} else {
		d.Help = []string{fmt.Sprintf("%s has the %ss %s", where, kind, enumerate(names))}
	}
	for _, fault := range b.pkg.Faults {
		if !fault.Pos.IsValid() { // a syntax error may hide a function
			d.Help = append(d.Help, "a Go file of the package is broken, so that not all of it was read: "+fault.Msg)
			break
		}
	}
}

func (b *binder) missingReceiver(text aion.Text, name string) {
	var typeNames []string
	scope := b.pkg.Types.Scope()
	for _, n := range scope.Names() {
		if _, ok := scope.Lookup(n).(*types.TypeName); ok {
			typeNames = append(typeNames, n)
		}
	}
	d := b.faults.Errorf("ghost-tool", text.Span, "ghost tool: there is no type %s in package %s", name, b.pkg.Name)
	if near := diag.Nearest(name, typeNames); near != "" {
		d.Help = []string{fmt.Sprintf("did you mean %s%s?", near, b.place(scope.Lookup(near)))}
	}
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

// functions are the functions of the package, nearest candidates for a name.
func (b *binder) functions() []types.Object {
	var found []types.Object
	scope := b.pkg.Types.Scope()
	for _, name := range scope.Names() {
		if f, ok := scope.Lookup(name).(*types.Func); ok {
			found = append(found, f)
		}
	}
	return found
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
