package diag

import (
	"bytes"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A source reads files and caches their lines.
type source struct {
	read  func(file string) ([]byte, error)
	files map[string][][]byte

	folder string // see Printer

	marks   map[Span][]columnMark // of long lines, by file and line number
	counted int                   // bytes of lines that were counted, for tests
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

// markInterval is the number of bytes between the marks of a line. Many diagnostics may be
// on one long line, so its columns are counted from the nearest mark.
const markInterval = 1 << 10

// markBefore returns the last mark at or before an offset of a line.
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
