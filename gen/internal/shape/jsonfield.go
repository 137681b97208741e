package shape

import (
	"cmp"
	"go/types"
	"iter"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/aiongen/aiongen/gen/internal/budget"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/source"
)

// JSONField is a struct field as encoding/json sees it.
type JSONField struct {
	Name  string // in JSON
	Tag   reflect.StructTag
	Chain []*types.Var // the fields that lead to it, itself last
	Owner types.Type   // the struct type that declares it

	Tagged    bool   // a tag names it
	parameter bool   // a tag of parameterTags names it, or it has a presence
	options   string // of the tag, separated by commas
	index     []int  // as for FieldByIndex of reflect

	presence *model.Presence // of an argument: the struct that wraps the value, nil if there is none
	value    types.Type      // the type of the wrapped value
}

// Variable returns the field itself.
func (f JSONField) Variable() *types.Var { return f.Chain[len(f.Chain)-1] }

// Selector returns the Go names of the fields that lead to the field, and its own, separated
// by dots.
func (f JSONField) Selector() string {
	var names []string
	for _, v := range f.Chain {
		names = append(names, v.Name())
	}
	return strings.Join(names, ".")
}

// hasOption reports whether the tag that names the field has an option such as omitempty.
func (f JSONField) hasOption(option string) bool {
	for has := range strings.SplitSeq(f.options, ",") {
		if has == option {
			return true
		}
	}
	return false
}

// JSONFields returns the fields of a struct that encoding/json reads and writes, in the order of their
// declaration. The fields of an embedded struct take the place of that struct. Of several fields with the
// same name, the shallowest wins or, if several are equally shallow, the only one of them with a tag. If none
// wins, the fields clash and are returned in clashes, grouped by name.
//
// If closed reports true for an embedded struct, the struct itself is a field. If parameters reports true for
// a field, a tag other than json may name the field as a parameter of a request. Both functions may be nil.
// Each field costs a step of the budget, which also limits the depth of embedded structs.
func JSONFields(limit *budget.Budget, t types.Type, closed func(*types.Var) bool, parameters func(types.Type) fieldPredicate) (fields []JSONField, clashes [][]JSONField) {
	all := collectFields(limit, t, closed, parameters)
	fields = make([]JSONField, 0, len(all))
	for group := range groupByName(all) {
		if rivals := dominantFields(group); len(rivals) == 1 {
			fields = append(fields, rivals[0])
		} else {
			clashes = append(clashes, rivals)
		}
	}
	slices.SortFunc(fields, func(a, b JSONField) int { return slices.Compare(a.index, b.index) })
	slices.SortFunc(clashes, func(a, b []JSONField) int { return slices.Compare(a[0].index, b[0].index) })
	return fields, clashes
}

// A fieldPredicate is a condition on a field of a struct and its tag.
type fieldPredicate func(*types.Var, reflect.StructTag) bool

