package find

import (
	"slices"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/fit"
	"github.com/aiongen/aiongen/runtime/repair/internal/report"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
	"github.com/aiongen/aiongen/runtime/repair/internal/tree"
)

// A Document is a value that was found in a text, with what was changed for it.
type Document struct {
	Value    *jsontext.Node
	From, To int // where it is
	Edits    []report.Change
	Made     string // reader.made, for the value that is chosen
	Cut      bool   // the text was cut off in it
	Right    bool   // it is valid JSON as it is
	rank     rank
	Failure  *report.Failure // why it cannot be read
}

// rank orders the values in a text: those of the highest rank are meant.
type rank uint8

const (
	rankPlain rank = iota // what prose may have, too, such as [1]
	rankCode              // in a fence for something else than JSON
	rankProse             // in prose
	rankFence             // in a fence
)

// Read returns the value in a text, from a place on.
func Read(text string, from int, s *jsonschema.Schema) (Document, *report.Failure) {
	f := New(text, from, s)
	f.Editing = true
	f.Find()
	switch {
	case f.Failed.Failure != nil && f.Failed.rank >= f.highest():
		return Document{}, f.Failed.Failure
	case len(f.Found) == 0:
		return Document{}, &report.Failure{Code: report.Nothing, At: len(text), Message: "there is no JSON value in the text"}
	}
	d, bad := f.choose()
	if bad == nil {
		if hole := tree.HoleIn(d.Value); hole != nil {
			bad = &report.Failure{Code: report.Unreadable, At: int(hole.Start), Message: tree.Missing(hole)}
		}
	}
	return d, bad
}

// highest returns the highest rank of the values that were found.
func (f *Finder) highest() (best rank) {
	for _, d := range f.Found {
		best = max(best, d.rank)
	}
	return best
}

// choose returns the value that is meant: of those of the highest rank the one
// that fits the schema, or all.
func (f *Finder) choose() (Document, *report.Failure) {
	best := f.highest()
	meant := slices.DeleteFunc(f.Found, func(d Document) bool { return d.rank < best })
	if len(meant) > 1 && f.schema != nil {
		var bad *report.Failure
		if meant, bad = f.fitting(meant); bad != nil {
			return Document{}, bad
		}
	}
	d := meant[0]
	d.Right = len(d.Edits) == 0
	if len(meant) > 1 {
		d = f.list(meant)
	}
	d.Edits = append(d.Edits, f.around(meant)...)
	d.Made = f.Made.String()
	return d, nil
}

// fitting returns the only one of several values that fits the schema; all, if
// none does or the schema wants a list.
func (f *Finder) fitting(values []Document) ([]Document, *report.Failure) {
	t := fit.New(f.Text)
	var fits []Document
	for _, d := range values {
		if !tree.Wants(f.schema, d.Value.Kind) {
			continue
		}
		if len(fits) > 0 && t.Same(fits[0].Value, d.Value) {
			continue
		}
		if t.CanFit(d.Value, f.schema) {
			fits = append(fits, d)
		}
	}
	switch {
	case len(fits) == 1:
		return fits, nil
	case len(fits) == 0 || tree.Wants(f.schema, jsontext.Array):
		return values, nil
	}
	return nil, &report.Failure{Code: report.Ambiguous, At: fits[1].From, Message: "there are two values that fit the schema: " +
		tree.Shown(fits[0].Value) + " and " + tree.Shown(fits[1].Value)}
}

// list returns one value of several.
func (f *Finder) list(values []Document) Document {
	size := 1
	for _, v := range values {
		size += len(v.Edits)
	}
	d := Document{Value: f.Node(jsontext.Array, values[0].From), From: values[0].From, To: values[len(values)-1].To, Edits: make([]report.Change, 0, size+len(values)+1)}
	d.Value.End = int32(d.To)
	d.Edits = append(d.Edits, f.Change(report.List, values[0].From, values[0].From, "["))
	for _, v := range values {
		d.Value.Add(v.Value)
		d.Edits = append(d.Edits, v.Edits...)
		d.Cut = d.Cut || v.Cut
	}
	return d
}

// around returns the edits for what is around the values that were chosen.
func (f *Finder) around(values []Document) (edits []report.Change) {
	skip := func(from, to int) {
		to = f.Trimmed(from, to)
		for from < to && scan.IsBlank(f.Text[from]) {
			from++
		}
		if from < to {
			edits = append(edits, f.Change(report.Text, from, to, ""))
		}
	}
	from := 0
	for _, v := range values {
		skip(from, v.From)
		from = v.To
	}
	skip(from, len(f.Text))
	return edits
}
