package gofmt

import (
	"strings"
	"unicode/utf8"
)

// A page is text that is laid out, but for the gaps in it.
type page struct {
	out    []byte
	gaps   []gap // in the order of the text
	rows   []row // that are not aligned yet
	indent int
	breaks int // lines that have ended
}

// A gap is a place for blanks.
type gap struct{ at, width int }

// A row is a line with cells. Behind each of them is a gap.
type row struct {
	cells [2]struct{ width, gap int }
	n     int
}

func (p *page) write(text []byte) { p.out = append(p.out, text...) }

func (p *page) blank() { p.out = append(p.out, ' ') }

// open leaves a gap of no width.
func (p *page) open() int {
	p.gaps = append(p.gaps, gap{at: len(p.out)})
	return len(p.gaps) - 1
}

// breakLine begins a line, with an empty one before it if there are several breaks.
func (p *page) breakLine(breaks int) {
	p.breaks++
	p.out = append(p.out, "\n\n"[:min(breaks, 2)]...)
	for range p.indent {
		p.out = append(p.out, '\t')
	}
}

// cell ends a cell of a row, which begins at a place in the text.
func (p *page) cell(r *row, from int) {
	r.cells[r.n].width = utf8.RuneCount(p.out[from:])
	r.cells[r.n].gap = p.open()
	r.n++
}

// align gives the cells of the last rows their columns, and forgets them.
func (p *page) align(from int) {
	p.column(p.rows[from:], 0)
	p.rows = p.rows[:from]
}

// column aligns a column, and those behind it, over rows that follow one another and
// have it.
func (p *page) column(rows []row, column int) {
	for len(rows) > 0 {
		n, width := 0, 0
		for n < len(rows) && column < rows[n].n {
			width = max(width, rows[n].cells[column].width)
			n++
		}
		for _, r := range rows[:n] {
			p.gaps[r.cells[column].gap].width = width + 1 - r.cells[column].width
		}
		if n > 0 {
			p.column(rows[:n], column+1)
		}
		rows = rows[max(n, 1):]
	}
}

// appendTo appends the page to a text.
func (p *page) appendTo(text []byte) []byte {
	from := 0
	for _, g := range p.gaps {
		text = append(text, p.out[from:g.at]...)
		for width := g.width; width > 0; width -= len(blanks) {
			text = append(text, blanks[:min(width, len(blanks))]...)
		}
		from = g.at
	}
	return append(text, p.out[from:]...)
}

var blanks = strings.Repeat(" ", 64)
