package diag

import (
	"bytes"
	"strings"
	"unicode/utf16"
)

// A source has the lines of the files that it was asked for.
type source struct {
	read  func(file string) ([]byte, error)
	files map[string][][]byte
}

// line returns a line, counted from 1, without its LF. It is not ok if the file
// cannot be read, or has no such line.
func (s *source) line(file string, number int) (line []byte, ok bool) {
	lines, known := s.files[file]
	if !known && s.read != nil {
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

// utf16Column is the column of a place as editors and viewers count: in UTF-16
// code units, without a byte order mark. It is 0 where the line is unknown.
func (s *source) utf16Column(file string, at Pos) int {
	line, ok := s.line(file, at.Line)
	if !ok || at.Column < 1 {
		return 0
	}
	before := string(line[:min(at.Column-1, len(line))])
	if at.Line == 1 {
		before = strings.TrimPrefix(before, "\ufeff")
	}
	column := 1
	for _, r := range before {
		column += utf16.RuneLen(r)
	}
	return column
}
