package resolve

import (
	"go/types"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/internal/lazyregexp"
)

// A referenceForm describes what users write by mistake instead of the name of a function, such as
// shop.go:Find.
type referenceForm struct {
	pattern     lazyregexp.Regexp // its groups are the type, which may be missing, and the name
	description string            // the reason, for help
}

// referenceForms are tried in order.
var referenceForms = []referenceForm{
	{lazyregexp.Regexp{Text: `^\(?&?\(?(\w+)\{[^}]*\}\)?\.(\w+)(?:\(.*\))?$`}, "this is a method of a value"},
	{lazyregexp.Regexp{Text: `^new\(\*?(\w+)\)\.(\w+)(?:\(.*\))?$`}, "this is a method of a value"},
	{lazyregexp.Regexp{Text: `^New(\w+)\([^)]*\)\.(\w+)(?:\(.*\))?$`}, "this is a method of a value"},
	{lazyregexp.Regexp{Text: `^[\w./-]*\.go(?:[:.#/]\d*)*[:.#/](?:(\w+)\.)?([A-Za-z_]\w*)$`}, "files are not part of the name"},
	{lazyregexp.Regexp{Text: `^[\w.-]*/(?:[\w.-]*/)*(?:[\w-]+\.)?()(\w+)$`}, "it is in this package"},
}

// identifiers matches the names in a text. Names joined by dots match together.
var identifiers = lazyregexp.Regexp{Text: `[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*`}

// helpWithMeant finds the function of the package that a text probably means, and suggests it in a
// diagnostic. It returns true if there is such a function.
func (r *resolver) helpWithMeant(d *diag.Diagnostic, text aion.Text) bool {
	source := strings.TrimSpace(text.Value)
	for i := range referenceForms {
		f := &referenceForms[i]
		m := f.pattern.Get().FindStringSubmatch(source)
		if m == nil {
			continue
		}
		if found, position := r.meantFunction(m[1], m[2]); found != "" {
			d.WithHelp("write %q%s: %s", found, position, f.description).WithGuess(text.Rewrite(found)...)
			return true
		}
	}
	joined := strings.Join(strings.FieldsFunc(source, func(c rune) bool { return c == '-' || c == ' ' }), "_")
	for _, name := range append([]string{joined}, identifiers.Get().FindAllString(source, 10)...) {
		owner, method, qualified := strings.Cut(name, ".")
		what := ""
		if !qualified {
			owner, method, what = "", name, "only the name, "
		}
		if found, position := r.meantFunction(owner, method); found != "" {
			d.WithHelp("write %s%q%s", what, found, position).WithGuess(text.Rewrite(found)...)
			return true
		}
	}
	return false
}

// meantFunction finds a function of the package, or a method unless owner is empty, by an approximate
// name. It returns the reference to write and the position (see DescribePlace), or "" for both if there
// is none.
func (r *resolver) meantFunction(owner, name string) (reference, position string) {
	if owner != "" {
		obj, _ := r.lookupIn(r.pkg.Types, owner)
		if t, ok := obj.(*types.TypeName); ok {
			if method := r.methodOf(t.Name(), name); method != nil {
				return "(*" + t.Name() + ")." + method.Name(), r.pkg.DescribePlace(method)
			}
		}
		return "", ""
	}
	if obj, _ := r.lookupIn(r.pkg.Types, name); obj != nil {
		if f, ok := obj.(*types.Func); ok {
			return f.Name(), r.pkg.DescribePlace(f)
		}
	}
	return "", ""
}

// otherTypeArgs matches a function with type arguments in the brackets of other languages.
var otherTypeArgs = lazyregexp.Regexp{Text: `^([A-Za-z_]\w*)(?:::)?(?:<(.*)>|\((.*)\))(?:\(.*\))?$`}

// withTypeArgs returns Gen[int] for Gen<int>, Gen::<int> and Gen(int), if Gen is a generic function
// with that number of type parameters.
func (r *resolver) withTypeArgs(source string) (string, bool) {
	m := otherTypeArgs.Get().FindStringSubmatch(source)
	if m == nil {
		return "", false
	}
	obj, _ := r.lookupIn(r.pkg.Types, m[1])
	f, ok := obj.(*types.Func)
	if !ok || f.Signature().TypeParams().Len() == 0 {
		return "", false
	}
	var args []string
	for arg := range strings.SplitSeq(m[2]+m[3], ",") {
		arg = strings.TrimSpace(arg)
		if t, err := r.NoteType(arg); err == nil {
			arg = r.pkg.TypeName(t)
		}
		args = append(args, arg)
	}
	if len(args) != f.Signature().TypeParams().Len() || args[0] == "" {
		return "", false
	}
	return f.Name() + "[" + strings.Join(args, ", ") + "]", true
}

// helpWithOwnFunction adds help to a diagnostic about an unknown x in x.name. It suggests the function of the
// package, or the method of one of its types, that has the name, and returns true if there is one.
func (r *resolver) helpWithOwnFunction(d *diag.Diagnostic, text aion.Text, name string) bool {
	if found, position := r.meantFunction("", name); found != "" {
		d.WithHelp("did you mean %s%s? functions of package %s are written without a package name", found, position, r.pkg.Name).WithGuess(text.Rewrite(found)...)
		return true
	}
	for _, owner := range typeNames(r.pkg.Types) {
		if found, position := r.meantFunction(owner, name); found != "" {
			d.WithHelp("did you mean the method %s%s?", found, position).WithGuess(text.Rewrite(found)...)
			return true
		}
	}
	return false
}

// sampleTypeArgs returns type arguments for a generic function or type, for help: those that the
// user has written, then those in the notes on parameters, and otherwise examples.
func (r *resolver) sampleTypeArgs(obj types.Object, written []string) []string {
	var params *types.TypeParamList
	sig, _ := obj.Type().(*types.Signature)
	switch t := obj.Type().(type) {
	case *types.Signature:
		params = t.TypeParams()
	case interface{ TypeParams() *types.TypeParamList }:
		params = t.TypeParams()
	default:
		return nil
	}
	var args []string
	for i := range params.Len() {
		arg := []string{"string", "int", "bool"}[i%3]
		if i < len(written) {
			arg = written[i]
		} else if sig != nil {
			if noted := r.notedType(sig, params.At(i)); noted != "" {
				arg = noted
			}
		}
		args = append(args, arg)
	}
	return args
}

// notedType returns the type in the note on the first parameter whose type is the given type
// parameter, or "" if there is none.
func (r *resolver) notedType(sig *types.Signature, param *types.TypeParam) string {
	n := 0
	for v := range sig.Params().Variables() {
		if r.supply.HasType(v.Type()) {
			continue
		}
		if v.Type() == param && n < len(r.args) && r.args[n].Note.Type != "" {
			if t, err := r.NoteType(r.args[n].Note.Type); err == nil {
				return r.pkg.TypeName(t)
			}
		}
		n++
	}
	return ""
}
