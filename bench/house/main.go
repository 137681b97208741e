// House prints counters about checkouts of this repository as a table in Markdown: how much code there is,
// how many names users meet, and how entangled files are. The first column has the figures recorded in
// before.tsv; each checkout adds a column.
//
//	go run ./house ..
//
// With -strict the command fails if the last checkout exceeds a limit. With -all it also builds and runs the
// checkouts: the tests of JSON Schema, calls, programs and the command. This takes minutes, and the times
// are only meaningful on an idle machine. With -v it also lists the packages of the last checkout. With
// -record it prints a new before.tsv.
//
// It ignores generated files, tests, and other modules such as this one.
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
)

// A figure is a row of the table.
type figure struct {
	name    string
	limit   int
	measure func(*checkout) (value int, where string)
	atLeast bool // the limit is a minimum
}

// unlimited is the limit of figures that are only informative.
const unlimited = -1

var figures = []figure{
	{name: "lines of code", limit: unlimited, measure: codeLines},
	{name: "lines of comments alone", limit: unlimited, measure: commentLines},
	{name: "exported names", limit: unlimited, measure: exportedNames},
	{name: "lines of the longest file", limit: unlimited, measure: longestFile},
	{name: "lines of the largest package", limit: unlimited, measure: largestPackage},
	{name: "largest cycle of calls between files, %", limit: 25, measure: largestCycle},
	{name: "functions of one type", limit: 75, measure: busiestType}, // the checker of lambdas has one per construct, the suite of models one per test
	{name: "lines of go doc -all runtime/tool", limit: unlimited, measure: toolDoc},
}

//go:embed before.tsv
var recordedFigures string

// maxRecordedBytes is the length from which on the place of a figure is not recorded.
const maxRecordedBytes = 100

// parseRecord parses a file of recorded figures. It returns the commit and the cell of each figure. Lines
// that begin with # are comments.
func parseRecord(file string) (commit string, figures map[string]string) {
	figures = map[string]string{}
	for line := range strings.Lines(file) {
		name, cell, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		switch {
		case name == "commit":
			commit = cell
		case !strings.HasPrefix(name, "#"):
			figures[name] = cell
		}
	}
	return commit, figures
}

func main() {
	log.SetFlags(0)
	strict := flag.Bool("strict", false, "fail if the last checkout exceeds a limit")
	verbose := flag.Bool("v", false, "list the packages of the last checkout")
	all := flag.Bool("all", false, "also build and run the checkouts")
	record := flag.Bool("record", false, "only print the figures of the last checkout, as in before.tsv")
	flag.Parse()
	dirs := flag.Args()
	if len(dirs) == 0 {
		dirs = []string{".."}
	}
	if *all {
		figures = append(figures, measuredFigures...)
	}
	houses, err := openCheckouts(dirs)
	if err != nil {
		log.Fatal(err)
	}
	last := houses[len(houses)-1]
	if *record {
		for _, f := range figures {
			cell, _ := f.formatValue(last)
			if len(cell) > maxRecordedBytes {
				cell, _, _ = strings.Cut(cell, " (")
			}
			fmt.Println(f.name + "\t" + cell)
		}
		return
	}
	over := printTable(houses)
	if *verbose {
		fmt.Println()
		printPackages(os.Stdout, last)
	}
	if *strict && over > 0 {
		os.Exit(1)
	}
}

func openCheckouts(dirs []string) (houses []*checkout, err error) {
	for _, dir := range dirs {
		h, err := openCheckout(dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		houses = append(houses, h)
	}
	return houses, nil
}

// formatValue measures the figure of a checkout and returns its cell, with the place, and its value.
func (f figure) formatValue(h *checkout) (cell string, value int) {
	value, where := f.measure(h)
	if cell = fmt.Sprint(value); where != "" {
		cell += " (" + where + ")"
	}
	return cell, value
}

// isExceeded reports whether a value violates the limit.
func (f figure) isExceeded(value int) bool {
	if f.limit == unlimited {
		return false
	}
	if f.atLeast {
		return value < f.limit
	}
	return value > f.limit
}

// printTable prints the table and returns how many limits the last checkout violates.
func printTable(houses []*checkout) (over int) {
	commit, then := parseRecord(recordedFigures)
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 1, ' ', 0)
	row := func(cells ...string) { fmt.Fprintln(out, "| "+strings.Join(cells, "\t| ")+"\t|") }
	head, rule := []string{"what", "limit", commit}, []string{"---", "---", "---"}
	for _, h := range houses {
		head, rule = append(head, filepath.Base(h.dir)), append(rule, "---")
	}
	row(head...)
	row(rule...)
	for _, f := range figures {
		limit := ""
		if f.limit != unlimited {
			limit = fmt.Sprint(f.limit)
		}
		cells, beyond := []string{f.name, limit, then[f.name]}, false
		for _, h := range houses {
			cell, value := f.formatValue(h)
			cells, beyond = append(cells, cell), f.isExceeded(value)
		}
		if beyond {
			over++
		}
		row(cells...)
	}
	out.Flush()
	return over
}
