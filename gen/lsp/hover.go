package lsp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
	"github.com/aiongen/aiongen/gen/lsp/internal/protocol"
	"github.com/aiongen/aiongen/internal/values"
	"github.com/aiongen/aiongen/runtime/schema"
)

// hover describes the part of a document at a position. In a Go file, it describes the tools that call the function
// there.
func (s *server) hover(ctx context.Context, p protocol.PositionParams) (found *protocol.Hover, err error) {
	d := s.anyDocument(p.URI())
	if d == nil {
		return nil, nil
	}
	if d.isAion {
		err = s.view(ctx, p.URI(), func(v *view) { found = v.hover(v.offset(p.Position)) })
		return found, err
	}
	err = s.eachView(ctx, p.URI(), func(v *view) { found = cmp.Or(found, v.hoverGo(v.offset(p.Position))) })
	return found, err
}

// hoverGo describes the tools that call the function whose name in a Go file is at an offset.
func (v *view) hoverGo(offset int) *protocol.Hover {
	var parts []string
	var at diag.Span
	tools := v.module.session.Tools()
	for _, b := range v.module.session.Bindings() {
		if !b.IsFunction() || v.module.absoluteSpan(b.Declared).File != v.path || offset < v.offsetOf(b.Declared.Start) || offset > v.offsetOf(b.Declared.End) {
			continue
		}
		i := slices.IndexFunc(tools, func(t gen.Tool) bool { return t.Name == b.Tool && t.Place.File == b.Span.File })
		if i >= 0 {
			at = b.Declared
			parts = append(parts, "Tool **"+v.escape(b.Tool)+"** of "+v.escape(b.Span.File)+".")
			parts = append(parts, v.describeTool(tools[i])...)
		}
	}
	return v.newHover(v.offsetOf(at.Start), v.offsetOf(at.End), parts)
}

// hover describes the part of an .aion file at an offset.
func (v *view) hover(offset int) *protocol.Hover {
	if at, help, ok := v.propertyAt(offset); ok {
		return v.newHover(at.Start.Offset, at.End.Offset, []string{v.escape(help)})
	}
	el := v.elementAt(offset)
	if el == nil || !contains(el.Span, offset) {
		return nil
	}
	if e := entryAt(el, offset); e != nil {
		return v.hoverEntry(el, e, offset)
	}
	at := el.Name.Span
	if el.Function != nil && contains(el.Function.Text.Span, offset) {
		at = el.Function.Text.Span
	}
	if !contains(at, offset) {
		return nil
	}
	parts := v.describeFunction(el)
	if t, ok := v.tool(el); ok {
		parts = append(parts, v.describeTool(t)...)
	}
	return v.newHover(at.Start.Offset, at.End.Offset, parts)
}

// newHover returns a hover with the given paragraphs for a part of the document, or nil if all paragraphs are empty.
func (v *view) newHover(from, to int, parts []string) *protocol.Hover {
	parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
	if len(parts) == 0 {
		return nil
	}
	return &protocol.Hover{Contents: v.markup(strings.Join(parts, "\n\n")), Range: v.rangeOf(from, to)}
}

// describeFunction returns the signature and the comment of the function of an element.
func (v *view) describeFunction(el *aion.Element) []string {
	b, ok := v.functionBinding(el.Span.Start.Offset)
	if !ok {
		return nil
	}
	signature := b.Type
	if b.Name != "" {
		signature = "func " + b.Name + strings.TrimPrefix(b.Type, "func")
	}
	return []string{v.codeBlock("go", signature), v.escape(b.Doc())}
}

// describeTool returns the definition that a model receives.
func (v *view) describeTool(t gen.Tool) []string {
	definitions, err := gen.Definitions(schema.OpenAI, []gen.Tool{t})
	if err != nil || len(definitions) != 1 {
		return nil
	}
	var text bytes.Buffer
	if json.Indent(&text, definitions[0], "", "  ") != nil {
		return nil
	}
	return []string{
		fmt.Sprintf("A model receives about %d tokens:", schema.EstimateTokens(definitions[0])),
		v.codeBlock("json", text.String()),
	}
}

// tool returns the tool of an element. It returns false if the element has errors.
func (v *view) tool(el *aion.Element) (t gen.Tool, ok bool) {
	if v.module == nil {
		return t, false
	}
	tools := v.module.session.Tools()
	i := slices.IndexFunc(tools, func(t gen.Tool) bool {
		return t.Place.Start.Offset == el.Name.Span.Start.Offset && v.module.absolutePath(t.Place.File) == v.path
	})
	if i < 0 {
		return t, false
	}
	return tools[i], true
}

// hoverEntry describes an option, or an argument or result.
func (v *view) hoverEntry(el *aion.Element, e *aion.Entry, offset int) *protocol.Hover {
	if from, to := v.wordAt(offset); contains(e.Note.Span, offset) && e.Note.Span.Start.Offset < from {
		word := string(v.text[from:to])
		if o, ok := values.FindOption(word); ok && v.isOption(e, from) {
			return v.newHover(from, to, []string{"**" + v.escape(word) + "**: " + v.escape(o.Help)})
		}
	}
	var parts []string
	if b, ok := v.bindingAt(e.Name.Span.Start.Offset); ok && !b.IsFunction() {
		parts = append(parts, v.codeBlock("go", strings.TrimSpace(b.Name+" "+b.Type)))
	} else if b, ok := v.functionBinding(offset); ok {
		entries := b.Entries()
		if i := slices.IndexFunc(entries, func(s gen.Symbol) bool { return s.Name == e.Name.Value }); i >= 0 {
			parts = append(parts, v.codeBlock("go", entries[i].Type))
		}
	}
	if t, ok := v.tool(el); ok {
		parts = append(parts, v.describeArgument(t, e)...)
	}
	return v.newHover(e.Name.Span.Start.Offset, e.Note.Span.End.Offset, parts)
}

// describeArgument returns the schema of the argument that an entry describes.
func (v *view) describeArgument(t gen.Tool, e *aion.Entry) []string {
	for _, arg := range t.Arguments {
		if !contains(e.Note.Span, arg.Place.Start.Offset) {
			continue
		}
		var input struct{ Properties map[string]json.RawMessage }
		var text bytes.Buffer
		if json.Unmarshal(t.Input, &input) != nil || json.Indent(&text, input.Properties[arg.Name], "", "  ") != nil {
			return nil
		}
		return []string{"A model sends " + v.escape(arg.Name) + ":", v.codeBlock("json", text.String())}
	}
	return nil
}

// isOption reports whether the word at an offset of a note follows a bar, as an option does.
func (v *view) isOption(e *aion.Entry, from int) bool {
	before := bytes.TrimRight(v.text[e.Note.Span.Start.Offset:from], " \t\r\n")
	return bytes.HasSuffix(before, []byte("|"))
}
