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
	p := page{out: out}
	if len(out) > 0 {
		p.write(nil)
	}
	for line := range bytes.SplitSeq(l.text, newLine) {
		p.add(line)
	}
	p.endTable()
	l.text = l.text[:0]
	return p.out
}

var newLine, tab = []byte("\n"), []byte("\t")

// A page is what lines are laid out on.
type page struct {
	out   []byte
	depth int
	table [][][]byte // lines of cells, which wait for those that follow
}

// add adds a line, which opens and closes nothing but at its ends.
func (p *page) add(line []byte) {
	isCode := len(line) > 0 && !bytes.HasPrefix(line, []byte("//"))
	closes := isCode && strings.IndexByte("})", line[0]) >= 0
	opens := isCode && strings.IndexByte("{(", line[len(line)-1]) >= 0
	isRow := bytes.IndexByte(line, '\t') >= 0
	if closes || !isRow {
		p.endTable()
	}
	if closes {
		p.depth--
	}
	if isRow {
		p.table = append(p.table, bytes.Split(line, tab))
	} else {
		p.write(line)
	}
	if closes || opens {
		p.endTable()
	}
	if opens {
		p.depth++
	}
}

// endTable writes the lines that waited. A cell is as wide as the widest of its column in
// the lines that follow one another and have a cell behind it.
func (p *page) endTable() {
	for column := range 2 {
		for rest := p.table; len(rest) > 0; {
			n, width := 0, 0
			for n < len(rest) && len(rest[n]) > column+1 {
				width = max(width, utf8.RuneCount(rest[n][column]))
				n++
			}
			for _, cells := range rest[:n] {
				blanks := width + 1 - utf8.RuneCount(cells[column])
				cells[column] = append(bytes.Clone(cells[column]), strings.Repeat(" ", blanks)...)
			}
			rest = rest[max(n, 1):]
		}
	}
	for _, cells := range p.table {
		p.write(cells...)
	}
	p.table = p.table[:0]
}

func (p *page) write(cells ...[]byte) {
	for i, cell := range cells {
		if i == 0 && len(cell) > 0 {
			for range p.depth {
				p.out = append(p.out, '\t')
			}
		}
		p.out = append(p.out, cell...)
	}
	p.out = append(p.out, '\n')
}
