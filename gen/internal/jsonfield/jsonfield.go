// Package jsonfield finds the fields of a struct that encoding/json reads and
// writes, by its rules for names, tags and embedding.
package jsonfield

import (
	"cmp"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/types/typeutil"
)

// Field is a struct field as encoding/json sees it.
type Field struct {
	Name  string // in JSON
	Tag   reflect.StructTag
	Chain []*types.Var // the fields that lead to it, itself last
	Owner types.Type   // the struct type that declares it

	tagged  bool
	options []string
	index   []int // as reflect's FieldByIndex
}

// Var is the field itself.
func (f Field) Var() *types.Var { return f.Chain[len(f.Chain)-1] }

// Has reports whether its json tag has an option, as omitempty.
func (f Field) Has(option string) bool { return slices.Contains(f.options, option) }

// Of lists the fields that encoding/json would read and write, in its
// order: declaration order, embedded structs in place. Of several fields with
// one name the shallowest wins, then the only tagged one, else none. An embedded
// struct that is closed, if there is such a function, is a field itself.
func Of(t types.Type, closed func(types.Type) bool) []Field {
	var kept []Field
	for group := range byName(collect(t, closed)) {
		if f, ok := dominant(group); ok {
			kept = append(kept, f)
		}
	}
	slices.SortFunc(kept, func(a, b Field) int { return slices.Compare(a.index, b.index) })
	return kept
}

// Clashing lists the structs that t embeds of which a field is dropped, since there
// is another one of its name and none of them wins. A struct with a json tag has none:
// who wrote it knows what JSON drops.
func Clashing(t types.Type, closed func(types.Type) bool) []types.Type {
	all := collect(t, closed)
	if slices.ContainsFunc(all, func(f Field) bool { _, tagged := f.Tag.Lookup("json"); return tagged }) {
		return nil
	}
	var clashing []types.Type
	for group := range byName(all) {
		if _, ok := dominant(group); ok {
			continue
		}
		for _, f := range group {
			if len(f.Chain) > 1 && len(f.index) == len(group[0].index) {
				clashing = append(clashing, embeddedStruct(f.Chain[0]))
			}
		}
	}
	return clashing
}

func untagged(f Field) int {
	if f.tagged {
		return 0
	}
	return 1
}

// byName groups fields that have one name, those that win first.
func byName(fields []Field) func(yield func([]Field) bool) {
	return func(yield func([]Field) bool) {
		sorted := slices.SortedStableFunc(slices.Values(fields), func(a, b Field) int {
			return cmp.Or(strings.Compare(a.Name, b.Name), cmp.Compare(len(a.index), len(b.index)), cmp.Compare(untagged(a), untagged(b)))
		})
		for len(sorted) > 0 {
			n := 1
			for n < len(sorted) && sorted[n].Name == sorted[0].Name {
				n++
			}
			if !yield(sorted[:n]) {
				return
			}
			sorted = sorted[n:]
		}
	}
}

func dominant(group []Field) (Field, bool) {
	if len(group) > 1 && len(group[0].index) == len(group[1].index) && group[0].tagged == group[1].tagged {
		return Field{}, false
	}
	return group[0], true
}

// An embedding is a struct whose fields are to be collected, and the embedded
// field that leads to it.
type embedding struct {
	typ   types.Type
	field Field // without a chain for the outermost struct
	twice bool  // embedded more than once at its depth: its own fields clash
}

// collect walks a struct and what it embeds, level by level. A type that was
// met at a shallower level is not entered again: its fields are hidden.
func collect(t types.Type, closed func(types.Type) bool) []Field {
	var all []Field
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
				embedded := embeddedStruct(f.Var())
				if embedded == nil || f.tagged || closed != nil && closed(embedded) {
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
func declaredFields(e *embedding) []Field {
	var fields []Field
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
		fields = append(fields, Field{
			Name:    cmp.Or(name, v.Name()),
			tagged:  name != "",
			options: strings.Split(rest, ","),
			Tag:     tag,
			index:   append(slices.Clone(e.field.index), i),
			Chain:   append(slices.Clone(e.field.Chain), v),
			Owner:   e.typ,
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
