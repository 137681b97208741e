// House measures how checkouts of this repository read, and prints a table in
// Markdown: how much code there is, how many names a user meets, how far one has to
// look around to understand a file. The first column is what was recorded of the
// commit before the house was rebuilt, in before.tsv; then comes one for each checkout.
//
//	go run ./house ..
//
// Beyond a limit the command fails with -strict.
// With -all it also builds them and runs what they have: JSON Schema's tests, calls,
// programs and the command. This takes minutes; times are those of a machine that does
// nothing else. With -v it lists the packages of the last checkout, too. With -record
// it prints the file for a checkout.
//
// Text that belongs to no checkout is left out: generated files, tests, and
// modules of their own, such as this one.
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
	of      func(*house) (value int, where string)
	atLeast bool // the limit is a lower one
}

// unlimited is the limit of a figure that is for information.
const unlimited = -1

var figures = []figure{
	{name: "lines of code", limit: unlimited, of: lines},
	{name: "lines of comments alone", limit: unlimited, of: comments},
	{name: "exported names", limit: unlimited, of: exported},
	{name: "lines of the longest file", limit: unlimited, of: longestFile},
	{name: "lines of the longest function", limit: 60, of: longestFunction},
	{name: "lines of the largest package", limit: unlimited, of: largestPackage},
	{name: "largest cycle of calls between files, %", limit: 25, of: largestCycle},
	{name: "functions of one type", limit: 60, of: busiestType},
	{name: "files that no doc comment places in a layer", limit: unlimited, of: unplaced},
	{name: "files that call one above them", limit: unlimited, of: upward},
	{name: "lines of go doc -all runtime/tool", limit: unlimited, of: toolDoc},
}

//go:embed before.tsv
var before string

// longestRecorded is from where on, in bytes, a list of places is not recorded.
const longestRecorded = 100

// recorded returns the name of the commit that a file of figures is of, and what
// stands in it of each. Lines that begin with # say how it was taken.
func recorded(file string) (commit string, figures map[string]string) {
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
	strict := flag.Bool("strict", false, "fail if the last checkout is beyond a limit")
	verbose := flag.Bool("v", false, "list the packages of the last checkout")
	all := flag.Bool("all", false, "build and run the checkouts, too")
	record := flag.Bool("record", false, "print the figures of the last checkout alone, to be recorded")
	flag.Parse()
	dirs := flag.Args()
	if len(dirs) == 0 {
		dirs = []string{".."}
	}
	if *all {
		figures = append(figures, measured...)
	}
	houses, err := openAll(dirs)
	if err != nil {
		log.Fatal(err)
	}
	last := houses[len(houses)-1]
	if *record {
		for _, f := range figures {
			cell, _ := f.cell(last)
			if len(cell) > longestRecorded {
				cell, _, _ = strings.Cut(cell, " (")
			}
			fmt.Println(f.name + "\t" + cell)
		}
		return
	}
	over := printTable(houses)
	if *verbose {
		fmt.Println()
		printRooms(os.Stdout, last)
	}
	if *strict && over > 0 {
		os.Exit(1)
	}
}

func openAll(dirs []string) (houses []*house, err error) {
	for _, dir := range dirs {
		h, err := open(dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		houses = append(houses, h)
	}
	return houses, nil
}

// cell is the figure of a checkout, and where that is.
func (f figure) cell(h *house) (cell string, value int) {
	value, where := f.of(h)
	if cell = fmt.Sprint(value); where != "" {
		cell += " (" + where + ")"
	}
	return cell, value
}

// exceeded reports whether a value is beyond the limit, which is the least of what
// should be many.
func (f figure) exceeded(value int) bool {
	if f.limit == unlimited {
		return false
	}
	if f.atLeast {
		return value < f.limit
	}
	return value > f.limit
}

// printTable returns how many limits the last of the checkouts is beyond.
func printTable(houses []*house) (over int) {
	commit, then := recorded(before)
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
			cell, value := f.cell(h)
			cells, beyond = append(cells, cell), f.exceeded(value)
		}
		if beyond {
			over++
		}
		row(cells...)
	}
	out.Flush()
	return over
}
