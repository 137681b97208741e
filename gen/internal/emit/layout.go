package emit

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// LayOut formats the lines like gofmt, appends them to out, and empties l. If out is not empty, an empty
// line comes first.
func (l *Lines) LayOut(out []byte) []byte {
	if len(l.text) == 0 {
		return out
	}
	if len(out) > 0 {
		out = append(out, '\n')
	}
	p := layout{out: out}
	for line := range bytes.SplitSeq(l.text, newLine) {
		p.addLine(line)
	}
	p.writeRows()
	l.text = l.text[:0]
	return p.out
}

var newLine, tab = []byte("\n"), []byte("\t")

// A layout formats lines.
type layout struct {
	out   []byte
	rows  []row // pending rows of one depth, which are aligned with each other
	depth int
}

// A row is a line of cells: at most a name, a type and a tag.
type row struct {
	cells [3][]byte
	n     int
	width [2]int // of the columns before the last
}

// addLine adds a line. A line closes a block with its first character, and opens one with its last.
// Cells are aligned with those of other lines up to the next line that opens or closes a block, or
// begins a case. The cases of a switch statement are as deep as the statement.
func (p *layout) addLine(line []byte) {
	isCode := len(line) > 0 && !bytes.HasPrefix(line, []byte("//"))
	closes := isCode && strings.IndexByte("})", line[0]) >= 0
	opens := isCode && strings.IndexByte("{(", line[len(line)-1]) >= 0
	if closes {
		p.writeRows()
		p.depth--
	}
	var r row
	for cell := range bytes.SplitSeq(line, tab) {
		r.cells[r.n] = cell
		r.n++
	}
	isCase := isCode && bytes.HasPrefix(line, []byte("case ")) && line[len(line)-1] == ':' || string(line) == "default:"
	if isCase {
		p.writeRows()
		p.depth--
	}
	p.rows = append(p.rows, r)
	if closes || opens || isCase {
		p.writeRows()
	}
	if opens || isCase {
		p.depth++
	}
}

// writeRows writes the pending rows. It pads a cell only if another cell follows in its row. In
// consecutive rows with such a cell, the column is as wide as its widest cell.
func (p *layout) writeRows() {
	for column := range len(row{}.width) {
		for rest := p.rows; len(rest) > 0; {
			n, width := 0, 0
			for n < len(rest) && rest[n].n > column+1 {
				width = max(width, utf8.RuneCount(rest[n].cells[column]))
				n++
			}
			for i := range n {
				rest[i].width[column] = width
			}
			rest = rest[max(n, 1):]
		}
	}
	for i := range p.rows {
		p.writeRow(&p.rows[i])
	}
	p.rows = p.rows[:0]
}

func (p *layout) writeRow(r *row) {
	if len(r.cells[0]) > 0 {
		p.repeatByte('\t', p.depth)
	}
	for i, cell := range r.cells[:r.n] {
		p.out = append(p.out, cell...)
		if i+1 < r.n {
			p.repeatByte(' ', r.width[i]+1-utf8.RuneCount(cell))
		}
	}
	p.out = append(p.out, '\n')
}

func (p *layout) repeatByte(with byte, n int) {
	for range n {
		p.out = append(p.out, with)
	}
}
