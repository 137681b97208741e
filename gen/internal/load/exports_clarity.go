package load

import (
	"go/types"
	"iter"
)

// exportsUnknown reports whether the exported declarations of a package contain a type that the
// type checker does not know, such as one that C declares.
func exportsUnknown(p *types.Package) bool {
	if p == nil {
		return false
	}
	s := unknownFinder{seen: map[types.Type]bool{}}
	for _, name := range p.Scope().Names() {
		if obj := p.Scope().Lookup(name); obj.Exported() && s.containsUnknown(obj.Type()) {
			return true
		}
	}
	return false
}

// An unknownFinder searches types for unknown ones. It visits each type once.
type unknownFinder struct{ seen map[types.Type]bool }

func (s unknownFinder) containsUnknown(t types.Type) bool {
	if t == nil || s.seen[t] {
		return false
	}
	s.seen[t] = true
	switch t := t.(type) {
	case *types.Basic:
		return t.Kind() == types.Invalid
	case *types.Alias:
		return s.containsUnknown(t.Rhs())
	case *types.Named:
		return s.namedUnknown(t)
	case *types.Struct:
		return anyUnknown(s, t.Fields(), func(v *types.Var) bool { return v.Exported() || v.Embedded() })
	case *types.Signature:
		return s.containsUnknown(t.Params()) || s.containsUnknown(t.Results())
	case *types.Tuple:
		return anyUnknown(s, t.Variables(), func(*types.Var) bool { return true })
	case *types.Interface:
		return anyUnknown(s, t.Methods(), func(*types.Func) bool { return true })
	case *types.Map:
		return s.containsUnknown(t.Key()) || s.containsUnknown(t.Elem())
	case interface{ Elem() types.Type }:
		return s.containsUnknown(t.Elem())
	}
	return false
}

// anyUnknown reports whether the type of a visible object is unknown or contains an unknown type.
func anyUnknown[T types.Object](s unknownFinder, objects iter.Seq[T], visible func(T) bool) bool {
	for o := range objects {
		if visible(o) && s.containsUnknown(o.Type()) {
			return true
		}
	}
	return false
}

func (s unknownFinder) namedUnknown(t *types.Named) bool {
	if anyUnknown(s, t.Methods(), (*types.Func).Exported) {
		return true
	}
	for arg := range t.TypeArgs().Types() {
		if s.containsUnknown(arg) {
			return true
		}
	}
	return s.containsUnknown(t.Underlying())
}
