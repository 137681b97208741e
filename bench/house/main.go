// House measures how checkouts of this repository read, and prints a table in
// Markdown, a column for each: how much code there is, how many names a user
// meets, how far one has to look around to understand a file.
//
//	go run ./house ../before ..
//
// With -v it lists the packages of the last checkout, too.
//
// Text that belongs to no checkout is left out: generated files, tests, and
// modules of their own, such as this one.
package main

import (
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
	name  string
	limit int
	of    func(*house) (value int, where string)
}

// unlimited is the limit of a figure that is for information.
const unlimited = -1

var figures = []figure{
	{"lines of code", 37_500, lines},
	{"lines of comments alone", unlimited, comments},
	{"exported names", 480, exported},
	{"lines of the longest file", 500, longestFile},
	{"lines of the longest function", 60, longestFunction},
	{"lines of the largest package", 2_000, largestPackage},
	{"largest cycle of calls between files, %", 25, largestCycle},
	{"functions of one type", 60, busiestType},
	{"files that no doc comment places in a layer", 0, unplaced},
	{"files that call one above them", 0, upward},
	{"lines of go doc -all runtime/tool", 750, toolDoc},
}

func main() {
	log.SetFlags(0)
	strict := flag.Bool("strict", false, "fail if the last checkout is over a limit")
	verbose := flag.Bool("v", false, "list the packages of the last checkout")
	flag.Parse()
	dirs := flag.Args()
	if len(dirs) == 0 {
		dirs = []string{".."}
	}
	over, err := printTable(dirs, *verbose)
	if err != nil {
		log.Fatal(err)
	}
	if *strict && over > 0 {
		os.Exit(1)
	}
}

// printTable returns how many limits the last of the checkouts is over. Verbose
// lists its packages, too.
func printTable(dirs []string, verbose bool) (over int, err error) {
	var houses []*house
	head, rule := "what\tlimit", "---\t---"
	for _, dir := range dirs {
		h, err := open(dir)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", dir, err)
		}
		houses = append(houses, h)
		head, rule = head+"\t"+filepath.Base(h.dir), rule+"\t---"
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 1, ' ', 0)
	row := func(cells string) { fmt.Fprintln(out, "| "+strings.ReplaceAll(cells, "\t", "\t| ")+"\t|") }
	row(head)
	row(rule)
	for _, f := range figures {
		cells, exceeded := f.name+"\t", false
		if f.limit != unlimited {
			cells += fmt.Sprint(f.limit)
		}
		for _, h := range houses {
			value, where := f.of(h)
			if cells += fmt.Sprintf("\t%d", value); where != "" {
				cells += " (" + where + ")"
			}
			exceeded = f.limit != unlimited && value > f.limit
		}
		if exceeded {
			over++
		}
		row(cells)
	}
	if verbose {
		fmt.Fprintln(out)
		printRooms(out, houses[len(houses)-1])
	}
	return over, out.Flush()
}
