package repair

import (
	"slices"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

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

// rank orders the values in a text: those of the highest rank are meant.
type rank uint8

const (
	rankPlain rank = iota // what prose may have, too, such as [1]
	rankCode              // in a fence for something else than JSON
	rankProse             // in prose
	rankFence             // in a fence
)

// read returns the value in a text, from a place on.
func read(text string, from int, s *jsonschema.Schema) (document, *failure) {
	f := newFinder(text, from, s)
	f.editing = true
	f.find()
	switch {
	case f.failed.failure != nil && f.failed.rank >= f.highest():
		return document{}, f.failed.failure
	case len(f.found) == 0:
		return document{}, &failure{code: codeNothing, at: len(text), message: "there is no JSON value in the text"}
	}
	d, bad := f.choose()
	if bad == nil {
		if hole := holeIn(d.value); hole != nil {
			bad = &failure{code: codeUnreadable, at: int(hole.Start), message: missingAt(hole)}
		}
	}
	return d, bad
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
func (f *finder) choose() (document, *failure) {
	best := f.highest()
	meant := slices.DeleteFunc(f.found, func(d document) bool { return d.rank < best })
	if len(meant) > 1 && f.schema != nil {
		var bad *failure
		if meant, bad = f.fitting(meant); bad != nil {
			return document{}, bad
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
func (f *finder) fitting(values []document) ([]document, *failure) {
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
	return nil, &failure{code: codeAmbiguous, at: fit[1].from, message: "there are two values that fit the schema: " +
		shown(fit[0].value) + " and " + shown(fit[1].value)}
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
