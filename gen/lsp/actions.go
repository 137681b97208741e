package lsp

import (
	"bytes"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
	"github.com/aiongen/aiongen/gen/lsp/internal/protocol"
)

// The kinds of code actions. Editors can apply fixAll and organize whenever a document is saved.
const (
	quickFix = "quickfix"
	fixAll   = "source.fixAll"
	organize = "source.organize"
)

// codeActions returns the quick fixes for the diagnostics in a range, and the actions for the whole
// document.
func (v *view) codeActions(p protocol.CodeActionParams) (actions []protocol.CodeAction, err error) {
	wants := func(kind string) bool {
		return len(p.Context.Only) == 0 || slices.ContainsFunc(p.Context.Only, func(only string) bool {
			return kind == only || strings.HasPrefix(kind, only+".")
		})
	}
	if wants(quickFix) {
		actions = v.quickFixes(v.offset(p.Range.Start), v.offset(p.Range.End))
	}
	if !v.isAion {
		return actions, nil
	}
	if wants(fixAll) {
		// Clients that name no kinds ask after every movement of the cursor, only to find out whether there is
		// something to fix. One round of fixes is enough for them.
		if fixed := v.fixAll(len(p.Context.Only) > 0); !bytes.Equal(fixed, v.text) {
			actions = append(actions, protocol.CodeAction{Title: "Apply all certain fixes", Kind: fixAll, Edit: v.replaceText(fixed)})
		}
	}
	if formatted := v.format(); wants(organize) && !bytes.Equal(formatted, v.text) {
		actions = append(actions, protocol.CodeAction{Title: "Put the properties in order", Kind: organize, Edit: v.replaceText(formatted)})
	}
	return actions, nil
}

// quickFixes returns the fixes of the diagnostics in a part of a document.
func (v *view) quickFixes(from, to int) (actions []protocol.CodeAction) {
	for _, fault := range v.faults {
		if v.offsetOf(fault.Span.Start) > to || v.offsetOf(fault.Span.End) < from {
			continue
		}
		preferred := true // true for the first fix only
		for _, fix := range fault.Fixes {
			actions = append(actions, protocol.CodeAction{
				Title: fix.Title(), Kind: quickFix, IsPreferred: preferred && !fix.Guess, Edit: v.convertFix(fix),
				Diagnostics: v.convertDiagnostics(diag.List{fault}),
			})
			preferred = false
		}
	}
	return actions
}

func (v *view) convertFix(fix diag.Fix) *protocol.WorkspaceEdit {
	var edits []documentEdit
	for _, e := range fix.Edits {
		d := v.open(e.Span.File)
		edits = append(edits, documentEdit{d, protocol.TextEdit{Range: d.spanRange(e.Span), NewText: e.Text}})
	}
	return v.server.newEdit(edits)
}

// replaceText returns the edit that changes the text of the document to another text.
func (v *view) replaceText(text []byte) *protocol.WorkspaceEdit {
	var edits []documentEdit
	for _, edit := range v.difference(text) {
		edits = append(edits, documentEdit{v.document, edit})
	}
	return v.server.newEdit(edits)
}

// difference returns an edit of only the lines that differ, so that the cursor of the editor keeps its
// place in the other lines.
func (d *document) difference(text []byte) []protocol.TextEdit {
	old := d.text
	if bytes.Equal(old, text) {
		return []protocol.TextEdit{}
	}
	from := 0
	for from < min(len(old), len(text)) && old[from] == text[from] {
		from++
	}
	from = bytes.LastIndexByte(old[:from], '\n') + 1
	end := 0 // bytes that are equal at the end
	for end < min(len(old), len(text))-from && old[len(old)-1-end] == text[len(text)-1-end] {
		end++
	}
	if line := bytes.IndexByte(old[len(old)-end:], '\n'); line >= 0 {
		end -= line + 1
	} else {
		end = 0
	}
	return []protocol.TextEdit{{Range: d.rangeOf(from, len(old)-end), NewText: string(text[from : len(text)-end])}}
}

// maxRounds limits how often a fixed text is compiled again.
const maxRounds = 20

// fixAll returns the text after all fixes that are certain. If repeat is true, it compiles the result, fixes
// the faults that appear only then, and so on.
func (v *view) fixAll(repeat bool) []byte {
	fixed := v.applyFixes(v.text, v.faults)
	if !repeat || v.module == nil || bytes.Equal(fixed, v.text) {
		return fixed
	}
	defer v.module.restoreText(v.path)
	for range maxRounds {
		next := v.applyFixes(fixed, v.module.tryText(v.path, fixed))
		if bytes.Equal(next, fixed) {
			break
		}
		fixed = next
	}
	return fixed
}

// applyFixes applies the fixes of diagnostics to a version of the document. It skips fixes that are guesses
// or change another document.
func (v *view) applyFixes(text []byte, faults diag.List) []byte {
	var fixes []diag.Fix
	name := "" // of the document in the edits
	for _, fault := range faults {
		i := slices.IndexFunc(fault.Fixes, func(f diag.Fix) bool {
			return !f.Guess && !slices.ContainsFunc(f.Edits, func(e diag.Edit) bool { return v.open(e.Span.File).path != v.path })
		})
		if i >= 0 {
			fixes, name = append(fixes, fault.Fixes[i]), fault.Fixes[i].Edits[0].Span.File
		}
	}
	fixed, _ := aion.ApplyFixes(name, text, fixes)
	return fixed
}

// format returns the text in canonical form, or the text itself if it has errors.
func (d *document) format() []byte {
	change, _ := gen.FormatInput(d.path, bytes.NewReader(d.text))
	if change.New == nil {
		return d.text
	}
	return change.New
}

// formatDocument formats a document. It changes nothing if the document has errors.
func (d *document) formatDocument(protocol.DocumentParams) []protocol.TextEdit {
	return d.difference(d.format())
}

// formatRange formats the elements that a range touches.
func (d *document) formatRange(p protocol.RangeParams) []protocol.TextEdit {
	formatted := newFile(d.encoding, d.path, d.format())
	edits := []protocol.TextEdit{}
	old, elements := d.parse().Elements, formatted.parse().Elements
	if len(old) != len(elements) {
		return edits // the text has errors
	}
	from, to := d.offset(p.Range.Start), d.offset(p.Range.End)
	for i, el := range old {
		text := string(formatted.text[elements[i].Span.Start.Offset:elements[i].Span.End.Offset])
		start, end := el.Span.Start.Offset, el.Span.End.Offset
		if start <= to && end >= from && string(d.text[start:end]) != text {
			edits = append(edits, protocol.TextEdit{Range: d.spanRange(el.Span), NewText: text})
		}
	}
	return edits
}
