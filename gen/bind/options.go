package bind

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

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
		limited.Known, limited.Enum, limited.Values = t.Enum, nil, ""
	}
	if len(e.Note.Enum) > 0 {
		b.limitValues(e, path, &limited)
	}
	b.limitRange(e, &limited)
	return &limited
}

func (b *binder) limitValues(e aion.Entry, path []string, t *model.Type) {
	t.Enum, t.Known = nil, nil
	if t.Kind != model.String && t.Kind != model.Int && t.Kind != model.Uint {
		b.badOption(e, "enum= does not fit the Go type %s", t.Go).WithHelp("strings and integers can have an enum")
		return
	}
	for _, l := range e.Note.Enum {
		value, problem := jsonLiteral(l, t)
		if problem != "" {
			b.badOption(e, "the enum value %v %s, which is %s in Go", l, problem, t.Go)
			continue
		}
		c := model.Const{Value: value}
		if !slices.Contains(t.Enum, c) {
			t.Enum = append(t.Enum, c)
		}
	}
	if e.Note.Open {
		t.Enum, t.Known = nil, t.Enum
		return
	}
	b.nameValues(t, b.tool.GoName+strings.Join(path, ""))
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
		number := t // what the bound is held against: the value itself, or a length
		switch t.Kind {
		case model.String, model.Slice:
			number = &model.Type{Kind: model.Uint, Bits: 31}
		case model.Uint:
			number = &model.Type{Kind: model.Uint, Bits: min(bitSize(t), 63)} // generated code compares as int64
		case model.Int, model.Float:
		default:
			b.badOption(e, "%s does not fit the Go type %s", bound.name, t.Go).WithHelp("numbers have bounds, and the length of strings and lists")
			continue
		}
		value, problem := jsonLiteral(*bound.literal, number)
		if problem != "" {
			b.badOption(e, "the bound %v %s, which is %s in Go", bound.literal, problem, t.Go)
			continue
		}
		*bound.into = value
	}
}

func (b *binder) applyDefault(e aion.Entry, field *model.Field) {
	t, l := field.Type, *e.Note.Default
	if t.Kind == model.Pointer {
		b.badOption(e, "default= does not fit the Go type %s, whose default is nil", t.Go).WithHelp("take %s in Go, or leave out the default", t.Elem.Go)
		return
	}
	value, problem := jsonLiteral(l, t)
	if problem != "" {
		b.badOption(e, "the default %v %s, which is %s in Go", l, problem, t.Go)
		return
	}
	if len(t.Enum) > 0 && !slices.ContainsFunc(t.Enum, func(c model.Const) bool { return c.Value == value }) {
		b.badOption(e, "the default %v is none of the values that %s allows: %s", l, t.Go, constValues(t.Enum))
		return
	}
	field.Default = value
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
	return "", "cannot be written in a note"
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
