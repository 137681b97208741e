// Package aion parses and formats .aion files, which define tools for language models. A file is
// an array of elements, and each element defines a tool:
//
//	[
//	  {
//	    name --> "find_tickets",
//	    function --> "(*Store).Find" --> {             // { … } is the interface block
//	      arg-1 --> "string (words of the title)",     // the text is a note: a type with a
//	      arg-2 --> "int | default=10 | max=100"       // description, and options after bars
//	    }
//	  }
//	]
//
// Parse returns the Document of a file and a diagnostic for every fault in it. Check finds
// faults that involve several documents, Format writes a document in canonical form, and
// ApplyFixes applies the fixes of diagnostics. The package does not check whether Go types and
// functions exist.
package aion

import (
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/syntax"
)

// A Document is the content of one file.
type Document struct {
	Name         string // as given to Parse
	SystemPrompt *Text  // like the other prompts, nil if absent
	WrappedQuery *Text
	Rules        *Rules
	Elements     []*Element // in source order, including faulty ones
	Comments     []Comment  // in source order
	Span         diag.Span  // from [ to ]
	Faulty       bool       // an error was reported, so the document may be incomplete
}

// Rules is the list of rules that a system prompt ends with.
type Rules struct {
	Key   diag.Span // of the word rules
	Span  diag.Span // from [ to ]
	Texts []Text
}

// A Comment is a // comment with its slashes, without the line break.
type Comment struct {
	Text string
	Span diag.Span
}

// An Element defines one tool.
type Element struct {
	Span        diag.Span // from { to }
	Name        Text
	Description *Text // like the properties below, nil if absent
	Function    *Function
	Link        *Text // the URL, without the Markdown around it
	Schema      *Schema
	Faulty      bool // an error may have changed its meaning: do not generate code for it
}

// A Function is the value of the property function: a text with the name of a Go function or a
// lambda, and an interface block.
type Function struct {
	Text    Text
	Block   diag.Span // from { to }
	Args    []Entry   // arg-1, arg-2 …
	Returns []Entry   // return-1, return-2 …
	Paths   []Entry   // entries for parts of arguments and results, such as arg-1.page.size, in source order
}

// A Schema is the value of args_schema: the name of a Go type, or fields.
type Schema struct {
	Key    diag.Span // of the word args_schema
	Span   diag.Span // of the name, or from { to }
	Name   *Text     // nil if fields are given
	Fields []Entry
	Paths  []Entry // entries for parts of fields, such as config.page.size, in source order
}

// An Entry is an argument, a result or a field with its note.
type Entry struct {
	Name Text // arg-1, return-1 or the field's name, or a path that begins with one of them
	Note Note
}

// A Text is a string or text block. Value has no quotes, its line breaks are LF, and
// the indentation of a text block is removed.
type Text struct {
	Value string
	Span  diag.Span // with the quotes
	Key   diag.Span // of the name before the text, if any

	raw string // the text in the file, with its quotes
}

// An Index maps offsets in a Text to positions. Text.Index takes time linear in the length of
// the text; the lookups that follow are fast.
type Index struct {
	file string
	*syntax.Index
}

// Index returns an Index of the text.
func (t Text) Index() Index { return Index{t.Span.File, syntax.NewIndex(t.Span.Start, t.raw)} }

// Between returns the span in the file of the bytes from:to of Text.Value.
func (x Index) Between(from, to int) diag.Span {
	return diag.Span{File: x.file, Start: x.Pos(from), End: x.Pos(to)}
}

// Pos returns the position in the file of the byte of Value at an offset, or of its end. To
// look up many positions, use an [Index].
func (t Text) Pos(offset int) diag.Pos { return t.Index().Pos(offset) }

// Between returns the span in the file of the bytes from:to of Value. To look up many
// spans, use an [Index].
func (t Text) Between(from, to int) diag.Span { return t.Index().Between(from, to) }

// Rewrite returns the edit that replaces this text by another. It returns nil if neither a
// string nor a text block can hold the new text.
func (t Text) Rewrite(value string) []diag.Edit {
	quoted, ok := syntax.QuoteText(value)
	if !ok {
		return nil
	}
	return []diag.Edit{{Span: t.Span, Text: quoted}}
}

// Replace returns the edit that replaces the last occurrence of a word in the text. It
// returns nil if the word does not occur.
func (t Text) Replace(word, by string) []diag.Edit {
	at := strings.LastIndex(t.Value, word)
	if at < 0 || word == "" || strings.Contains(by, `"`) {
		return nil
	}
	return []diag.Edit{{Span: t.Between(at, at+len(word)), Text: by}}
}

// isBlank reports whether the text has only white space.
func (t Text) isBlank() bool { return strings.Trim(t.Value, " \t\r\n") == "" }
