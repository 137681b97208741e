package bind

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/model"
)

// hasOptions reports whether a note says more than a type and a description.
func hasOptions(n aion.Note) bool {
	return n.Optional || n.Open || n.Default != nil || len(n.Enum) > 0 || n.Min != nil || n.Max != nil
}

// applyOptions takes over what a note allows of an argument: which values, and
// whether it may be left out. The type becomes a copy with its own limits.
func (b *binder) applyOptions(e aion.Entry, field *model.Field) {
	n := e.Note
	field.Optional = field.Optional || n.Optional
	if n.Open || len(n.Enum) > 0 || n.Min != nil || n.Max != nil {
		field.Type = b.limited(e, field.Path, field.Type)
	}
	if n.Default != nil && n.Default.Kind != aion.NoneLiteral {
		b.applyDefault(e, field)
	}
}

// limited is a type with the limits of a note. A pointer's are those of what it
// points to, and those of a type that reads itself of what it is given to read.
func (b *binder) limited(e aion.Entry, path []string, t *model.Type) *model.Type {
	limited := *t
	if t.Kind == model.Pointer || t.Kind == model.Custom && t.Elem != nil {
		limited.Elem = b.limited(e, path, t.Elem)
		return &limited
	}
	if e.Note.Open {
		if len(t.Enum)+len(t.Known)+len(e.Note.Enum) == 0 {
			b.badOption(e, "open does not fit the Go type %s, which has no enum to open", t.Go).WithHelp("leave it out: all values are allowed")
		}
		limited.Known, limited.Enum, limited.Values = t.Enum, nil, ""
	}
	if len(e.Note.Enum) > 0 {
		b.limitValues(e, path, &limited)
	}
	b.limitRange(e, &limited)
	return &limited
}

func (b *binder) limitValues(e aion.Entry, path []string, t *model.Type) {
	values, problems := enumValues(t, e.Note.Enum)
	for _, problem := range problems {
		b.badOption(e, "%s", problem)
	}
	t.Enum, t.Known = values, nil
	if e.Note.Open {
		t.Enum, t.Known = nil, t.Enum
	} else if len(values) > 0 {
		b.nameValues(t, b.tool.GoName+strings.Join(path, ""))
	}
}

// enumValues are literals as values of a type, and what is wrong with others.
func enumValues(t *model.Type, literals []aion.Literal) (values []model.Const, problems []string) {
	if t.Kind != model.String && t.Kind != model.Int && t.Kind != model.Uint {
		return nil, []string{fmt.Sprintf("an enum does not fit the Go type %s: strings and integers can have one", t.Go)}
	}
	for _, l := range literals {
		value, problem := jsonLiteral(l, t)
		if problem != "" {
			problems = append(problems, fmt.Sprintf("the enum value %v %s: it is %s in Go", l, problem, t.Go))
			continue
		}
		same := func(c model.Const) bool { return c.Value == value }
		if slices.ContainsFunc(values, same) {
			continue
		}
		c := model.Const{Value: value}
		if known := slices.Concat(t.Enum, t.Known); slices.ContainsFunc(known, same) {
			c = known[slices.IndexFunc(known, same)] // it has a name, and a comment
		}
		values = append(values, c)
	}
	return values, problems
}

func (b *binder) limitRange(e aion.Entry, t *model.Type) {
	for _, bound := range []struct {
		name    string
		literal *aion.Literal
		into    *string
	}{{"min=", e.Note.Min, &t.Min}, {"max=", e.Note.Max, &t.Max}} {
		if bound.literal == nil {
			continue
		}
		value, problem := boundOf(t, bound.name, *bound.literal)
		if problem != "" {
			b.badOption(e, "%s", problem)
			continue
		}
		*bound.into = value
	}
	if problem := crossed(t); problem != "" {
		b.badOption(e, "%s", problem)
	}
}

// crossed says so where the bounds of a type leave nothing of it.
func crossed(t *model.Type) string {
	for t.Kind == model.Pointer {
		t = t.Elem
	}
	least, errLeast := strconv.ParseFloat(cmp.Or(t.Min, t.Above), 64)
	most, errMost := strconv.ParseFloat(cmp.Or(t.Max, t.Below), 64)
	if errLeast == nil && errMost == nil && least > most {
		return fmt.Sprintf("nothing is both at least %s and at most %s", cmp.Or(t.Min, t.Above), cmp.Or(t.Max, t.Below))
	}
	return ""
}

