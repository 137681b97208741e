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

// functions are the exported functions of a package, and the methods of its
// exported types, as aiongen new takes them.
func (m module) functions(path string) ([]string, error) {
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
	var names []string
	scope := loaded[0].Types.Scope()
	for _, name := range scope.Names() {
		obj := scope.Lookup(name)
		if !obj.Exported() {
			continue
		}
		switch obj := obj.(type) {
		case *types.Func:
			names = append(names, name)
		case *types.TypeName:
			for _, method := range typeutil.IntuitiveMethodSet(obj.Type(), nil) {
				if method.Obj().Exported() {
					names = append(names, name+"."+method.Obj().Name())
				}
			}
		}
	}
	slices.Sort(names)
	return names, nil
}

const (
	atMost = 160 // functions are all tried
	some   = 60  // are, where there are more
)

// pick chooses among functions, always the same and from all over the package.
func pick(names []string) []string {
	if len(names) <= atMost {
		return names
	}
	picked := slices.SortedFunc(slices.Values(names), func(a, b string) int {
		return cmp.Or(cmp.Compare(hash(a), hash(b)), cmp.Compare(a, b))
	})[:some]
	slices.Sort(picked)
	return picked
}

func hash(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return h.Sum64()
}
