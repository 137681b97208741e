package scaffold

import (
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/resolve"
	"github.com/aiongen/aiongen/internal/words"
)

// Some methods take what they write as functional options: PostMessage(channelID, MsgOptionText(…)). JSON
// cannot carry these, and without them nothing is left to write. Their tool is a function literal that
// makes one option from a text, with a TODO for the others.

// A contentLiteral is the function literal for a method whose options carry the content.
type contentLiteral struct {
	text   string   // of the literal
	used   string   // constructor of the option that it creates
	others []string // constructors of other options

	unnamed bool // a person has to name the results
}

// writingVerb matches the names of methods that write what they are given.
var writingVerb = regexp.MustCompile(`^(?:Post|Send|Update|Edit|Reply|Publish|Write|Schedule)[A-Z\d]`)

// identifierName matches the names of parameters that say where a method writes.
var identifierName = regexp.MustCompile(`(?i)(?:id|name|key|channel|timestamp|ts|path|topic|postat)$`)

// contentConstructor matches the names of options that set a text.
var contentConstructor = regexp.MustCompile(`(?:Text|Content|Body|Message|Data)$`)

// findContentLiteral returns the literal for a method whose variadic options carry the content, and
// false for other methods.
func findContentLiteral(pkg *load.Package, fn *types.Func) (l contentLiteral, ok bool) {
	if fn == nil || fn.Signature().Recv() == nil || !fn.Signature().Variadic() || !writingVerb.MatchString(fn.Name()) || !takesIdentifiers(fn.Signature()) {
		return l, false
	}
	params := fn.Signature().Params()
	option := params.At(params.Len() - 1).Type().(*types.Slice).Elem()
	if named := namedOf(option); named == nil || named.Obj().Pkg() != pkg.Types {
		return l, false
	}
	var constructor *types.Func
	for _, f := range optionConstructors(pkg, option) {
		if contentConstructor.MatchString(f.Name()) && takesText(f.Signature()) && (constructor == nil || len(f.Name()) < len(constructor.Name())) {
			constructor = f
		}
		l.others = append(l.others, f.Name())
	}
	if constructor == nil {
		return l, false
	}
	l.used, l.text, l.unnamed = constructor.Name(), contentText(pkg, fn, constructor), hasUnnamedValues(fn.Signature())
	l.others = slices.DeleteFunc(l.others, func(name string) bool { return name == l.used })
	return l, true
}

// describeTODO returns the start of the description, which says what a person has to do, or "" if
// there is nothing to do.
func (l contentLiteral) describeTODO() string {
	if len(l.others) == 0 {
		if l.unnamed {
			return "TODO: name the results, and delete this sentence. "
		}
		return ""
	}
	start, end := "the", "this sentence"
	if l.unnamed {
		start, end = "name the results. The", "these sentences"
	}
	return fmt.Sprintf("TODO: %s model can set only the text (%s). Add arguments for %s, or delete %s. ", start, l.used, words.Join(l.others, " and ", maxListedLosses), end)
}

// takesIdentifiers reports whether all parameters of a variadic function, except the last, only say where
// it writes.
func takesIdentifiers(sig *types.Signature) bool {
	params := slices.Collect(sig.Params().Variables())
	return !slices.ContainsFunc(params[:len(params)-1], func(v *types.Var) bool {
		return !resolve.IsRuntimeSupplied(v.Type()) && !(isBasic(v.Type(), types.IsString) && identifierName.MatchString(v.Name()))
	})
}

// optionConstructors returns the exported functions of a package that return an option.
func optionConstructors(pkg *load.Package, option types.Type) (all []*types.Func) {
	scope := pkg.Types.Scope()
	for _, name := range scope.Names() {
		f, ok := scope.Lookup(name).(*types.Func)
		if ok && f.Exported() && f.Signature().Results().Len() == 1 && types.Identical(f.Signature().Results().At(0).Type(), option) {
			all = append(all, f)
		}
	}
	return all
}

// takesText reports whether a function takes a text and then only simple values.
func takesText(sig *types.Signature) bool {
	if sig.Params().Len() == 0 || sig.Variadic() || !isBasic(sig.Params().At(0).Type(), types.IsString) {
		return false
	}
	return !slices.ContainsFunc(slices.Collect(sig.Params().Variables()), func(v *types.Var) bool { return !isBasic(v.Type(), types.IsConstType) })
}

