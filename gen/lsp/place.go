package lsp

import (
	"slices"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
)

// contains reports whether a span contains an offset or ends there.
func contains(at diag.Span, offset int) bool {
	return at.Start.Offset <= offset && offset <= at.End.Offset && at.End.IsValid()
}

// elementAt returns the last element that begins before an offset, or nil.
func (d *document) elementAt(offset int) *aion.Element {
	elements := d.parse().Elements
	for _, el := range slices.Backward(elements) {
		if el.Span.Start.Offset <= offset {
			return el
		}
	}
	return nil
}

// entriesOf returns the entries of an element: first those of its function, then those of args_schema.
func entriesOf(el *aion.Element) (all []aion.Entry) {
	if el.Function != nil {
		all = slices.Concat(el.Function.Args, el.Function.Returns, el.Function.Paths)
	}
	if el.Schema != nil {
		all = slices.Concat(all, el.Schema.Fields, el.Schema.Paths)
	}
	return all
}

// entryAt returns the entry of an element at an offset, or nil.
func entryAt(el *aion.Element, offset int) *aion.Entry {
	for _, e := range entriesOf(el) {
		if contains(e.Name.Span, offset) || contains(e.Note.Span, offset) {
			return &e
		}
	}
	return nil
}

// bindings returns the bindings of the document.
func (v *view) bindings() (all []gen.Binding) {
	if v.module == nil {
		return nil
	}
	for _, b := range v.module.session.Bindings() {
		if v.module.absolutePath(b.Span.File) == v.path {
			all = append(all, b)
		}
	}
	return all
}

// bindingAt returns the binding at an offset of the document. Inside the note of an entry, it
// returns the binding of the entry.
func (v *view) bindingAt(offset int) (found gen.Binding, ok bool) {
	if el := v.elementAt(offset); el != nil {
		if e := entryAt(el, offset); e != nil {
			offset = e.Name.Span.Start.Offset
		}
	}
	for _, b := range v.bindings() {
		if contains(b.Span, offset) {
			return b, true
		}
	}
	return found, false
}

// documentName returns the name of the document in the session, or "" if the session has not
// compiled it.
func (v *view) documentName() string {
	if v.module == nil {
		return ""
	}
	for _, d := range v.module.session.Documents() {
		if v.module.absolutePath(d.Name) == v.path {
			return d.Name
		}
	}
	return ""
}
