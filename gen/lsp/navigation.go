package lsp

import (
	"cmp"
	"context"
	"slices"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
	"github.com/aiongen/aiongen/gen/lsp/internal/protocol"
)

// definition returns the Go declaration of a function or parameter.
func (v *view) definition(p protocol.PositionParams) ([]protocol.Location, error) {
	return v.locate(p, gen.Binding.Declaration), nil
}

// typeDefinition returns the Go declaration of the type of a parameter, or of the result of a
// function.
func (v *view) typeDefinition(p protocol.PositionParams) ([]protocol.Location, error) {
	return v.locate(p, gen.Binding.TypeDeclared), nil
}

// locate passes the binding at a position to selectSpan, and returns the location of the span that
// selectSpan returns. At the name of a tool, locate uses the binding of the tool's function.
func (v *view) locate(p protocol.PositionParams, selectSpan func(gen.Binding) diag.Span) []protocol.Location {
	offset := v.offset(p.Position)
	b, ok := v.bindingAt(offset)
	if !ok && v.elementNamedAt(offset) != nil {
		b, ok = v.functionBinding(offset)
	}
	if !ok {
		return nil
	}
	return v.appendLocation(nil, selectSpan(b))
}

// appendLocation appends the location of a span, if its file can be read.
func (v *view) appendLocation(all []protocol.Location, at diag.Span) []protocol.Location {
	if at.File == "" {
		return all
	}
	d := v.open(at.File)
	if len(d.text) == 0 {
		return all
	}
	return append(all, protocol.Location{URI: d.uri, Range: d.spanRange(at)})
}

// references returns the locations in .aion files that refer to the Go object at a position. The position
// may also be the declaration of the object in a Go file. The locations may be in several modules.
func (s *server) references(ctx context.Context, p protocol.ReferenceParams) (all []protocol.Location, err error) {
	var declared diag.Span
	err = s.eachView(ctx, p.URI(), func(v *view) {
		if declared.File == "" {
			declared = v.declarationAt(v.offset(p.Position))
		}
	})
	if err != nil || declared.File == "" {
		return nil, err
	}
	err = s.eachView(ctx, p.URI(), func(v *view) {
		if p.Context.IncludeDeclaration && all == nil {
			all = v.appendLocation(all, declared)
		}
		for _, b := range v.module.session.Bindings() {
			if v.module.absoluteSpan(b.Declared) == declared {
				all = v.appendLocation(all, b.Span)
			}
		}
	})
	return all, err
}

// declarationAt returns the span of the declaration of the Go object at an offset. The offset is in an .aion
// file that refers to the object, or in the declaration itself. The span has an absolute path. If there is no
// such object, declarationAt returns the zero Span.
func (v *view) declarationAt(offset int) diag.Span {
	if v.isAion {
		if b, ok := v.bindingAt(offset); ok {
			return v.module.absoluteSpan(b.Declared)
		}
		return diag.Span{}
	}
	for _, b := range v.module.session.Bindings() {
		declared := v.module.absoluteSpan(b.Declared)
		if declared.File != v.path {
			continue
		}
		if from, to := v.offsetOf(declared.Start), v.offsetOf(declared.End); from <= offset && offset <= to {
			return declared
		}
	}
	return diag.Span{}
}

// documentHighlights returns the names in a document that refer to the Go object at a position.
func (s *server) documentHighlights(ctx context.Context, p protocol.PositionParams) ([]protocol.DocumentHighlight, error) {
	all, err := s.references(ctx, protocol.ReferenceParams{PositionParams: p})
	highlights := []protocol.DocumentHighlight{}
	for _, l := range all {
		if documentKey(l.URI) == documentKey(p.URI()) {
			highlights = append(highlights, protocol.DocumentHighlight{Range: l.Range})
		}
	}
	return highlights, err
}

// inlayHints shows the Go names and types of arguments after their entries.
func (v *view) inlayHints(p protocol.RangeParams) ([]protocol.InlayHint, error) {
	hints := []protocol.InlayHint{}
	from, to := v.offset(p.Range.Start), v.offset(p.Range.End)
	for _, b := range v.bindings() {
		if !b.IsFunction() {
			continue
		}
		el := v.elementAt(b.Span.Start.Offset)
		if el == nil || el.Function == nil || el.Span.End.Offset < from || el.Span.Start.Offset > to {
			continue
		}
		entries := b.Entries()
		for _, e := range slices.Concat(el.Function.Args, el.Function.Returns) {
			if i := slices.IndexFunc(entries, func(s gen.Symbol) bool { return s.Name == e.Name.Value }); i >= 0 {
				hints = append(hints, protocol.InlayHint{Position: v.position(e.Name.Span.End.Offset), Label: entries[i].Type, Kind: typeHint, PaddingLeft: true})
			}
		}
	}
	return hints, nil
}

// typeHint is the kind of inlay hints about types.
const typeHint = 1

// codeLenses returns a lens above each function of a Go file for each tool that calls it. A click on the lens
// shows the tool in its .aion file. codeLenses returns no lenses if the client cannot show a document.
func (s *server) codeLenses(ctx context.Context, p protocol.DocumentParams) ([]protocol.CodeLens, error) {
	lenses := []protocol.CodeLens{}
	if !s.client.Window.ShowDocument.Support {
		return lenses, nil
	}
	err := s.eachView(ctx, p.URI(), func(v *view) {
		for _, b := range v.module.session.Bindings() {
			if v.isAion || !b.IsFunction() || v.module.absoluteSpan(b.Declared).File != v.path {
				continue
			}
			for _, l := range v.appendLocation(nil, b.Span) {
				command := protocol.Command{Title: "tool " + b.Tool, Command: openTool, Arguments: []protocol.CommandArgument{{Location: l}}}
				lenses = append(lenses, protocol.CodeLens{Range: v.spanRange(b.Declared), Command: command})
			}
		}
	})
	slices.SortStableFunc(lenses, func(a, b protocol.CodeLens) int { return cmp.Compare(a.Range.Start.Line, b.Range.Start.Line) })
	return lenses, err
}

// openTool is the command of a code lens. Its argument is a location.
const openTool = "aiongen.openTool"

// elementNamedAt returns the element whose name contains an offset, or nil.
func (d *document) elementNamedAt(offset int) *aion.Element {
	if el := d.elementAt(offset); el != nil && contains(el.Name.Span, offset) {
		return el
	}
	return nil
}
