package repair

import (
	"encoding/json"
	"slices"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// maxSize bounds texts, in bytes.
const maxSize = 16 << 20

// JSON returns the value in a text that a model wrote: in or between prose,
// fences and thoughts, and written as models write JSON. Valid JSON is returned
// as it is, byte for byte. Several values become a list, unless the schema wants
// one of them. The schema, which may be nil, decides only between readings of
// what is no JSON: whether 0123 is a number or text, {a, b} a list or an object.
//
// The text has at most 16 MiB, its values at most 10000 levels. An error is an
// [*Error]: there is no value in the text, or a part of it is missing, or there are
// two that it may be.
func JSON(text string, schema json.RawMessage) (Result, error) {
	s, err := parseSchema(schema)
	if err != nil {
		return Result{}, err
	}
	d, err := read(text, s)
	if err != nil {
		return Result{}, err
	}
	return d.result(text), nil
}

// A document is a value that was found in a text, with what was changed for it.
type document struct {
	value    *jsontext.Node
	from, to int // where it is
	edits    []change
	made     string // reader.made, for the value that is chosen
	cut      bool   // the text was cut off in it
	right    bool   // it is valid JSON as it is
	rank     rank
	failure  *failure // why it cannot be read
}

// result returns the value as it is in the text if that is all it has.
func (d document) result(text string) Result {
	if len(d.edits) == 0 {
		return Result{Value: json.RawMessage(text)}
	}
	if d.right {
		return Result{Value: json.RawMessage(text[d.from:d.to]), Edits: inOrder(text, d.made, d.edits)}
	}
	return Result{Value: d.value.Append(make([]byte, 0, d.to-d.from)), Edits: inOrder(text, d.made, d.edits), Truncated: d.cut}
}

// rank orders the values in a text: those of the highest rank are meant.
type rank uint8

const (
	rankPlain rank = iota // what prose may have, too, such as [1]
	rankCode              // in a fence for something else than JSON
	rankProse             // in prose
	rankFence             // in a fence
)

// read returns the value in a text.
func read(text string, s *jsonschema.Schema) (document, error) {
	if len(text) > maxSize {
		return document{}, (&failure{codeTooLong, maxSize, "the text is longer than 16 MiB"}).of(text)
	}
	f := newFinder(text, s)
	f.editing = true
	f.find()
	switch {
	case f.failed.failure != nil && f.failed.rank >= f.highest():
		return document{}, f.failed.failure.of(text)
	case len(f.found) == 0:
		return document{}, (&failure{codeNothing, len(text), "there is no JSON value in the text"}).of(text)
	}
	d, err := f.choose()
	if err == nil {
		if hole := holeIn(d.value); hole != nil {
			err = (&failure{codeUnreadable, int(hole.Start), missingAt(hole)}).of(text)
		}
	}
	return d, err
}

// highest returns the highest rank of the values that were found.
func (f *finder) highest() (best rank) {
	for _, d := range f.found {
		best = max(best, d.rank)
	}
	return best
}

// choose returns the value that is meant: of those of the highest rank the one
// that fits the schema, or all.
func (f *finder) choose() (document, error) {
	best := f.highest()
	meant := slices.DeleteFunc(f.found, func(d document) bool { return d.rank < best })
	if len(meant) > 1 && f.schema != nil {
		var err error
		if meant, err = f.fitting(meant); err != nil {
			return document{}, err
		}
	}
	d := meant[0]
	d.right = len(d.edits) == 0
	if len(meant) > 1 {
		d = f.list(meant)
	}
	d.edits = append(d.edits, f.around(meant)...)
	d.made = f.made.String()
	return d, nil
}

// fitting returns the only one of several values that fits the schema; all, if
// none does or the schema wants a list.
func (f *finder) fitting(values []document) ([]document, error) {
	t := newFitter(f.text)
	var fit []document
	for _, d := range values {
		if !wants(f.schema, d.value.Kind) {
			continue
		}
		if len(fit) > 0 && t.same(fit[0].value, d.value) {
			continue
		}
		if o := t.fit(d.value, f.schema); !o.faults && t.Fits(o.value, f.schema) {
			fit = append(fit, d)
		}
	}
	switch {
	case len(fit) == 1:
		return fit, nil
	case len(fit) == 0 || wants(f.schema, jsontext.Array):
		return values, nil
	}
	return nil, (&failure{codeAmbiguous, fit[1].from, "there are two values that fit the schema: " +
		shown(fit[0].value) + " and " + shown(fit[1].value)}).of(f.text)
}

// list returns one value of several.
func (f *finder) list(values []document) document {
	size := 1
	for _, v := range values {
		size += len(v.edits)
	}
	d := document{value: f.node(jsontext.Array, values[0].from), from: values[0].from, to: values[len(values)-1].to, edits: make([]change, 0, size+len(values)+1)}
	d.value.End = int32(d.to)
	d.edits = append(d.edits, f.change(editList, values[0].from, values[0].from, "["))
	for _, v := range values {
		d.value.Add(v.value)
		d.edits = append(d.edits, v.edits...)
		d.cut = d.cut || v.cut
	}
	return d
}

// around returns the edits for what is around the values that were chosen.
func (f *finder) around(values []document) (edits []change) {
	skip := func(from, to int) {
		to = f.trimmed(from, to)
		for from < to && isBlank(f.text[from]) {
			from++
		}
		if from < to {
			edits = append(edits, f.change(editText, from, to, ""))
		}
	}
	from := 0
	for _, v := range values {
		skip(from, v.from)
		from = v.to
	}
	skip(from, len(f.text))
	return edits
}
