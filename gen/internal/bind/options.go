package bind

import (
	"fmt"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/shape"
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
	if n.Required {
		field.Optional, field.Default = false, ""
	}
	if n.Open || len(n.Enum) > 0 || n.Min != nil || n.Max != nil {
		field.Type = b.limited(e, field.Type)
	}
	if n.Default != nil && n.Default.Kind != aion.NoneLiteral {
		b.applyDefault(e, field)
	}
}

// limited is a type with the limits of a note. A pointer's are those of what it
// points to, and those of a type that reads itself of what it is given to read.
func (b *binder) limited(e aion.Entry, t *model.Type) *model.Type {
	limited := *t
	limited.Narrowed = true
	if t.Kind == model.Pointer || t.Kind == model.Custom && t.Elem != nil {
		limited.Elem = b.limited(e, t.Elem)
		return &limited
	}
	if e.Note.Open {
		if len(t.Enum)+len(t.Known)+len(e.Note.Enum) == 0 {
			b.badOption("note-option", e, "open does not fit the Go type %s, which has no enum to open", t.Go).WithHelp("leave it out: all values are allowed")
		}
		limited.Known, limited.Enum = t.Enum, nil
	}
	b.limitRange(e, &limited)
	if len(e.Note.Enum) > 0 {
		b.limitValues(e, &limited)
	}
	return &limited
}

func (b *binder) limitValues(e aion.Entry, t *model.Type) {
	values, problems := b.shapes.EnumValues(t, e.Note.Enum, e.Note.Open)
	for _, problem := range problems {
		b.badOption("bad-enum", e, "%s", problem)
	}
	t.Enum, t.Known = values, nil
	if e.Note.Open {
		t.Enum, t.Known = nil, t.Enum
	}
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
		value, problem := shape.BoundOf(t, bound.name, *bound.literal)
		if problem != "" {
			b.badOption("bad-bound", e, "%s", problem)
			continue
		}
		*bound.into = value
	}
	if problem := shape.LimitsOf(t).Crossed(); problem != "" {
		b.badOption("bad-bound", e, "%s", problem)
		t.Min, t.Max = "", "" // which of them is wrong nobody knows
	}
}

func (b *binder) applyDefault(e aion.Entry, field *model.Field) {
	value, problem := shape.DefaultOf(field.Type, *e.Note.Default)
	if problem != "" {
		b.badOption("bad-default", e, "%s", problem)
		return
	}
	field.Default = value
}

func (b *binder) badOption(code diag.Code, e aion.Entry, format string, args ...any) *diag.Diagnostic {
	return b.faults.Errorf(code, e.Note.Span, "%s: %s", e.Name.Value, fmt.Sprintf(format, args...))
}
