package diag

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// A source has the lines of the files that it was asked for.
type source struct {
	read  func(file string) ([]byte, error)
	files map[string][][]byte

	marks   map[Span][]columnMark // of long lines, by file and number
	counted int                   // bytes of lines that were counted
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
	mark := s.markBefore(file, at.Line, line, min(at.Column-1, len(line)))
	units := mark.units + s.countUnits(line[mark.offset:min(at.Column-1, len(line))])
	if at.Line == 1 && at.Column > len(byteOrderMark) && bytes.HasPrefix(line, []byte(byteOrderMark)) {
		units--
	}
	return 1 + units
}

const byteOrderMark = "\ufeff"

// A columnMark is the number of UTF-16 code units before an offset of a line.
type columnMark struct{ offset, units int }

// markInterval is the number of bytes between the marks of a line. Columns of a long line
// are counted from the mark before them, since many diagnostics may be on that line.
const markInterval = 1 << 10

// markBefore returns a mark of a line at an offset or less than two intervals before it.
func (s *source) markBefore(file string, number int, line []byte, offset int) columnMark {
	if offset < markInterval {
		return columnMark{}
	}
	key := Span{File: file, Start: Pos{Line: number}}
	marks := s.marks[key]
	if marks == nil {
		marks = s.markLine(line)
		if s.marks == nil {
			s.marks = map[Span][]columnMark{}
		}
		s.marks[key] = marks
	}
	mark := marks[offset/markInterval]
	if mark.offset > offset {
		mark = marks[offset/markInterval-1]
	}
	return mark
}

// markLine returns a mark for each interval of a line, at the first character that starts
// in it.
func (s *source) markLine(line []byte) (marks []columnMark) {
	var mark columnMark
	for next := 0; next <= len(line); next += markInterval {
		end := next
		for end < len(line) && !utf8.RuneStart(line[end]) && end-next < utf8.UTFMax {
			end++
		}
		mark.units += s.countUnits(line[mark.offset:end])
		mark.offset = end
		marks = append(marks, mark)
	}
	return marks
}

// countUnits returns the number of UTF-16 code units of a text.
func (s *source) countUnits(text []byte) (units int) {
	s.counted += len(text)
	for _, r := range string(text) {
		units += utf16.RuneLen(r)
	}
	return units
}
