package lsp

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/lsp/internal/protocol"
)

// The kinds of symbols.
const (
	fieldSymbol    = 8
	functionSymbol = 12
	stringSymbol   = 15
	arraySymbol    = 18
)

// documentSymbols lists the tools and prompts of a document.
func (d *document) documentSymbols(_ protocol.DocumentParams) []protocol.DocumentSymbol {
	doc, all := d.parse(), []protocol.DocumentSymbol{}
	add := func(list *[]protocol.DocumentSymbol, name, detail string, kind int, span, selection diag.Span) *protocol.DocumentSymbol {
		*list = append(*list, protocol.DocumentSymbol{
			Name: name, Detail: detail, Kind: kind,
			Range: d.spanRange(span), SelectionRange: d.spanRange(selection),
		})
		return &(*list)[len(*list)-1]
	}
	for name, text := range map[string]*aion.Text{"system_prompt": doc.SystemPrompt, "wrapped_query": doc.WrappedQuery} {
		if text != nil {
			add(&all, name, "", stringSymbol, joinSpans(text.Key, text.Span), text.Span)
		}
	}
	if doc.Rules != nil {
		add(&all, "rules", "", arraySymbol, joinSpans(doc.Rules.Key, doc.Rules.Span), doc.Rules.Span)
	}
	for _, el := range doc.Elements {
		detail, selection := "", el.Name.Span
		if el.Function != nil {
			detail = firstLine(el.Function.Text.Value)
		}
		if !selection.End.IsValid() {
			selection = el.Span
		}
		name := cmp.Or(el.Name.Value, detail)
		if name == "" {
			continue // clients reject symbols without a name
		}
		symbol := add(&all, name, detail, functionSymbol, el.Span, selection)
		for _, e := range entriesOf(el) {
			if e.Name.Value != "" {
				add(&symbol.Children, e.Name.Value, firstLine(e.Note.Written().Value), fieldSymbol, joinSpans(e.Name.Span, e.Note.Span), e.Name.Span)
			}
		}
	}
	slices.SortFunc(all, func(a, b protocol.DocumentSymbol) int {
		return cmp.Or(cmp.Compare(a.Range.Start.Line, b.Range.Start.Line), cmp.Compare(a.Range.Start.Character, b.Range.Start.Character))
	})
	return all
}

// joinSpans returns the span from the start of a to the end of b, or b if a is zero.
func joinSpans(a, b diag.Span) diag.Span {
	if a.Start.IsValid() {
		b.Start = a.Start
	}
	return b
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// maxSymbols limits the symbols of a workspace that one request returns.
const maxSymbols = 500

// workspaceSymbols lists the tools whose names contain the letters of a query in the same order.
func (s *server) workspaceSymbols(ctx context.Context, p protocol.WorkspaceSymbolParams) (all []protocol.WorkspaceSymbol, err error) {
	all = []protocol.WorkspaceSymbol{}
	for _, m := range s.allModules() {
		err = cmp.Or(err, s.useCompiled(ctx, m, func() {
			for _, doc := range m.session.Documents() {
				d := m.document(m.absolutePath(doc.Name))
				for _, el := range doc.Elements {
					if len(all) < maxSymbols && el.Name.Value != "" && hasLetters(el.Name.Value, p.Query) {
						all = append(all, protocol.WorkspaceSymbol{
							Name: el.Name.Value, Kind: functionSymbol, ContainerName: doc.Name,
							Location: protocol.Location{URI: d.uri, Range: d.spanRange(el.Name.Span)},
						})
					}
				}
			}
		}))
	}
	return all, err
}

// hasLetters reports whether a name contains the letters of a query in the same order, ignoring case.
func hasLetters(name, query string) bool {
	name = strings.ToLower(name)
	for _, r := range strings.ToLower(query) {
		_, rest, ok := strings.Cut(name, string(r))
		if !ok {
			return false
		}
		name = rest
	}
	return true
}

// spans returns the spans of the parts of a document, from the array to the names and notes of entries. Inner
// spans may come before outer ones.
func (d *document) spans() (all []diag.Span) {
	doc := d.parse()
	add := func(list ...diag.Span) { all = append(all, list...) }
	add(doc.Span)
	for _, p := range d.properties() {
		add(p.value, joinSpans(p.key, p.value))
	}
	for _, el := range doc.Elements {
		add(el.Span)
		if el.Function != nil {
			add(el.Function.Block, joinSpans(el.Function.Text.Key, el.Function.Block))
		}
		for _, e := range entriesOf(el) {
			add(e.Name.Span, e.Note.Span, joinSpans(e.Name.Span, e.Note.Span))
		}
	}
	return slices.DeleteFunc(all, func(at diag.Span) bool { return !at.End.IsValid() })
}

// foldingRanges lists the parts and comments of a document that span several lines.
func (d *document) foldingRanges(_ protocol.DocumentParams) []protocol.FoldingRange {
	ends := map[uint32]uint32{} // the last line of the longest range, by its first line
	for _, at := range d.spans() {
		r := d.spanRange(at)
		if at.Start.Offset < at.End.Offset && r.End.Line > r.Start.Line {
			ends[r.Start.Line] = max(ends[r.Start.Line], r.End.Line)
		}
	}
	folds := []protocol.FoldingRange{}
	for start, end := range ends {
		folds = append(folds, protocol.FoldingRange{StartLine: start, EndLine: end})
	}
	folds = append(folds, d.foldComments()...)
	slices.SortFunc(folds, func(a, b protocol.FoldingRange) int {
		return cmp.Or(cmp.Compare(a.StartLine, b.StartLine), cmp.Compare(b.EndLine, a.EndLine))
	})
	return folds
}

// foldComments lists the groups of comments on consecutive lines.
func (d *document) foldComments() (folds []protocol.FoldingRange) {
	var last protocol.FoldingRange
	for _, c := range d.parse().Comments {
		line := d.spanRange(c.Span).Start.Line
		if last.Kind != "" && line == last.EndLine+1 {
			last.EndLine = line
			if len(folds) > 0 && folds[len(folds)-1].StartLine == last.StartLine {
				folds = folds[:len(folds)-1]
			}
			folds = append(folds, last)
			continue
		}
		last = protocol.FoldingRange{StartLine: line, EndLine: line, Kind: "comment"}
	}
	return folds
}

// selectionRanges lists for each position the ranges that contain it, from the word to the document.
func (d *document) selectionRanges(p protocol.SelectionRangeParams) []*protocol.SelectionRange {
	spans := d.spans()
	all := []*protocol.SelectionRange{}
	for _, position := range p.Positions {
		offset := d.offset(position)
		from, to := d.wordAt(offset)
		around := [][2]int{{from, to}, {0, len(d.text)}}
		for _, at := range spans {
			if contains(at, offset) {
				around = append(around, [2]int{at.Start.Offset, at.End.Offset})
			}
		}
		slices.SortFunc(around, func(a, b [2]int) int { return cmp.Compare(b[1]-b[0], a[1]-a[0]) })
		var selected *protocol.SelectionRange
		last := [2]int{0, len(d.text)}
		for _, at := range around {
			if at[0] < last[0] || at[1] > last[1] || selected != nil && at == last {
				continue // the span is not inside the last one
			}
			selected, last = &protocol.SelectionRange{Range: d.rangeOf(at[0], at[1]), Parent: selected}, at
		}
		all = append(all, selected)
	}
	return all
}
