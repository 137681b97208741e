package main

import (
	"cmp"
	"errors"
	"go/types"
	"hash/fnv"
	"path"
	"slices"
	"strings"

	gopackages "golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"
)

// A function is a Go function for which aiongen new can write a tool.
type function struct {
	name string
	*types.Func
}

// listFunctions returns the exported functions of a package and the methods of its exported types.
func (m module) listFunctions(importPath string) (all []function, err error) {
	loaded, err := gopackages.Load(&gopackages.Config{Dir: m.dir, Env: m.goEnv(), Mode: gopackages.LoadTypes}, importPath)
	if err != nil {
		return nil, err
	}
	if len(loaded) != 1 {
		return nil, errors.New("it is not one package")
	}
	for _, e := range loaded[0].Errors {
		return nil, e
	}
	scope := loaded[0].Types.Scope()
	for _, name := range scope.Names() {
		obj := scope.Lookup(name)
		if !obj.Exported() {
			continue
		}
		switch obj := obj.(type) {
		case *types.Func:
			all = append(all, function{name, obj})
		case *types.TypeName:
			for _, method := range typeutil.IntuitiveMethodSet(obj.Type(), nil) {
				if f, ok := method.Obj().(*types.Func); ok && f.Exported() && len(method.Index()) == 1 {
					all = append(all, function{name + "." + f.Name(), f})
				}
			}
		}
	}
	return all, nil
}

// takesContext reports whether a function takes a context first, as the main functions of a client do.
func (f function) takesContext() bool {
	params := f.Signature().Params()
	return params.Len() > 0 && types.TypeString(params.At(0).Type(), nil) == "context.Context"
}

const (
	maxTried   = 160 // packages with no more functions are tried completely
	sampleSize = 60  // number of functions tried in larger packages
)

// pickFunctions chooses functions: those that match a pattern, or, without patterns, all functions of a small
// package and a fixed sample of a larger one. The sample prefers functions that take a context.
func pickFunctions(all []function, patterns []string) (picked []function) {
	switch {
	case len(patterns) > 0:
		all = slices.DeleteFunc(slices.Clone(all), func(f function) bool { return !matchesAny(patterns, f.name) })
	case len(all) > maxTried:
		all = slices.SortedFunc(slices.Values(all), func(a, b function) int {
			return cmp.Or(pickOrder(a)-pickOrder(b), cmp.Compare(hashName(a.name), hashName(b.name)), cmp.Compare(a.name, b.name))
		})[:sampleSize]
	}
	return slices.SortedFunc(slices.Values(all), func(a, b function) int { return cmp.Compare(a.name, b.name) })
}

// matchesAny reports whether a name matches one of the patterns, in which * matches any text without a dot.
func matchesAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		ok, err := path.Match(strings.ReplaceAll(pattern, ".", "/"), strings.ReplaceAll(name, ".", "/"))
		return err == nil && ok
	})
}

// functionNames returns the names of functions.
func functionNames(functions []function) (names []string) {
	for _, f := range functions {
		names = append(names, f.name)
	}
	return names
}

func pickOrder(f function) int {
	if f.takesContext() {
		return 0
	}
	return 1
}

func hashName(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return h.Sum64()
}
