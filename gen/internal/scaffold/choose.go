package scaffold

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/resolve"
	"github.com/aiongen/aiongen/gen/internal/source"
	"github.com/aiongen/aiongen/internal/words"
)

// A Function is a function or method from which a tool can be made.
type Function struct {
	Name string // as in an .aion file: Find, (*Store).Find
	Doc  string // first sentence of its comment
}

// listFunctions returns the exported functions of a package, then the methods of its
// exported types, each sorted by name.
func listFunctions(pkg *load.Package) (all []Function) {
	docs := source.NewDocReader(pkg).PackageDoc(pkg.Types)
	var methods []Function
	scope := pkg.Types.Scope()
	for _, name := range scope.Names() {
		switch obj := scope.Lookup(name); obj := obj.(type) {
		case *types.Func:
			if obj.Exported() {
				all = append(all, Function{name, firstSentence(docs.Text[name])})
			}
		case *types.TypeName:
			if obj.Exported() {
				methods = append(methods, methodsOf(obj, docs)...)
			}
		}
	}
	return append(all, methods...)
}

// methodsOf returns the exported methods of a type. These include methods that the type gets by embedding
// an unexported type, because an .aion file cannot name that type.
func methodsOf(obj *types.TypeName, docs *source.PackageDoc) (all []Function) {
	t := types.Unalias(obj.Type())
	if named, ok := t.(*types.Named); !ok || named.Obj() != obj {
		return nil // an alias of a type that is listed itself
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
		all = append(all, Function{name, firstSentence(docs.Text[cmp.Or(declared, obj).Name()+"."+method.Name()])})
	}
	return all
}

// firstSentence returns the first line of a text, up to the first period that is followed by a space.
func firstSentence(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	if end := strings.Index(text, ". "); end >= 0 {
		text = text[:end+1]
	}
	return text
}

// A choice is a function for which to write a tool.
type choice struct {
	name  string
	exact bool // chosen by name, not by a pattern
}

// chooseFunctions returns the functions that were requested by name, then those that match patterns, each
// once. If a function that matches a pattern has a variant that takes a context, the variant is chosen
// instead.
func (s *scaffold) chooseFunctions(pkg *load.Package) (chosen []choice) {
	added := map[string]bool{}
	var replaced []string
	add := func(name string, exact bool) {
		if !added[withoutPointer(name)] {
			added[withoutPointer(name)] = true
			chosen = append(chosen, choice{name, exact})
		}
	}
	names := s.cfg.Functions
	if s.cfg.All {
		names = append(slices.Clone(names), "*", "*.*")
	}
	for _, name := range names {
		if !isPattern(name) {
			add(s.paths.methodPath(pkg, name), true)
		}
	}
	for _, pattern := range names {
		if !isPattern(pattern) {
			continue
		}
		all := listFunctions(pkg)
		found := slices.DeleteFunc(slices.Clone(all), func(f Function) bool { return !matchesPattern(pattern, f.Name) })
		if len(found) == 0 && !s.cfg.All {
			s.reportNoMatch(pattern, pkg, all)
		}
		if !s.cfg.Helpers && matchesAll(pattern) {
			found = s.withoutHelpers(pkg, found)
		}
		for _, f := range found {
			variant := findContextVariant(pkg, all, f.Name)
			if variant != "" && !added[withoutPointer(f.Name)] {
				replaced = append(replaced, f.Name)
			}
			add(s.paths.methodPath(pkg, cmp.Or(variant, f.Name)), false)
		}
	}
	s.noteReplaced(replaced)
	s.noteHelpers(added)
	return chosen
}

// matchesAll reports whether a pattern matches all functions of the package or all methods of types.
func matchesAll(pattern string) bool {
	return pattern == "*" || strings.HasSuffix(pattern, ".*")
}

// noteReplaced adds a note that lists the functions that were replaced by a variant that takes a context.
func (s *scaffold) noteReplaced(functions []string) {
	slices.Sort(functions)
	functions = slices.Compact(functions)
	if len(functions) > 0 {
		s.faults.Notef("no-context", diag.Span{}, "%s left out, because there is a variant that takes a context: %s",
			words.Count(len(functions), "function"), words.Join(functions, ", ", maxListedFunctions)).
			WithHelp("a function that you name exactly is always written")
	}
}

// maxListedFunctions limits how many functions a note lists.
const maxListedFunctions = 8

// findContextVariant returns the variant of a function that takes a context, such as FindContext for Find,
// or "". The functions of the package are passed as all.
func findContextVariant(pkg *load.Package, all []Function, name string) string {
	f := lookupFunction(pkg.Types, name)
	if f == nil {
		return ""
	}
	variant := resolve.ContextVariant(f)
	if variant == nil {
		return ""
	}
	wanted := strings.TrimSuffix(withoutPointer(name), f.Name()) + variant.Name()
	i := slices.IndexFunc(all, func(f Function) bool { return withoutPointer(f.Name) == wanted })
	if i < 0 {
		return ""
	}
	return all[i].Name
}

// reportNoMatch reports a pattern that matches no function.
func (s *scaffold) reportNoMatch(pattern string, pkg *load.Package, all []Function) {
	fault := s.faults.Errorf("bad-function", diag.Span{}, "no exported function or method of package %s matches %s", pkg.Name, pattern)
	var holders []string
	for _, f := range all {
		if holder, _, ok := strings.Cut(withoutPointer(f.Name), "."); ok {
			holders = append(holders, holder)
		}
	}
	holder, _, _ := strings.Cut(withoutPointer(pattern), ".")
	if near := words.Nearest(holder, slices.Compact(holders)); near != "" && near != holder {
		fault.WithHelp("did you mean %s.*?", near)
		return
	}
	fault.WithHelp("go tool aiongen new %s lists the functions", s.cfg.Package)
}

// isPattern reports whether a name contains a wildcard, a * that is not part of a pointer
// type or a type argument.
func isPattern(name string) bool {
	name, _, _ = strings.Cut(withoutPointer(name), "[")
	return strings.Contains(name, "*")
}

// matchesPattern reports whether a pattern matches a function. A * matches any text without
// a dot; a pattern with (*T) matches only methods with pointer receivers.
func matchesPattern(pattern, name string) bool {
	if strings.HasPrefix(pattern, "(*") && !strings.HasPrefix(name, "(*") {
		return false
	}
	return slices.EqualFunc(strings.Split(withoutPointer(pattern), "."), strings.Split(withoutPointer(name), "."), matchesPart)
}

// matchesPart reports whether a pattern without dots, such as Find*, matches a name without dots.
func matchesPart(pattern, name string) bool {
	first, rest, hasWildcard := strings.Cut(pattern, "*")
	if !hasWildcard {
		return pattern == name
	}
	name, ok := strings.CutPrefix(name, first)
	if !ok {
		return false
	}
	segments := strings.Split(rest, "*")
	last := len(segments) - 1
	for _, segment := range segments[:last] {
		at := strings.Index(name, segment)
		if at < 0 {
			return false
		}
		name = name[at+len(segment):]
	}
	return strings.HasSuffix(name, segments[last])
}
