package bind

import (
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/internal/values"
)

// applyOptions applies the options of a note that limit the values of an argument, give it a
// default, or make it optional or required. If there are limits, the field gets a copy of its type.
func (r noteReader) applyOptions(e aion.Entry, field *model.Field) diag.List {
	n, o := e.Note, noteOptions{Entry: e, shapes: r.Shapes}
	field.Optional = field.Optional || n.Optional
	if n.Take != nil {
		o.reportFault("note-option", "take= applies only to the result of a function").WithHelp("delete take=").WithFix(n.Without("take")...)
	}
	if n.Required {
		field.Optional, field.Default = false, ""
	}
	if n.Open || len(n.Enum) > 0 || n.Min != nil || n.Max != nil {
		field.Type = o.limitType(field.Type)
	}
	if n.Default != nil && values.FormOf(*n.Default) != values.NoneForm {
		value, problem := shape.ReadDefault(field.Type, *n.Default)
		if problem != "" {
			suggestConstant(o.reportFault("bad-default", problem), &n, *n.Default, field.Type)
		} else {
			field.Default = value
		}
	}
	return o.faults
}

// noteOptions applies the options of one note and collects the diagnostics.
type noteOptions struct {
	aion.Entry
	shapes *shape.Shapes
	faults diag.List
}

// limitType returns a copy of the type with the limits of the note. Limits on a pointer apply to
// the type that it points to. Limits on a represented type, or on a type with its own
// UnmarshalJSON, apply to the type of its JSON.
func (o *noteOptions) limitType(t *model.Type) *model.Type {
	if t.Kind == model.Pointer || t.Kind == model.Represented || t.Kind == model.Asserted || t.Kind == model.NullOr || t.Kind == model.Custom && t.Elem != nil {
		return t.WithElem(o.limitType(t.Elem))
	}
	limited := *t
	limited.Narrowed = true
	if o.Note.Open {
		o.openValues(&limited)
	}
	o.limitRange(&limited)
	if len(o.Note.Enum) > 0 {
		o.limitValues(&limited)
	}
	return &limited
}

// openValues allows other values than the constants of a type or of its elements.
func (o *noteOptions) openValues(t *model.Type) {
	if len(t.Enum)+len(t.Known) == 0 && len(o.Note.Enum) > 0 {
		return // the note lists the values
	}
	opened, problem := openEnum(t)
	if problem != "" {
		o.reportFault("note-option", problem).WithHelp("delete open").WithFix(o.Note.Without("open")...)
		return
	}
	*t = *opened
}

// openEnum returns a copy of a type that also allows other values than its constants. If that is not
// possible, problem says why.
func openEnum(t *model.Type) (opened *model.Type, problem string) {
	seen := &model.TypeSet{}
	for part := t; part != nil && seen.Add(part); part = part.Elem {
		if len(part.Enum) > 0 && part.Form == model.ProtoJSON {
			return t, fmt.Sprintf("the option open does not apply to the Go type %s: Protocol Buffers reads only names of its values", part.Go)
		}
	}
	opened, ok := shape.OpenEnum(t)
	if !ok {
		return t, fmt.Sprintf("the option open does not apply to the Go type %s, which has no enum: all values are allowed anyway", t.Go)
	}
	return opened, ""
}

func (o *noteOptions) limitValues(t *model.Type) {
	values, problems := o.shapes.EnumValues(t, o.Note.Enum, o.Note.Open)
	for _, problem := range problems {
		d := o.reportFault("bad-enum", problem)
		for _, l := range o.Note.Enum {
			if strings.HasPrefix(problem, fmt.Sprintf("the enum value %v is not a constant", l)) {
				suggestConstant(d, &o.Note, l, t)
			}
		}
	}
	t.Enum, t.Known = values, nil
	if o.Note.Open {
		t.Enum, t.Known = nil, t.Enum
	}
}

func (o *noteOptions) limitRange(t *model.Type) {
	for _, bound := range []struct {
		name    string
		literal *values.Literal
		target  *string
	}{{"min=", o.Note.Min, &t.Min}, {"max=", o.Note.Max, &t.Max}} {
		if bound.literal == nil {
			continue
		}
		value, problem := shape.ReadBound(t, bound.name, *bound.literal)
		if problem != "" {
			o.reportFault("bad-bound", problem)
			continue
		}
		*bound.target = value
	}
	if problem := shape.LimitsOf(t).CheckBounds(); problem != "" {
		o.reportFault("bad-bound", problem)
		t.Min, t.Max = "", "" // each of them may be the wrong one
	}
}

func (o *noteOptions) reportFault(code diag.Code, problem string) *diag.Diagnostic {
	return o.faults.Errorf(code, o.Note.Span, "%s: %s", o.Name.Value, problem)
}
