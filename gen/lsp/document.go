package lsp

import (
	"bytes"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/lsp/internal/protocol"
	"github.com/aiongen/aiongen/internal/codeunits"
)

// A document is one version of a file, open in the editor or on disk. It is immutable.
type document struct {
	encoding string // of positions
	uri      protocol.URI
	path     string // absolute; "" if the document is not a file
	isAion   bool
	version  *int32 // nil for a file on disk
	text     []byte

	lines func() []int // offsets of the lines
	units func() *codeunits.Counter
	parse func() parsed
}

// A parsed document is the content of an .aion file. It is incomplete if the file has errors.
type parsed struct {
	*aion.Document
	faults diag.List
}

// newDocument returns an open document.
func newDocument(encoding string, uri protocol.URI, language string, version int32, text string) *document {
	d := &document{encoding: encoding, uri: uri, path: pathOf(uri), isAion: language == "aion", version: &version, text: []byte(text)}
	d.init()
	return d
}

// newFile returns the document of a file on disk.
func newFile(encoding, path string, text []byte) *document {
	d := &document{encoding: encoding, uri: uriOf(path), path: path, text: text}
	d.init()
	return d
}

func (d *document) init() {
	d.isAion = d.isAion || filepath.Ext(d.path) == ".aion"
	d.lines = sync.OnceValue(func() []int { return findLines(d.text) })
	d.units = sync.OnceValue(func() *codeunits.Counter { return codeunits.New(d.text) })
	d.parse = sync.OnceValue(func() parsed {
		doc, faults := aion.Parse(d.path, d.text)
		return parsed{doc, faults}
	})
}

// key returns the key of an open document.
func (d *document) key() string { return documentKey(d.uri) }

func documentKey(uri protocol.URI) string {
	if path := pathOf(uri); path != "" {
		return path
	}
	return uri
}

// pathOf returns the path of a file, or "" if the URI does not name a file.
func pathOf(uri protocol.URI) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Path == "" {
		return ""
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/") // of /c:/dir
	}
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) || strings.ContainsRune(path, 0) {
		return ""
	}
	return filepath.Clean(path)
}

// uriOf returns the URI of a file.
func uriOf(path string) protocol.URI {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// findLines returns the offsets of the lines of a text, which end with LF, CRLF or CR.
func findLines(text []byte) []int {
	lines := []int{0}
	for i, c := range text {
		if c == '\n' || c == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			lines = append(lines, i+1)
		}
	}
	return lines
}

// position converts an offset in the text to a position.
func (d *document) position(offset int) protocol.Position {
	offset = min(max(offset, 0), len(d.text))
	lines := d.lines()
	line := sort.SearchInts(lines, offset+1) - 1
	start := lines[line]
	character := offset - start
	if d.encoding == protocol.UTF16 {
		character = d.units().Before(offset) - d.units().Before(start)
	}
	return protocol.Position{Line: uint32(line), Character: uint32(character)}
}

// offset converts a position to an offset. A position beyond the end of a line counts as the end of the line.
func (d *document) offset(p protocol.Position) int {
	lines := d.lines()
	if int64(p.Line) >= int64(len(lines)) {
		return len(d.text)
	}
	start, end := lines[p.Line], len(d.text)
	if int(p.Line)+1 < len(lines) {
		end = lines[p.Line+1]
	}
	line := bytes.TrimRight(d.text[start:end], "\r\n")
	if d.encoding == protocol.UTF8 {
		return start + int(min(int64(p.Character), int64(len(line))))
	}
	units := int64(0)
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRune(line[i:])
		if units += int64(utf16.RuneLen(r)); units > int64(p.Character) {
			return start + i
		}
		i += size
	}
	return start + len(line)
}

// rangeOf converts two offsets to a range.
func (d *document) rangeOf(from, to int) protocol.Range {
	return protocol.Range{Start: d.position(from), End: d.position(to)}
}

// spanRange converts a span of the document to a range.
func (d *document) spanRange(at diag.Span) protocol.Range {
	from, to := d.offsetOf(at.Start), d.offsetOf(at.End)
	return d.rangeOf(from, max(from, to))
}

// offsetOf returns the offset of a position in the text. In Go files, it uses only the line and the column:
// positions from the go command have no offset, and positions from export data have a wrong one.
func (d *document) offsetOf(p diag.Pos) int {
	if d.isAion || !p.IsValid() {
		return p.Offset
	}
	lines := d.lines()
	if p.Line > len(lines) {
		return len(d.text)
	}
	return min(lines[p.Line-1]+max(p.Column-1, 0), len(d.text))
}

// edit returns the next version of the document, with the changes applied in order.
func (d *document) edit(version int32, changes []protocol.TextDocumentContentChangeEvent) *document {
	for _, change := range changes {
		next := []byte(change.Text)
		if change.Range != nil {
			from, to := d.offset(change.Range.Start), d.offset(change.Range.End)
			next = slices.Concat(d.text[:from], next, d.text[max(from, to):])
		}
		d = &document{encoding: d.encoding, uri: d.uri, path: d.path, isAion: d.isAion, text: next}
		d.init()
	}
	next := *d
	next.version = &version
	return &next
}

// wordAt returns the word at an offset, which may be empty.
func (d *document) wordAt(offset int) (from, to int) {
	isWord := func(c byte) bool {
		return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
	}
	from, to = offset, offset
	for from > 0 && isWord(d.text[from-1]) {
		from--
	}
	for to < len(d.text) && isWord(d.text[to]) {
		to++
	}
	return from, to
}
