package aion

import (
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/notes"
	"github.com/aiongen/aiongen/aion/internal/syntax"
	"github.com/aiongen/aiongen/internal/values"
)

// readSchema reads args_schema: the name of a type or a block of fields.
func (r *reader) readSchema(it *syntax.Item) *Schema {
	s := &Schema{Key: r.SpanOf(it.Key)}
	switch {
	case it.Text != nil:
		name, ok := r.readText(it)
		s.Name, s.Span = &name, name.Span
		if ok && r.checkNonEmpty("args_schema", name) {
			r.checkTypeName(name)
		}
	case it.Block != nil:
		s.Span = r.SpanBetween(it.Block.Open, it.LastToken())
		for _, entry := range r.readFields(it.Block, s.Key) {
			if isPath(entry) {
				s.Paths = append(s.Paths, entry)
			} else {
				s.Fields = append(s.Fields, entry)
			}
		}
	default:
		r.Errorf("wrong-value", s.Key, `the value of "args_schema" must be the name of a Go struct type or a block of fields`).
			WithHelp("write args_schema --> \"Type\", or\nargs_schema --> { field --> \"string (what it is)\" }")
		return nil
	}
	return s
}

func (r *reader) checkTypeName(name Text) {
	if notes.IsType(name.Value) && notes.StartsIdent(name.Value) {
		return
	}
	d := r.Errorf("bad-type-name", name.Span, "%q is not the name of a Go type", name.Value)
	if bare := strings.TrimLeft(name.Value, "*&[] "); notes.IsType(bare) && notes.StartsIdent(bare) {
		d.WithHelp("write %q: args_schema names the struct type itself", bare).WithFix(name.Rewrite(bare)...)
		return
	}
	d.WithHelp(`write the name of a struct type, "Type" or "pkg.Type", or a block of fields, { field --> "…" }`)
}

// readFields reads a block of fields. key is the span of the name before the block.
func (r *reader) readFields(b *syntax.Group, key diag.Span) []Entry {
	var fields []Entry
	seen := map[string]diag.Span{}
	if r.reportJSONSchema(b, key) {
		return nil
	}
	for _, it := range r.BlockItems(b) {
		entry, _ := r.readEntry(it)
		name := entry.Name
		if it.Key == nil {
			continue
		}
		if first, given := seen[name.Value]; given {
			r.reportRepeated("repeated-property", name.Value, name.Span, first)
			continue
		}
		seen[name.Value] = name.Span
		fields = append(fields, entry)
		if values.WordOf(entry.Note.Type).Kind == values.NoneKind {
			r.reportNone(entry)
		}
	}
	return fields
}
