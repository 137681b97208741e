package bind

import (
	"cmp"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/types/typeutil"
)

// jsonField is a struct field as encoding/json sees it.
type jsonField struct {
	name   string // JSON name
	tagged bool
	opts   []string
	tag    reflect.StructTag
	index  []int        // as reflect's FieldByIndex
	chain  []*types.Var // the fields that lead to it, itself last
	owner  types.Type   // the struct type that declares it
}

func (f jsonField) v() *types.Var { return f.chain[len(f.chain)-1] }

func (f jsonField) has(option string) bool { return slices.Contains(f.opts, option) }

// jsonFields lists the fields that encoding/json would read and write, in its
// order: declaration order, embedded structs in place. Of several fields with
// one name the shallowest wins, then the only tagged one, else none.
func jsonFields(t types.Type) []jsonField {
	all := collect(t)
	slices.SortStableFunc(all, func(a, b jsonField) int {
		return cmp.Or(strings.Compare(a.name, b.name), cmp.Compare(len(a.index), len(b.index)), cmp.Compare(untagged(a), untagged(b)))
	})
	var kept []jsonField
	for group := range byName(all) {
		if f, ok := dominant(group); ok {
			kept = append(kept, f)
		}
	}
	slices.SortFunc(kept, func(a, b jsonField) int { return slices.Compare(a.index, b.index) })
	return kept
}

func untagged(f jsonField) int {
	if f.tagged {
		return 0
	}
	return 1
}

func byName(sorted []jsonField) func(yield func([]jsonField) bool) {
	return func(yield func([]jsonField) bool) {
		for len(sorted) > 0 {
			n := 1
			for n < len(sorted) && sorted[n].name == sorted[0].name {
				n++
			}
			if !yield(sorted[:n]) {
				return
			}
			sorted = sorted[n:]
		}
	}
}

func dominant(group []jsonField) (jsonField, bool) {
	if len(group) > 1 && len(group[0].index) == len(group[1].index) && group[0].tagged == group[1].tagged {
		return jsonField{}, false
	}
	return group[0], true
}

// An embedding is a struct whose fields are to be collected, and the embedded
// field that leads to it.
type embedding struct {
	typ   types.Type
	field jsonField // without a chain for the outermost struct
	twice bool      // embedded more than once at its depth: its own fields clash
}

// collect walks a struct and what it embeds, level by level. A type that was
// met at a shallower level is not entered again: its fields are hidden.
func collect(t types.Type) []jsonField {
	var all []jsonField
	var met typeutil.Map
	for level := []*embedding{{typ: t}}; len(level) > 0; {
		var next []*embedding
		var queued typeutil.Map // types to *embedding
		for _, outer := range level {
			if met.At(outer.typ) != nil {
				continue
			}
			met.Set(outer.typ, true)
			for _, f := range declaredFields(outer) {
				embedded := embeddedStruct(f.v())
				if embedded == nil || f.tagged {
					all = append(all, f)
					if outer.twice {
						all = append(all, f) // clashes with itself
					}
					continue
				}
				if known, ok := queued.At(embedded).(*embedding); ok {
					known.twice = true
					continue
				}
				e := &embedding{typ: embedded, field: f}
				queued.Set(embedded, e)
				next = append(next, e)
			}
		}
		level = next
	}
	return all
}

// declaredFields are the fields of one struct that encoding/json looks at.
func declaredFields(e *embedding) []jsonField {
	var fields []jsonField
	s := e.typ.Underlying().(*types.Struct)
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
		fields = append(fields, jsonField{
			name:   cmp.Or(name, v.Name()),
			tagged: name != "",
			opts:   strings.Split(rest, ","),
			tag:    tag,
			index:  append(slices.Clone(e.field.index), i),
			chain:  append(slices.Clone(e.field.chain), v),
			owner:  e.typ,
		})
	}
	return fields
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