// contentText returns the text of the literal.
func contentText(pkg *load.Package, fn, constructor *types.Func) string {
	qualifier := func(p *types.Package) string { return p.Name() }
	sig := fn.Signature()
	inUse := []string{"text"}
	var params, callArgs []string
	for v := range sig.Params().Variables() {
		if v == sig.Params().At(sig.Params().Len()-1) {
			break
		}
		name := v.Name()
		if resolve.IsRuntimeSupplied(v.Type()) {
			name = "ctx"
		}
		inUse, params, callArgs = append(inUse, name), append(params, name+" "+types.TypeString(v.Type(), qualifier)), append(callArgs, name)
	}
	receiver := "client"
	for slices.Contains(inUse, receiver) {
		receiver += "_"
	}
	at := 0
	if len(callArgs) > 0 && callArgs[0] == "ctx" {
		at = 1
	}
	params = slices.Insert(params, at, receiver+" "+types.TypeString(sig.Recv().Type(), qualifier))
	values := []string{"text"}
	for i := 1; i < constructor.Signature().Params().Len(); i++ {
		values = append(values, zeroOf(constructor.Signature().Params().At(i).Type()))
	}
	return fmt.Sprintf("func(%s, text string) (%s) {\n  return %s.%s(%s, %s.%s(%s))\n}", strings.Join(params, ", "), contentResults(sig, append(inUse, receiver, pkg.Name), qualifier),
		receiver, fn.Name(), strings.Join(callArgs, ", "), pkg.Name, constructor.Name(), strings.Join(values, ", "))
}

// contentResults returns the results of the literal. If there are several, they get names, because a model
// sees them as fields. The names in inUse are not available.
func contentResults(sig *types.Signature, inUse []string, qualifier types.Qualifier) string {
	var results []string
	for i := range sig.Results().Len() {
		v := sig.Results().At(i)
		text := types.TypeString(v.Type(), qualifier)
		if countValues(sig) > 1 {
			name := strings.TrimLeft(v.Name(), "_")
			switch {
			case name == "" && i == sig.Results().Len()-1 && returnsError(sig):
				name = "err"
			case name == "":
				name = fmt.Sprintf("result%d", i+1)
			}
			for slices.Contains(inUse, name) {
				name += "Result"
			}
			inUse, text = append(inUse, name), name+" "+text
		}
		results = append(results, text)
	}
	return strings.Join(results, ", ")
}

// countValues returns the number of results of a function without the error at the end.
func countValues(sig *types.Signature) int {
	if returnsError(sig) {
		return sig.Results().Len() - 1
	}
	return sig.Results().Len()
}

// hasUnnamedValues reports whether a function has several results without names.
func hasUnnamedValues(sig *types.Signature) bool {
	return countValues(sig) > 1 && strings.TrimLeft(sig.Results().At(0).Name(), "_") == ""
}

// zeroOf returns the zero value of a basic type.
func zeroOf(t types.Type) string {
	switch {
	case isBasic(t, types.IsBoolean):
		return "false"
	case isBasic(t, types.IsString):
		return `""`
	}
	return "0"
}

// useContentLiterals replaces methods whose options carry the content by function literals, if the
// package of the file injects the client and the literals compile there. Otherwise, the descriptions
// of the methods say what to write.
func (s *scaffold) useContentLiterals(pkg *load.Package, t target, doc *aion.Document) {
	var all []replacement
	for i, el := range doc.Elements {
		l, ok := findContentLiteral(pkg, lookupFunction(pkg.Types, s.chosen[i].name))
		if !ok || el.Description == nil {
			continue
		}
		before := el.Description.Value
		literal := withFunction(el, l.text, nil)
		literal.Description = &aion.Text{Value: l.describeTODO() + before}
		todo := fmt.Sprintf("TODO: JSON cannot carry the content, because it is in options. Declare tool.Inject[%s](), and name this function: %s %s",
			types.TypeString(lookupFunction(pkg.Types, s.chosen[i].name).Signature().Recv().Type(), func(p *types.Package) string { return p.Name() }), strings.Join(strings.Fields(l.text), " "), before)
		all = append(all, replacement{i, literal, todo})
	}
	s.replaceElements(doc, all, func(literals *aion.Document) map[string]*aion.Element {
		if !s.injects {
			return nil
		}
		return s.bindLambdas(literals, t)
	})
}
