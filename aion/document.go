// Package aion reads the notation in which tools are defined for language
// models: Parse turns the text of a .aion file into a Document and lists every
// fault in it at once. What the notation says is fixed by the text alone; Go
// types and functions are only names here.
//
// From top to bottom:
//
//	mend, format, branch, parse, check  documents to text and back; several together
//	read, element, function, prompts    the tree of a file as a document
//	argsschema, value, property         what a property holds, and what it is called
//	note, readnote                      notes; how they are read
//	fits, shaping                       what fits together in one; the paths in it
//	document, rules                     what there is to know of a file
//	errors                              what can be wrong with it
package aion

import (
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/syntax"
)

// A Document is what one file says.
type Document struct {
	Name         string // as given to Parse
	SystemPrompt *Text  // nil when absent, as are the other prompts
	WrappedQuery *Text
	Rules        *Rules
	Elements     []*Element // in source order, faulty ones included
	Comments     []Comment  // in source order
	Span         diag.Span  // from [ to ]
	Faulty       bool       // an error was reported: the document may lack what it is about
}

// Rules is the list of rules that a system prompt ends with.
type Rules struct {
	Key   diag.Span // of the word rules
	Span  diag.Span // from [ to ]
	Texts []Text
}

// A Comment is a // comment with its slashes, without the line end.
type Comment struct {
	Text string
	Span diag.Span
}

// An Element defines one tool.
type Element struct {
	Span        diag.Span // from { to }
	Name        Text
	Description *Text // nil when absent, as are the other properties
	Function    *Function
	Link        *Text // the URL, without the Markdown around it
	Schema      *Schema
	Faulty      bool // a fault inside makes it another tool: do not bind it
}

// A Function is the text that says what runs, with its interface block.
type Function struct {
	Text    Text
	Block   diag.Span // from { to }
	Args    []Entry   // arg-1, arg-2 …
	Returns []Entry   // return-1, return-2 …
}

// A Schema is the value of args_schema: the name of a Go type, or fields.
type Schema struct {
	Key    diag.Span // of the word args_schema
	Span   diag.Span // of the name, or from { to }
	Name   *Text     // nil when the fields are given
	Fields []Entry
}

// An Entry of a block gives an argument, a result or a field its note.
type Entry struct {
	Name Text // arg-1, return-1 or the field's name
	Note Note
}

// A Text is a string or text block. Value is what it says: without quotes, with
// LF at line ends, and a text block without its indentation.
type Text struct {
	Value string
	Span  diag.Span // with the quotes
	Key   diag.Span // of the name that the text is given to, if any

	raw string // as it stands in the file
}

// An Index finds places in a Text. Text.Index makes one, which takes as long as the text
// is; each place then takes little.
type Index struct {
	file string
	*syntax.Index
}

// Index returns an Index of the text.
func (t Text) Index() Index { return Index{t.Span.File, syntax.NewIndex(t.Span.Start, t.raw)} }

// Between returns the place in the file of a part of Text.Value, from an offset to another.
func (x Index) Between(from, to int) diag.Span {
	return diag.Span{File: x.file, Start: x.Pos(from), End: x.Pos(to)}
}

// Pos returns the place in the file of the byte of Value at an offset, or of its end. To
// look up many places, make an [Index].
func (t Text) Pos(offset int) diag.Pos { return t.Index().Pos(offset) }

// Between returns the place in the file of a part of Value, from an offset to another. To
// look up many places, make an [Index].
func (t Text) Between(from, to int) diag.Span { return t.Index().Between(from, to) }

// Rewrite returns the edit that writes another text in the place of this one; none if
// neither a string nor a text block can hold it.
func (t Text) Rewrite(value string) []diag.Edit {
	quoted, ok := syntax.Quote(value)
	if !ok {
		return nil
	}
	return []diag.Edit{{Span: t.Span, Text: quoted}}
}

// Replace returns the edit that writes another word in the place of the last one that is
// just that; none if there is no such word.
func (t Text) Replace(word, by string) []diag.Edit {
	at := strings.LastIndex(t.Value, word)
	if at < 0 || word == "" || strings.Contains(by, `"`) {
		return nil
	}
	return []diag.Edit{{Span: t.Between(at, at+len(word)), Text: by}}
}

// empty reports whether a text says nothing.
func (t Text) empty() bool { return strings.Trim(t.Value, " \t\r\n") == "" }
