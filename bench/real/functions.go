package main

import (
	"cmp"
	"errors"
	"go/types"
	"hash/fnv"
	"slices"

	gopackages "golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"
)

// A function is one that aiongen new takes.
type function struct {
	name string
	acts bool // it takes a context first, as those do that are what a client is for
}

// functions are the exported functions of a package, and the methods that its
// exported types declare.
func (m module) functions(path string) (all []function, err error) {
	loaded, err := gopackages.Load(&gopackages.Config{Dir: m.dir, Env: m.env(), Mode: gopackages.LoadTypes}, path)
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
			all = append(all, function{name, acts(obj)})
		case *types.TypeName:
			for _, method := range typeutil.IntuitiveMethodSet(obj.Type(), nil) {
				if f, ok := method.Obj().(*types.Func); ok && f.Exported() && len(method.Index()) == 1 {
					all = append(all, function{name + "." + f.Name(), acts(f)})
				}
			}
		}
	}
	return all, nil
}

func acts(f *types.Func) bool {
	params := f.Signature().Params()
	return params.Len() > 0 && types.TypeString(params.At(0).Type(), nil) == "context.Context"
}

const (
	atMost = 160 // functions are all tried
	some   = 60  // are, where there are more
)

// pick chooses among functions, always the same and from all over the package: those
// that act first.
func pick(all []function) (names []string) {
	if len(all) > atMost {
		all = slices.SortedFunc(slices.Values(all), func(a, b function) int {
			return cmp.Or(rank(a)-rank(b), cmp.Compare(hash(a.name), hash(b.name)), cmp.Compare(a.name, b.name))
		})[:some]
	}
	for _, f := range all {
		names = append(names, f.name)
	}
	slices.Sort(names)
	return names
}

func rank(f function) int {
	if f.acts {
		return 0
	}
	return 1
}

func hash(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return h.Sum64()
}
