package lsp

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/lsp/internal/protocol"
)

// showsMarkdown reports whether the client shows Markdown.
func (v *view) showsMarkdown() bool {
	formats := v.server.client.TextDocument.Hover.ContentFormat
	return len(formats) == 0 || slices.Contains(formats, "markdown")
}

// markup returns content for a text that escape or codeBlock has prepared.
func (v *view) markup(text string) *protocol.MarkupContent {
	if v.showsMarkdown() {
		return &protocol.MarkupContent{Kind: "markdown", Value: text}
	}
	return &protocol.MarkupContent{Kind: "plaintext", Value: text}
}

// escape escapes a text so that the client shows it unchanged.
func (v *view) escape(text string) string {
	if !v.showsMarkdown() {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(line, " \t") // an indented line would be code, in which backslashes are shown
		for i, r := range line {
			if strings.ContainsRune("\\`*_[]<>&~|", r) || i == 0 && strings.ContainsRune("#+-=:", r) {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		}
	}
	return b.String()
}

// codeBlock returns a block of code, whose fence is longer than any in the text.
func (v *view) codeBlock(language, text string) string {
	if !v.showsMarkdown() {
		return text
	}
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + text + "\n" + fence
}
