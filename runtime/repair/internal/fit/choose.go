package fit

import (
	"slices"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

// A Document is a value found in a text, with the changes that were needed to read it.
type Document struct {
	Value     *jsontext.Node
	From, To  int // its position
	Edits     []reader.Change
	Cut       bool // the text was cut off inside the value
	Unchanged bool // the value was valid JSON
	rank      documentRank
	Failure   *reader.Failure // why the value cannot be read
}

// documentRank orders the values in a text; those of the highest rank are chosen.
type documentRank uint8

const (
	rankPlain documentRank = iota // may be a remark in brackets, such as [1], in prose
	rankCode                      // in a fence for another language
	rankProse                     // outside a fence
	rankFence                     // in a fence, or the whole text
)

// ReadDocument returns the value in text[from:].
func ReadDocument(text string, from int, s *jsonschema.Schema) (Document, *reader.Failure) {
	f := NewFinder(text, from, s)
	f.Editing = true
	f.Find()
	switch {
	case f.Failed.Failure != nil && f.Failed.rank >= f.highestRank():
		return Document{}, f.Failed.Failure
	case len(f.Found) == 0:
		return Document{}, &reader.Failure{Code: reader.Nothing, At: len(text), Message: "there is no JSON value in the text"}
	}
	d, bad := f.chooseDocument()
	if bad == nil {
		if hole := reader.HoleIn(d.Value); hole != nil {
			bad = &reader.Failure{Code: reader.Unreadable, At: int(hole.Start), Message: reader.DescribeHole(hole)}
		}
	}
	return d, bad
}

// highestRank returns the highest rank of the values found.
func (f *Finder) highestRank() (best documentRank) {
	for _, d := range f.Found {
		best = max(best, d.rank)
	}
	return best
}

// chooseDocument returns the only value of the highest rank that fits the schema, or a list of all values of
// that rank.
func (f *Finder) chooseDocument() (Document, *reader.Failure) {
	best := f.highestRank()
	chosen := slices.DeleteFunc(f.Found, func(d Document) bool { return d.rank < best })
	if len(chosen) > 1 && f.schema != nil {
		var bad *reader.Failure
		if chosen, bad = f.chooseFitting(chosen); bad != nil {
			return Document{}, bad
		}
	}
	d := chosen[0]
	d.Unchanged = len(d.Edits) == 0
	if len(chosen) > 1 {
		d = f.joinDocuments(chosen)
	}
	d.Edits = append(d.Edits, f.editsAround(chosen)...)
	return d, nil
}

// chooseFitting returns the only value that matches the schema, possibly after conversion. It returns all values if
// none matches, or if several match and the schema expects a list.
func (f *Finder) chooseFitting(values []Document) ([]Document, *reader.Failure) {
	t := New(f.Text)
	var fits []Document
	for _, d := range values {
		if !reader.WantsKind(f.schema, d.Value.Kind) {
			continue
		}
		if len(fits) > 0 && t.isSameValue(fits[0].Value, d.Value) {
			continue
		}
		if t.readAs(d.Value, f.schema) != nil {
			fits = append(fits, d)
		}
	}
	switch {
	case len(fits) == 1:
		return fits, nil
	case len(fits) == 0 || reader.WantsKind(f.schema, jsontext.Array):
		return values, nil
	}
	return nil, &reader.Failure{Code: reader.Ambiguous, At: fits[1].From, Message: "there are two values that fit the schema: " +
		reader.ShowValue(fits[0].Value) + " and " + reader.ShowValue(fits[1].Value)}
}

// joinDocuments returns a document whose value is the list of the given values.
func (f *Finder) joinDocuments(values []Document) Document {
	size := 1
	for _, v := range values {
		size += len(v.Edits)
	}
	d := Document{Value: f.NewNode(jsontext.Array, values[0].From), From: values[0].From, To: values[len(values)-1].To, Edits: make([]reader.Change, 0, size+len(values)+1)}
	d.Value.End = int32(d.To)
	d.Edits = append(d.Edits, reader.NewChange(reader.List, values[0].From, values[0].From, "["))
	for _, v := range values {
		d.Value.Add(v.Value)
		d.Edits = append(d.Edits, v.Edits...)
		d.Cut = d.Cut || v.Cut
	}
	return d
}

// editsAround returns the edits that remove the text around the chosen values.
func (f *Finder) editsAround(values []Document) (edits []reader.Change) {
	remove := func(from, to int) {
		to = f.TrimEnd(from, to)
		for from < to && scan.IsBlank(f.Text[from]) {
			from++
		}
		if from < to {
			edits = append(edits, reader.NewChange(reader.Text, from, to, ""))
		}
	}
	from := 0
	for _, v := range values {
		remove(from, v.From)
		from = v.To
	}
	remove(from, len(f.Text))
	return edits
}