// boundOf is a literal as a bound of a type: of a number itself, or of a length.
func boundOf(t *model.Type, name string, l aion.Literal) (value, problem string) {
	number := t
	switch t.Kind {
	case model.String, model.Slice:
		number = &model.Type{Kind: model.Uint, Bits: 31}
	case model.Uint:
		number = &model.Type{Kind: model.Uint, Bits: min(bitSize(t), 63)} // generated code compares as int64
	case model.Int, model.Float:
	default:
		return "", fmt.Sprintf("%s does not fit the Go type %s: numbers have bounds, and the length of strings and of lists other than bytes", name, t.Go)
	}
	if value, problem = jsonLiteral(l, number); problem != "" {
		return "", fmt.Sprintf("the bound %v %s: it is %s in Go", l, problem, t.Go)
	}
	return value, ""
}

func (b *binder) applyDefault(e aion.Entry, field *model.Field) {
	value, problem := defaultOf(field.Type, *e.Note.Default)
	if problem != "" {
		b.badOption(e, "%s", problem)
		return
	}
	field.Default = value
}

// defaultOf is a literal as the default of a type, which is one of its values.
func defaultOf(t *model.Type, l aion.Literal) (value, problem string) {
	if t.Kind == model.Pointer {
		return "", fmt.Sprintf("a default does not fit the Go type %s, whose default is nil: take %s in Go, or leave out the default", t.Go, t.Elem.Go)
	}
	value, problem = jsonLiteral(l, t)
	switch {
	case problem != "":
		return "", fmt.Sprintf("the default %v %s: it is %s in Go", l, problem, t.Go)
	case len(t.Enum) > 0 && !slices.ContainsFunc(t.Enum, func(c model.Const) bool { return c.Value == value }):
		return "", fmt.Sprintf("the default %v is none of the values that %s allows: %s", l, t.Go, constValues(t.Enum))
	case outOfRange(t, value):
		return "", fmt.Sprintf("the default %v is out of the range of its bounds", l)
	}
	return value, ""
}

// outOfRange reports whether a value is beyond the bounds of its type.
func outOfRange(t *model.Type, value string) bool {
	size, _ := strconv.ParseFloat(value, 64)
	switch t.Kind {
	case model.String:
		size = float64(utf8.RuneCountInString(model.Unquote(value)))
	case model.Slice:
		size = 0
	}
	beyond := func(bound string, sign float64) bool {
		limit, err := strconv.ParseFloat(bound, 64)
		return err == nil && sign*size > sign*limit
	}
	return beyond(t.Min, -1) || beyond(t.Max, 1) || beyond(t.Above, -1) || beyond(t.Below, 1) || value == t.Above && value != "" || value == t.Below && value != ""
}

func constValues(consts []model.Const) string {
	var list []string
	for _, c := range consts {
		list = append(list, c.Value)
	}
	return enumerate(list)
}

// jsonLiteral is a literal as a JSON value of a Go type, or the problem with it.
func jsonLiteral(l aion.Literal, t *model.Type) (value, problem string) {
	switch t.Kind {
	case model.String:
		return model.Quote(l.Text), ""
	case model.Bool:
		if l.Kind == aion.BoolLiteral {
			return map[bool]string{true: "true", false: "false"}[l.Text[0] == 't' || l.Text[0] == 'T'], ""
		}
		return "", "is neither true nor false"
	case model.Int:
		n, err := strconv.ParseInt(l.Text, 10, bitSize(t))
		if l.Kind != aion.NumberLiteral || err != nil {
			return "", "is no integer in the range of the type"
		}
		return strconv.FormatInt(n, 10), ""
	case model.Uint:
		n, err := strconv.ParseUint(l.Text, 10, bitSize(t))
		if l.Kind != aion.NumberLiteral || err != nil {
			return "", "is no integer in the range of the type"
		}
		return strconv.FormatUint(n, 10), ""
	case model.Float:
		if _, err := strconv.ParseFloat(l.Text, bitSize(t)); l.Kind != aion.NumberLiteral || err != nil {
			return "", "is no number in the range of the type"
		}
		return l.Text, ""
	case model.Slice:
		if l.Kind == aion.ListLiteral {
			return "[]", ""
		}
		return "", "is not [], the only default of a list"
	}
	return "", "cannot be written here"
}

func bitSize(t *model.Type) int {
	if t.Bits == 0 {
		return 64
	}
	return t.Bits
}

func (b *binder) badOption(e aion.Entry, format string, args ...any) *diag.Diagnostic {
	return b.faults.Errorf("note-option", e.Note.Span, "%s: %s", e.Name.Value, fmt.Sprintf(format, args...))
}
