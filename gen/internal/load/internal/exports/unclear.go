package exports

import (
	"go/types"
	"iter"
)

// isUnclear reports whether others can see a type of a package that could not be told, as
// is what C declares: in what it exports, as far as exported names lead.
func isUnclear(p *types.Package) bool {
	if p == nil {
		return false
	}
	s := sight{seen: map[types.Type]bool{}}
	for _, name := range p.Scope().Names() {
		if obj := p.Scope().Lookup(name); obj.Exported() && s.unclear(obj.Type()) {
			return true
		}
	}
	return false
}

// A sight has the types that were looked at.
type sight struct{ seen map[types.Type]bool }

func (s sight) unclear(t types.Type) bool {
	if t == nil || s.seen[t] {
		return false
	}
	s.seen[t] = true
	switch t := t.(type) {
	case *types.Basic:
		return t.Kind() == types.Invalid
	case *types.Alias:
		return s.unclear(t.Rhs())
	case *types.Named:
		return s.named(t)
	case *types.Struct:
		return s.any(t.Fields(), func(v *types.Var) bool { return v.Exported() || v.Embedded() })
	case *types.Signature:
		return s.unclear(t.Params()) || s.unclear(t.Results())
	case *types.Tuple:
		return s.any(t.Variables(), func(*types.Var) bool { return true })
	case *types.Interface:
		for m := range t.Methods() {
			if s.unclear(m.Type()) {
				return true
			}
		}
	case *types.Map:
		return s.unclear(t.Key()) || s.unclear(t.Elem())
	case interface{ Elem() types.Type }:
		return s.unclear(t.Elem())
	}
	return false
}

func (s sight) any(all iter.Seq[*types.Var], visible func(*types.Var) bool) bool {
	for v := range all {
		if visible(v) && s.unclear(v.Type()) {
			return true
		}
	}
	return false
}

func (s sight) named(t *types.Named) bool {
	for m := range t.Methods() {
		if m.Exported() && s.unclear(m.Type()) {
			return true
		}
	}
	for arg := range t.TypeArgs().Types() {
		if s.unclear(arg) {
			return true
		}
	}
	return s.unclear(t.Underlying())
}
