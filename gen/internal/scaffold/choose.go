package scaffold

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/godoc"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/internal/words"
)

// A Function is what a tool can be made of.
type Function struct {
	Name string // as the property function names it: Find, (*Store).Find
	Doc  string // the first sentence of its comment
}

// functions are the exported functions of a package in the order of their names,
// and behind them the methods of its exported types.
func functions(pkg *load.Package) (all []Function) {
	said := godoc.NewReader(pkg).Of(pkg.Types)
	var methods []Function
	scope := pkg.Types.Scope()
	for _, name := range scope.Names() {
		switch obj := scope.Lookup(name); obj := obj.(type) {
		case *types.Func:
			if obj.Exported() {
				all = append(all, Function{name, firstSentence(said.Text[name])})
			}
		case *types.TypeName:
			if obj.Exported() {
				methods = append(methods, methodsOf(obj, said)...)
			}
		}
	}
	return append(all, methods...)
}

// methodsOf are the exported methods of a type: its own, and those that come with
// fields of types that are not exported, which nobody can name.
func methodsOf(obj *types.TypeName, said *godoc.Source) (all []Function) {
	t := types.Unalias(obj.Type())
	if named, ok := t.(*types.Named); !ok || named.Obj() != obj {
		return nil // another name for a type that is listed by its own
	}
	holder := t
	if !types.IsInterface(t) {
		holder = types.NewPointer(t)
	}
	for selection := range types.NewMethodSet(holder).Methods() {
		method := selection.Obj().(*types.Func)
		declared, pointer := receiverOf(method)
		if !method.Exported() || declared != nil && declared != obj && declared.Exported() && !types.IsInterface(t) {
			continue
		}
		name := obj.Name() + "." + method.Name()
		if pointer {
			name = "(*" + obj.Name() + ")." + method.Name()
		}
		all = append(all, Function{name, firstSentence(said.Text[cmp.Or(declared, obj).Name()+"."+method.Name()])})
	}
	return all
}

// receiverOf is the type that a method is declared of, nil for one of an interface,
// and whether it has a pointer to that.
func receiverOf(method *types.Func) (declared *types.TypeName, pointer bool) {
	t := method.Signature().Recv().Type()
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t, pointer = p.Elem(), true
	}
	if named, ok := types.Unalias(t).(*types.Named); ok && !types.IsInterface(t) {
		declared = named.Obj()
	}
	return declared, pointer
}

// firstSentence ends at the first full stop with a blank behind it.
func firstSentence(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	if end := strings.Index(text, ". "); end >= 0 {
		text = text[:end+1]
	}
	return text
}

// A choice is a function that a tool is to be made of.
type choice struct {
	name  string
	exact bool // it was named, not matched
}

// choose returns the functions that are named, and those that patterns match, each
// once, in the order in which they were asked for.
func (s *scaffold) choose(pkg *load.Package) (chosen []choice) {
	known := map[string]bool{}
	add := func(name string, exact bool) {
		if !known[plain(name)] {
			known[plain(name)] = true
			chosen = append(chosen, choice{name, exact})
		}
	}
	asked := s.cfg.Functions
	if s.cfg.All {
		asked = append(slices.Clone(asked), "*", "*.*")
	}
	for _, name := range asked {
		if !isPattern(name) {
			add(name, true)
		}
	}
	for _, pattern := range asked {
		if !isPattern(pattern) {
			continue
		}
		all := functions(pkg)
		found := slices.DeleteFunc(slices.Clone(all), func(f Function) bool { return !matches(pattern, f.Name) })
		if len(found) == 0 && !s.cfg.All {
			s.noMatch(pattern, pkg, all)
		}
		for _, f := range found {
			add(f.Name, false)
		}
	}
	return chosen
}

// noMatch reports a pattern that no function matches.
func (s *scaffold) noMatch(pattern string, pkg *load.Package, all []Function) {
	fault := s.faults.Errorf("bad-function", diag.Span{}, "no exported function or method of package %s matches %s", pkg.Name, pattern)
	var holders []string
	for _, f := range all {
		if holder, _, ok := strings.Cut(plain(f.Name), "."); ok {
			holders = append(holders, holder)
		}
	}
	holder, _, _ := strings.Cut(plain(pattern), ".")
	if near := words.Nearest(holder, slices.Compact(holders)); near != "" && near != holder {
		fault.WithHelp("did you mean %s.*?", near)
		return
	}
	fault.WithHelp("aiongen new %s lists what there is", s.cfg.Package)
}

// plain is a name of a method without what tells a pointer.
func plain(name string) string { return strings.NewReplacer("(*", "", "(", "", ")", "").Replace(name) }

// isPattern reports whether a name has a * that is not that of a pointer, or of a
// type in brackets.
func isPattern(name string) bool {
	name, _, _ = strings.Cut(plain(name), "[")
	return strings.Contains(name, "*")
}

// matches reports whether a pattern is about a function: * stands for any text
// without a dot. One with (*T) is about methods of pointers alone.
func matches(pattern, name string) bool {
	if strings.HasPrefix(pattern, "(*") && !strings.HasPrefix(name, "(*") {
		return false
	}
	parts, of := strings.Split(plain(pattern), "."), strings.Split(plain(name), ".")
	return slices.EqualFunc(parts, of, matchesPart)
}

// matchesPart holds one part against what stands between dots.
func matchesPart(pattern, name string) bool {
	first, rest, some := strings.Cut(pattern, "*")
	if !some {
		return pattern == name
	}
	name, ok := strings.CutPrefix(name, first)
	if !ok {
		return false
	}
	pieces := strings.Split(rest, "*")
	last := len(pieces) - 1
	for _, piece := range pieces[:last] {
		at := strings.Index(name, piece)
		if at < 0 {
			return false
		}
		name = name[at+len(piece):]
	}
	return strings.HasSuffix(name, pieces[last])
}
