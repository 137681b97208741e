package diag

import (
	"bytes"
	"path"
	"path/filepath"
	"strings"

	"github.com/aiongen/aiongen/internal/codeunits"
)

// A source reads files and caches their lines.
type source struct {
	read  func(file string) ([]byte, error)
	files map[string][][]byte

	folder string // see Printer

	counters map[Span]*codeunits.Counter // of lines, by file and line number
}

// repositoryName returns the name of a file relative to the root of the repository. Absolute names
// and <standard input> stay as they are.
func (s *source) repositoryName(file string) string {
	if s.folder == "" || filepath.IsAbs(filepath.FromSlash(file)) || strings.HasPrefix(file, "<") {
		return file
	}
	return path.Join(s.folder, file)
}

// fileLine returns a line, counted from 1, without its line feed. It returns false if the
// file cannot be read or has no such line.
func (s *source) fileLine(file string, number int) (text []byte, ok bool) {
	lines, cached := s.files[file]
	if !cached && s.read != nil {
		if src, err := s.read(file); err == nil {
			lines = bytes.Split(src, []byte("\n"))
		}
		if s.files == nil {
			s.files = map[string][][]byte{}
		}
		s.files[file] = lines
	}
	if number < 1 || number > len(lines) {
		return nil, false
	}
	return lines[number-1], true
}

// utf16Column returns the column of a position as editors count it: in UTF-16 code units,
// without a byte order mark. It returns 0 if the line is unknown.
func (s *source) utf16Column(file string, at Pos) int {
	line, ok := s.fileLine(file, at.Line)
	if !ok || at.Column < 1 {
		return 0
	}
	key := Span{File: file, Start: Pos{Line: at.Line}}
	if s.counters == nil {
		s.counters = map[Span]*codeunits.Counter{}
	}
	if s.counters[key] == nil {
		s.counters[key] = codeunits.New(line)
	}
	units := s.counters[key].Before(min(at.Column-1, len(line)))
	if at.Line == 1 && at.Column > len(byteOrderMark) && bytes.HasPrefix(line, []byte(byteOrderMark)) {
		units--
	}
	return 1 + units
}

const byteOrderMark = "\ufeff"
