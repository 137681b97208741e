package bind

import (
	"cmp"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// jsonField is a struct field as encoding/json sees it.
type jsonField struct {
	name   string // JSON name
	tagged bool
	opts   []string
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
	var all []jsonField
	collect(&all, t, nil, nil, map[types.Type]bool{})
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

// collect walks a struct and what it embeds. A type that embeds itself, through
// a pointer, is entered once.
func collect(all *[]jsonField, t types.Type, index []int, chain []*types.Var, entered map[types.Type]bool) {
	s, ok := t.Underlying().(*types.Struct)
	if !ok || entered[t] {
		return
	}
	entered[t] = true
	defer delete(entered, t)
	for i := range s.NumFields() {
		v := s.Field(i)
		tag, _ := reflect.StructTag(s.Tag(i)).Lookup("json")
		if tag == "-" || !visible(v) {
			continue
		}
		name, rest, _ := strings.Cut(tag, ",")
		if !validTag(name) {
			name = ""
		}
		f := jsonField{
			name:   cmp.Or(name, v.Name()),
			tagged: name != "",
			opts:   strings.Split(rest, ","),
			index:  append(slices.Clone(index), i),
			chain:  append(slices.Clone(chain), v),
			owner:  t,
		}
		if embedded := embeddedStruct(v); embedded != nil && !f.tagged {
			collect(all, embedded, f.index, f.chain, entered)
			continue
		}
		*all = append(*all, f)
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