// DivergingEmbedded returns the embedded structs at which the paths to clashing fields diverge, nil if the
// fields are declared in one struct. For the fields A.ID and B.ID, these are A and B.
func DivergingEmbedded(clash []JSONField) (embedded []*types.Var) {
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

func countUntagged(f JSONField) int {
	if f.Tagged {
		return 0
	}
	return 1
}

// groupByName groups fields by name. In each group, the fields that win come first.
func groupByName(fields []JSONField) iter.Seq[[]JSONField] {
	slices.SortStableFunc(fields, func(a, b JSONField) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), cmp.Compare(len(a.index), len(b.index)), cmp.Compare(countUntagged(a), countUntagged(b)))
	})
	return func(yield func([]JSONField) bool) {
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

// dominantFields returns the fields of a group that hide the others.
func dominantFields(group []JSONField) []JSONField {
	n := 1
	for n < len(group) && len(group[n].index) == len(group[0].index) && group[n].Tagged == group[0].Tagged {
		n++
	}
	return group[:n]
}

// An embedding is a struct whose fields are collected. Its parents are the fields at one depth that embed it;
// if there are several, the fields of the struct clash. The outermost struct has one parent, a JSONField
// without a chain.
type embedding struct {
	typ     types.Type
	parents []JSONField
}

// collectFields walks a struct and its embedded structs level by level. It does not enter a type that
// occurred at a shallower level, because the fields there hide those of the type.
func collectFields(limit *budget.Budget, t types.Type, closed func(*types.Var) bool, parameters func(types.Type) fieldPredicate) []JSONField {
	all := make([]JSONField, 0, t.Underlying().(*types.Struct).NumFields())
	var visited typeutil.Map
	depth := 0
	for level := []*embedding{{typ: t, parents: []JSONField{{}}}}; len(level) > 0 && limit.CheckDepth(depth); depth++ {
		var next []*embedding
		var queued typeutil.Map // types to *embedding
		for _, outer := range level {
			if visited.At(outer.typ) != nil {
				continue
			}
			visited.Set(outer.typ, true)
			isParameter := fieldPredicate(func(*types.Var, reflect.StructTag) bool { return false })
			if parameters != nil {
				isParameter = parameters(outer.typ)
			}
			for i, parent := range outer.parents {
				for f := range declaredFields(outer.typ, parent, isParameter) {
					if !limit.UseSteps(1) {
						return nil
					}
					embedded := embeddedStruct(f.Variable())
					if embedded == nil || f.Tagged || closed != nil && closed(f.Variable()) {
						all = append(all, f)
						continue
					}
					if i > 0 {
						continue // encoding/json enters an embedded struct once
					}
					if e, ok := queued.At(embedded).(*embedding); ok {
						e.parents = append(e.parents, f)
						continue
					}
					e := &embedding{typ: embedded, parents: []JSONField{f}}
					queued.Set(embedded, e)
					next = append(next, e)
				}
			}
		}
		level = next
	}
	return all
}

// parameterTags are the tags that name the parameters of a request in structs of API clients.
var parameterTags = []string{"query", "url", "path", "form"}

// fieldTag returns the name and the options that encoding/json reads from the json tag of a field or, for
// a parameter, those of a tag in parameterTags. If the field is ignored, ok is false.
func fieldTag(v *types.Var, tag reflect.StructTag, isParameter fieldPredicate) (name, options string, parameter, ok bool) {
	text := tag.Get("json")
	if v.Exported() && isParameter(v, tag) {
		for _, key := range parameterTags {
			if name, options, _ = strings.Cut(tag.Get(key), ","); isValidTag(name) && name != "-" {
				return name, options, true, true
			}
		}
	}
	if text == "-" || !isVisible(v) {
		return "", "", false, false
	}
	if name, options, _ = strings.Cut(text, ","); !isValidTag(name) {
		name = ""
	}
	return name, options, false, true
}

// declaredFields returns the fields of one struct that encoding/json considers, and those that are
// parameters.
func declaredFields(t types.Type, parent JSONField, isParameter fieldPredicate) iter.Seq[JSONField] {
	s := t.Underlying().(*types.Struct)
	return func(yield func(JSONField) bool) {
		for i := range s.NumFields() {
			v, tag := s.Field(i), reflect.StructTag(s.Tag(i))
			name, options, parameter, ok := fieldTag(v, tag, isParameter)
			if !ok {
				continue
			}
			if !yield(JSONField{
				Name:      cmp.Or(name, v.Name()),
				Tagged:    name != "",
				parameter: parameter,
				options:   options,
				Tag:       tag,
				index:     append(slices.Clip(parent.index), i),
				Chain:     append(slices.Clip(parent.Chain), v),
				Owner:     t,
			}) {
				return
			}
		}
	}
}

// isVisible reports whether encoding/json considers a field. Of unexported fields, it only
// enters embedded structs.
func isVisible(v *types.Var) bool {
	return v.Exported() || v.Embedded() && embeddedStruct(v) != nil
}

// embeddedStruct returns the struct type that a field embeds, nil if there is none.
func embeddedStruct(v *types.Var) types.Type {
	if !v.Embedded() {
		return nil
	}
	t := source.Deref(v.Type())
	if _, ok := t.Underlying().(*types.Struct); !ok {
		return nil
	}
	return t
}

// isValidTag reports whether a name in a json tag is valid, as in encoding/json: letters,
// digits and some punctuation.
func isValidTag(name string) bool {
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
