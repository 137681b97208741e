package aion

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/internal/regular"
)

// MaxSource bounds a file, in bytes. No person writes a file this long, and
// positions and memory stay small.
const MaxSource = 16 << 20

// maxFaults bounds how many faults of a file are told. Nobody reads more, and
// a file with more is no .aion file.
const maxFaults = 1000

// maxBadPlaces bounds how many places a text may have that are no text.
const maxBadPlaces = 10

// Parse reads the text of a file. It always returns a document, of what could
// be understood, and every fault in source order. Name is the file's name in
// positions. Rules that hold over several files, or over the elements of one,
// are those of Check.
func Parse(name string, src []byte) (*Document, diag.List) {
	s := newScanner(name, src)
	doc := &Document{Name: name, Span: diag.Span{File: name}}
	if s.legible(src) {
		tree, err := parseTree(s)
		doc.Comments = s.comments
		lexical := slices.Clone(s.list)
		r := &reader{scanner: s, doc: doc}
		r.source(tree, err)
		r.markFaulty(lexical)
	}
	s.list.Sort()
	doc.Faulty = s.list.Err() != nil
	return doc, First(s.list)
}

// First is a sorted list without what nobody reads: of a file with errors the
// first thousand faults, and how many more there are.
func First(list diag.List) (first diag.List) {
	for len(list) > 0 {
		n := slices.IndexFunc(list, func(d *diag.Diagnostic) bool { return d.Span.File != list[0].Span.File })
		if n < 0 {
			n = len(list)
		}
		file := list[:n]
		list = list[n:]
		if more := n - maxFaults; more > 0 && file.Err() != nil {
			first = append(first, file[:maxFaults]...)
			first.Errorf("too-many-faults", file[maxFaults].Span, "%d more faults of this file are not told", more).WithHelp("mend the first ones, and see what is left")
			continue
		}
		first = append(first, file...)
	}
	return first
}

// ParseFile parses the file at a path. A file that cannot be read is a fault.
func ParseFile(path string) (*Document, diag.List) {
	src, err := regular.ReadFile(path)
	if err != nil {
		return &Document{Name: path, Faulty: true}, unreadable(path, err)
	}
	return Parse(path, src)
}

// ParseDir parses the .aion files of a directory, not of those below it, in the
// order of their names, and checks them together. Like the go command it passes
// over names that begin with . or _, which editors leave behind.
func ParseDir(dir string) ([]*Document, diag.List) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, unreadable(dir, err)
	}
	var docs []*Document
	var list diag.List
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() || filepath.Ext(name) != ".aion" || name[0] == '.' || name[0] == '_' {
			continue
		}
		doc, faults := ParseFile(filepath.Join(dir, name))
		docs, list = append(docs, doc), append(list, faults...)
	}
	list = append(list, Check(docs...)...)
	list.Sort()
	return docs, list
}

// unreadable is the fault of a path that the system does not let us read.
func unreadable(path string, err error) diag.List {
	var list diag.List
	list.Errorf("unreadable", diag.Span{File: path}, "cannot read %q: %v", path, regular.Reason(err)).WithCause(err)
	return list
}

// legible reports what keeps a file from being read at all, and what in it is
// no text. It returns false if there is no use in going on.
func (s *scanner) legible(src []byte) bool {
	start := s.here(1)
	switch {
	case len(src) > MaxSource:
		s.report("too-large", start, "the file has more than the %d bytes (16 MiB) that are read", MaxSource).
			WithHelp("split it: all .aion files of a package are compiled together")
		return false
	case bytes.HasPrefix(src, []byte("\xff\xfe")), bytes.HasPrefix(src, []byte("\xfe\xff")):
		s.report("not-utf8", start, "the file is UTF-16, not UTF-8").WithHelp("save it as UTF-8")
		return false
	}
	if !utf8.Valid(src) || bytes.IndexByte(src, 0) >= 0 {
		s.reportBytes(src)
	}
	if places := len(s.list); places > maxBadPlaces {
		first := s.list[0].Span
		s.list = nil
		s.report("not-utf8", first, "the file is no UTF-8 text: this is the first of %d places with other bytes", places).
			WithHelp("save it as UTF-8")
		return false
	}
	return true
}

// reportBytes reports each run of bytes that are not UTF-8, and of NULs.
func (s *scanner) reportBytes(src []byte) {
	at := diag.Pos{Line: 1, Column: 1}
	for at.Offset < len(src) {
		from := at
		var bad diag.Code
		for at.Offset < len(src) {
			r, size := utf8.DecodeRune(src[at.Offset:])
			code := badRune(r, size)
			if at != from && code != bad {
				break
			}
			bad = code
			at = moved(at, string(src[at.Offset:at.Offset+size]))
		}
		span := diag.Span{File: s.file, Start: from, End: at}
		switch first := src[from.Offset]; bad {
		case "nul-byte":
			s.report(bad, span, "a NUL byte has no place in a text file")
		case "not-utf8":
			s.report(bad, span, `byte \x%02x is not valid UTF-8`, first).WithHelp("save the file as UTF-8")
		}
	}
}

// badRune is the code of the fault that a decoded rune is, if any.
func badRune(r rune, size int) diag.Code {
	switch {
	case r == utf8.RuneError && size == 1:
		return "not-utf8"
	case r == 0:
		return "nul-byte"
	}
	return ""
}

// moved is the position behind a text that starts at p.
func moved(p diag.Pos, text string) diag.Pos {
	p.Offset += len(text)
	if n := strings.Count(text, "\n"); n > 0 {
		p.Line += n
		p.Column = len(text) - strings.LastIndexByte(text, '\n')
	} else {
		p.Column += len(text)
	}
	return p
}
