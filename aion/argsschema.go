package aion

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/notes"
	"github.com/aiongen/aiongen/aion/internal/syntax"
	"github.com/aiongen/aiongen/internal/values"
)

// schema reads args_schema, the name of a type or a block of fields.
func (r *reader) schema(it *syntax.Item) *Schema {
	s := &Schema{Key: r.At(it.Key)}
	switch {
	case it.Text != nil:
		name, ok := r.plain(it)
		s.Name, s.Span = &name, name.Span
		if ok && r.checkFilled("args_schema", name) {
			r.checkTypeName(name)
		}
	case it.Block != nil:
		s.Span = r.Between(it.Block.Open, it.Last())
		s.Fields = r.fields(it.Block)
	default:
		r.Errorf("wrong-value", s.Key, `"args_schema" takes the name of a Go struct type or a block of fields`).
			WithHelp("write args_schema --> \"Type\", or\nargs_schema --> { field --> \"string (what it is)\" }")
		return nil
	}
	return s
}

func (r *reader) checkTypeName(name Text) {
	if notes.IsType(name.Value) && notes.StartsIdent(name.Value) {
		return
	}
	d := r.Errorf("bad-type-name", name.Span, "%q is no name of a Go type", name.Value).
		WithHelp(`write the name of a struct type, "Type" or "pkg.Type", or a block of fields, { field --> "…" }`)
	if bare := strings.TrimLeft(name.Value, "*&[] "); notes.IsType(bare) && notes.StartsIdent(bare) {
		d.WithFix(name.Rewrite(bare)...)
	}
}

// fields reads a block of fields.
func (r *reader) fields(b *syntax.Block) []Entry {
	var fields []Entry
	seen := map[string]diag.Span{}
	items := r.Entries(b)
	if r.jsonSchema(items) {
		return nil
	}
	for _, it := range items {
		entry, _ := r.entry(it)
		name := entry.Name
		if it.Key == nil {
			continue
		}
		if first, given := seen[name.Value]; given {
			repeated(&r.Collector, "repeated-property", name.Value, name.Span, first)
			continue
		}
		seen[name.Value] = name.Span
		fields = append(fields, entry)
		if values.WordOf(entry.Note.Type).Kind == values.NoneKind {
			r.noneReserved(entry)
		}
	}
	return fields
}

// jsonSchema reports a block that is a JSON Schema of the fields: whose type is
// object, or whose properties are a block.
func (r *reader) jsonSchema(items []*syntax.Item) bool {
	i := slices.IndexFunc(items, func(it *syntax.Item) bool {
		switch {
		case it.Key == nil:
			return false
		case it.Key.Value == "properties":
			return it.Block != nil
		}
		return it.Key.Value == "type" && it.Text != nil && syntax.Value(it.Text.Value) == "object" && len(items) == 1
	})
	if i >= 0 {
		r.Errorf("wrong-value", r.At(items[i].Key), "args_schema takes the fields themselves, not a JSON Schema of them").
			WithHelp("write args_schema --> { field --> \"int (what it is) | min=1\" }")
	}
	return i >= 0
}
