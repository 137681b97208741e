package bind

import (
	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// describeByFields applies the options "fields" and "fields=" of a note to the type of an argument or result.
// These options say that the json tags of a struct with its own JSON methods describe its JSON.
func (r noteReader) describeByFields(e aion.Entry, t *model.Type, tool string) (described *model.Type, faults diag.List) {
	if e.Note.Fields {
		b := fieldsReader{noteReader: r}
		if t = b.describe(t); b.problem != "" {
			b.faults.Errorf("note-option", e.Note.Span, "%s: %s", e.Name.Value, b.problem).WithHelp("delete the option fields").WithFix(e.Note.Without("fields")...)
		}
		faults = b.faults
	}
	for _, p := range e.Note.Paths("fields") {
		b := fieldsReader{noteReader: r}
		changed := r.changePart(t, p, "", tool, &faults, func(f *model.Field) {
			if f.Type = b.describe(f.Type); b.problem != "" {
				faults.Errorf("note-option", p.Span, "%s: %s", p, b.problem).WithHelp("delete the path, or use only= to choose the fields that the model sees")
			}
		})
		t, faults = changed, append(faults, b.faults...)
	}
	return t, faults
}

// A fieldsReader describes structs by their fields.
type fieldsReader struct {
	noteReader
	visited model.TypeSet
	faults  diag.List
	problem string
}

// describe returns a type like t, in which the fields of a struct describe its JSON. The struct is t itself, the type
// that t points to, or the type of the elements of t.
func (b *fieldsReader) describe(t *model.Type) *model.Type {
	if innerType(t) == nil || !b.visited.Add(t) {
		described, faults, problem := b.Shapes.DescribeByFields(t)
		b.faults, b.problem = append(b.faults, faults...), problem
		return described
	}
	return t.WithElem(b.describe(t.Elem))
}

// canDescribeByFields reports whether the option fields applies to a type.
func (r noteReader) canDescribeByFields(t *model.Type) bool {
	for visited := (&model.TypeSet{}); innerType(t) != nil && visited.Add(t); {
		t = innerType(t)
	}
	return r.Shapes.CanDescribeByFields(t)
}

// helpWithFields adds a help line to the first fault if the option fields applies to t. The line suggests that
// option.
func (r noteReader) helpWithFields(faults diag.List, t *model.Type) {
	if len(faults) > 0 && r.canDescribeByFields(t) {
		faults[0].WithHelp("if the json tags of the struct describe its JSON, say so with the option fields: \"%s | fields\"", fieldsWord(t))
	}
}

// fieldsWord returns the type word for t in a note with the option fields.
func fieldsWord(t *model.Type) string {
	for visited := (&model.TypeSet{}); t.Kind == model.Pointer && visited.Add(t); {
		t = t.Elem
	}
	if t.Kind == model.Slice || t.Kind == model.Array {
		return "list"
	}
	return "dict"
}

// changePart returns t with the field at a path changed, or removed if the option is omit. It returns t itself if
// there is no such field, and reports that.
func (r noteReader) changePart(t *model.Type, path aion.Path, option, tool string, faults *diag.List, change func(*model.Field)) *model.Type {
	c := newNarrower([]aion.Path{path}, r.Shapes.HandleFields)
	c.option, c.change = option, change
	c.defPrefix, c.faults = goname.Exported(tool, "Tool"), faults
	c.findPositions(t, c.startSteps(), position{})
	if before := len(*faults); c.reportUnmatched(t, t) {
		r.helpWithFields((*faults)[before:], t)
		return t
	}
	return c.applyOption(t, c.startSteps())
}
