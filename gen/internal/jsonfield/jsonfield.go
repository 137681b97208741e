// Package jsonfield finds the fields of a struct that encoding/json reads and
// writes, by its rules for names, tags and embedding, and those that it drops.
package jsonfield

import (
	"cmp"
	"go/types"
	"iter"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/aiongen/aiongen/internal/budget"
)

// Field is a struct field as encoding/json sees it.
type Field struct {
	Name  string // in JSON
	Tag   reflect.StructTag
	Chain []*types.Var // the fields that lead to it, itself last
	Owner types.Type   // the struct type that declares it

	Tagged  bool   // its json tag names it
	options string // of its json tag, with commas between them
	index   []int  // as reflect's FieldByIndex
}

// Var is the field itself.
func (f Field) Var() *types.Var { return f.Chain[len(f.Chain)-1] }

// Way has the names in Go of the fields that lead to it, and its own.
func (f Field) Way() string {
	var names []string
	for _, v := range f.Chain {
		names = append(names, v.Name())
	}
	return strings.Join(names, ".")
}

// Has reports whether its json tag has an option, as omitempty.
func (f Field) Has(option string) bool {
	for has := range strings.SplitSeq(f.options, ",") {
		if has == option {
			return true
		}
	}
	return false
}

// Of lists the fields that encoding/json would read and write, in its
// order: declaration order, embedded structs in place. Of several fields with
// one name the shallowest wins, then the only tagged one, else none: these clash, and
// are listed by name. An embedded struct whose field is closed, if there is such a
// function, is a field itself. Each field is a step of the budget, and each level of
// embedding a level.
func Of(limit *budget.Budget, t types.Type, closed func(*types.Var) bool) (kept []Field, clashes [][]Field) {
	all := collect(limit, t, closed)
	kept = make([]Field, 0, len(all))
	for group := range byName(all) {
		if rivals := dominant(group); len(rivals) == 1 {
			kept = append(kept, rivals[0])
		} else {
			clashes = append(clashes, rivals)
		}
	}
	slices.SortFunc(kept, func(a, b Field) int { return slices.Compare(a.index, b.index) })
	slices.SortFunc(clashes, func(a, b []Field) int { return slices.Compare(a[0].index, b[0].index) })
	return kept, clashes
}

// Parting are the embedded structs at which the ways to fields that clash part; none
// if these are declared in one struct.
func Parting(clash []Field) (embedded []*types.Var) {
	first := clash[0].Chain
	for i := range len(first) - 1 {
		for _, f := range clash {
			if !slices.Contains(embedded, f.Chain[i]) {
				embedded = append(embedded, f.Chain[i])
			}
		}
		if len(embedded) > 1 {
			return embedded
		}
		embedded = nil
	}
	return nil
}

func untagged(f Field) int {
	if f.Tagged {
		return 0
	}
	return 1
}

// byName sorts fields into groups that have one name, those that win first.
func byName(fields []Field) iter.Seq[[]Field] {
	slices.SortStableFunc(fields, func(a, b Field) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), cmp.Compare(len(a.index), len(b.index)), cmp.Compare(untagged(a), untagged(b)))
	})
	return func(yield func([]Field) bool) {
		for rest := fields; len(rest) > 0; {
			n := 1
			for n < len(rest) && rest[n].Name == rest[0].Name {
				n++
			}
			if !yield(rest[:n:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}

// dominant are the fields of one name that hide the others.
func dominant(group []Field) []Field {
	n := 1
	for n < len(group) && len(group[n].index) == len(group[0].index) && group[n].Tagged == group[0].Tagged {
		n++
	}
	return group[:n]
}

// An embedding is a struct whose fields are to be collected, and the embedded
// fields that lead to it at its depth: one without a chain for the outermost struct;
// with several, its own fields clash.
type embedding struct {
	typ  types.Type
	ways []Field
}

// collect walks a struct and what it embeds, level by level. A type that was
// met at a shallower level is not entered again: its fields are hidden.
func collect(limit *budget.Budget, t types.Type, closed func(*types.Var) bool) []Field {
	all := make([]Field, 0, t.Underlying().(*types.Struct).NumFields())
	var met typeutil.Map
	depth := 0
	for level := []*embedding{{typ: t, ways: []Field{{}}}}; len(level) > 0 && limit.Nest(depth); depth++ {
		var next []*embedding
		var queued typeutil.Map // types to *embedding
		for _, outer := range level {
			if met.At(outer.typ) != nil {
				continue
			}
			met.Set(outer.typ, true)
			for i, way := range outer.ways {
				for f := range declaredFields(outer.typ, way) {
					if !limit.Step(1) {
						return nil
					}
					embedded := embeddedStruct(f.Var())
					if embedded == nil || f.Tagged || closed != nil && closed(f.Var()) {
						all = append(all, f)
						continue
					}
					if i > 0 {
						continue // what it embeds is there once, to encoding/json
					}
					if known, ok := queued.At(embedded).(*embedding); ok {
						known.ways = append(known.ways, f)
						continue
					}
					e := &embedding{typ: embedded, ways: []Field{f}}
					queued.Set(embedded, e)
					next = append(next, e)
				}
			}
		}
		level = next
	}
	return all
}

// declaredFields are the fields of one struct, to which a way leads, that encoding/json
// looks at.
func declaredFields(t types.Type, way Field) iter.Seq[Field] {
	s := t.Underlying().(*types.Struct)
	depth := len(way.Chain) + 1
	return func(yield func(Field) bool) {
		chains, indexes := make([]*types.Var, 0, depth*s.NumFields()), make([]int, 0, depth*s.NumFields()) // of all
		for i := range s.NumFields() {
			v, tag := s.Field(i), reflect.StructTag(s.Tag(i))
			json := tag.Get("json")
			if json == "-" || !visible(v) {
				continue
			}
			name, rest, _ := strings.Cut(json, ",")
			if !validTag(name) {
				name = ""
			}
			chains, indexes = append(append(chains, way.Chain...), v), append(append(indexes, way.index...), i)
			if !yield(Field{
				Name:    cmp.Or(name, v.Name()),
				Tagged:  name != "",
				options: rest,
				Tag:     tag,
				index:   slices.Clip(indexes[len(indexes)-depth:]),
				Chain:   slices.Clip(chains[len(chains)-depth:]),
				Owner:   t,
			}) {
				return
			}
		}
	}
}

// visible reports whether encoding/json looks at a field at all: what is
// unexported it only enters, when it is an embedded struct.
func visible(v *types.Var) bool {
	return v.Exported() || v.Embedded() && embeddedStruct(v) != nil
}

// embeddedStruct returns the struct type that a field embeds, nil if none.
func embeddedStruct(v *types.Var) types.Type {
	if !v.Embedded() {
		return nil
	}
	t := types.Unalias(v.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if _, ok := t.Underlying().(*types.Struct); !ok {
		return nil
	}
	return t
}

// validTag follows encoding/json: letters, digits and some punctuation.
func validTag(name string) bool {
	if name == "" {
		return false
	}
	for _, c := range name {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", c) && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return false
		}
	}
	return true
}
