package note

import (
	"fmt"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/internal/values"
)

// hasOptions reports whether a note says more than a type and a description.
func hasOptions(n aion.Note) bool {
	return n.Optional || n.Open || n.Default != nil || len(n.Enum) > 0 || n.Min != nil || n.Max != nil
}

// Allow takes over what a note allows of an argument: which values, and whether it may
// be left out. The type becomes a copy with its own limits.
func (r Reader) Allow(e aion.Entry, field *model.Field) diag.List {
	n, o := e.Note, options{Entry: e, shapes: r.Shapes}
	field.Optional = field.Optional || n.Optional
	if n.Required {
		field.Optional, field.Default = false, ""
	}
	if n.Open || len(n.Enum) > 0 || n.Min != nil || n.Max != nil {
		field.Type = o.limited(field.Type)
	}
	if n.Default != nil && values.FormOf(*n.Default) != values.NoneForm {
		value, problem := shape.DefaultOf(field.Type, *n.Default)
		if problem != "" {
			o.bad("bad-default", problem)
		} else {
			field.Default = value
		}
	}
	return o.faults
}

// options are those of a note, and what is wrong with them.
type options struct {
	aion.Entry
	shapes *shape.Shapes
	faults diag.List
}

// limited is a type with the limits of a note. A pointer's are those of what it
// points to, and those of a type that reads itself of what it is given to read.
func (o *options) limited(t *model.Type) *model.Type {
	limited := *t
	limited.Narrowed = true
	if t.Kind == model.Pointer || t.Kind == model.Custom && t.Elem != nil {
		limited.Elem = o.limited(t.Elem)
		return &limited
	}
	if o.Note.Open {
		if len(t.Enum)+len(t.Known)+len(o.Note.Enum) == 0 {
			o.bad("note-option", fmt.Sprintf("open does not fit the Go type %s, which has no enum to open", t.Go)).
				WithHelp("leave it out: all values are allowed").WithFix(o.Note.Without("open")...)
		}
		limited.Known, limited.Enum = t.Enum, nil
	}
	o.limitRange(&limited)
	if len(o.Note.Enum) > 0 {
		o.limitValues(&limited)
	}
	return &limited
}

func (o *options) limitValues(t *model.Type) {
	values, problems := o.shapes.EnumValues(t, o.Note.Enum, o.Note.Open)
	for _, problem := range problems {
		o.bad("bad-enum", problem)
	}
	t.Enum, t.Known = values, nil
	if o.Note.Open {
		t.Enum, t.Known = nil, t.Enum
	}
}

func (o *options) limitRange(t *model.Type) {
	for _, bound := range []struct {
		name    string
		literal *values.Literal
		into    *string
	}{{"min=", o.Note.Min, &t.Min}, {"max=", o.Note.Max, &t.Max}} {
		if bound.literal == nil {
			continue
		}
		value, problem := shape.BoundOf(t, bound.name, *bound.literal)
		if problem != "" {
			o.bad("bad-bound", problem)
			continue
		}
		*bound.into = value
	}
	if problem := shape.LimitsOf(t).Crossed(); problem != "" {
		o.bad("bad-bound", problem)
		t.Min, t.Max = "", "" // which of them is wrong nobody knows
	}
}

func (o *options) bad(code diag.Code, problem string) *diag.Diagnostic {
	return bad(&o.faults, code, o.Entry, problem)
}

func bad(faults *diag.List, code diag.Code, e aion.Entry, problem string) *diag.Diagnostic {
	return faults.Errorf(code, e.Note.Span, "%s: %s", e.Name.Value, problem)
}
