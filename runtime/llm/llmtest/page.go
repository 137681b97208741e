package llmtest

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// checkPage compares the outcomes of the tests with the column of the provider in the table of p.Page.
func checkPage(t *testing.T, p Provider, results map[string]result) {
	text, err := os.ReadFile(p.Page)
	if err != nil {
		t.Fatal(err)
	}
	column, rows := -1, map[string]bool{}
	for line := range strings.Lines(string(text)) {
		cells := tableCells(line)
		if i := slices.Index(cells, p.Name); i > 0 && cells[0] == firstHeading {
			column = i
			continue
		}
		if column < 0 || len(cells) > 0 && strings.HasPrefix(cells[0], "---") {
			continue
		}
		if len(cells) <= column {
			break // the table has ended
		}
		rows[cells[0]] = true
		if want := p.cell(cells[0], results); cells[column] != want {
			t.Errorf("in the row %q, the column %s of %s is %q, want %q", cells[0], p.Name, p.Page, cells[column], want)
		}
	}
	for name := range p.Notes {
		if !rows[name] {
			t.Errorf("Notes contains %q, but the table of %s has no such row", name, p.Page)
		}
	}
	for name := range p.Lacks {
		if !rows[name] {
			t.Errorf("Lacks contains %q, but the table of %s has no such row", name, p.Page)
		}
	}
}

// firstHeading is the heading of the first column, by which the table is found.
const firstHeading = "part of a request"

// tableCells returns the cells of a table row in Markdown, or nil if the line is not a table row.
func tableCells(line string) (cells []string) {
	line, ok := strings.CutPrefix(strings.TrimSpace(line), "|")
	if !ok {
		return nil
	}
	for cell := range strings.SplitSeq(strings.TrimSuffix(line, "|"), "|") {
		cells = append(cells, strings.TrimSpace(cell))
	}
	return cells
}

// cell returns the expected text of the provider's cell in a row.
func (p Provider) cell(row string, results map[string]result) string {
	outcome, tested := results[row]
	note := p.Notes[row]
	switch {
	case !tested:
		return note
	case outcome == resultFailed:
		return "failed"
	case outcome == resultRefused:
		return "refused: " + p.Lacks[row]
	case p.Lacks[row] != "":
		return "dropped: " + p.Lacks[row]
	case note != "":
		return "accepted; " + note
	}
	return "accepted"
}
