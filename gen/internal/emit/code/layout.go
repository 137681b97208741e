package code

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// LayOut appends the lines as gofmt leaves them, behind an empty line if something stands
// before: what is in braces or parentheses is indented, and what tabs set apart in lines
// that follow one another stands below each other. No line is left.
func (l *Lines) LayOut(out []byte) []byte {
	if len(l.text) == 0 {
		return out
	}
	if len(out) > 0 {
		out = append(out, '\n')
	}
	p := page{out: out}
	for line := range bytes.SplitSeq(l.text, newLine) {
		p.add(line)
	}
	p.write()
	l.text = l.text[:0]
	return p.out
}

var newLine, tab = []byte("\n"), []byte("\t")

// A page is what lines are laid out on.
type page struct {
	out   []byte
	rows  []row // which wait for those that follow, all as deep
	depth int
}

// A row is a line of cells: a name, a type and a tag are the most that stands in one.
type row struct {
	cells [3][]byte
	n     int
	width [2]int // of the columns that have another behind them
}

// add adds a line, which opens and closes nothing but at its ends. What stands below each
// other is between two of those that do.
func (p *page) add(line []byte) {
	isCode := len(line) > 0 && !bytes.HasPrefix(line, []byte("//"))
	closes := isCode && strings.IndexByte("})", line[0]) >= 0
	opens := isCode && strings.IndexByte("{(", line[len(line)-1]) >= 0
	if closes {
		p.write()
		p.depth--
	}
	var r row
	for cell := range bytes.SplitSeq(line, tab) {
		r.cells[r.n] = cell
		r.n++
	}
	p.rows = append(p.rows, r)
	if closes || opens {
		p.write()
	}
	if opens {
		p.depth++
	}
}

// write writes the rows that waited. A column is as wide as the widest of its cells in
// rows that follow one another and have a cell behind it.
func (p *page) write() {
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

func (p *page) writeRow(r *row) {
	if len(r.cells[0]) > 0 {
		p.fill('\t', p.depth)
	}
	for i, cell := range r.cells[:r.n] {
		p.out = append(p.out, cell...)
		if i+1 < r.n {
			p.fill(' ', r.width[i]+1-utf8.RuneCount(cell))
		}
	}
	p.out = append(p.out, '\n')
}

func (p *page) fill(with byte, n int) {
	for range n {
		p.out = append(p.out, with)
	}
}
