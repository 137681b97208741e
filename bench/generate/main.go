// Generate measures how long generating takes, compared with the go command listing the package, and prints
// tables in Markdown: wall-clock time, CPU time, and the memory of the largest process.
//
//	go run ./generate
//	go run ./generate -n 10,1000,10000 -who none /tmp/aiongen-before
//
// Arguments are further builds of aiongen to measure in addition to this checkout. The subjects take turns, so
// that the load of the machine affects all of them.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("generate: ")
	sizes := flag.String("n", "10,1000", "numbers of tools, or of the corresponding items of other generators, separated by commas")
	rounds := flag.Int("rounds", 7, "how often each case is measured")
	empty := flag.Bool("empty", true, "also measure with empty caches, which takes minutes for other generators")
	who := flag.String("who", "", "regular expression of the other generators to measure; aiongen and the go command are always measured")
	flag.Parse()
	cases, err := parseCases(*sizes, *empty)
	if err != nil {
		log.Fatal(err)
	}
	chosen, err := regexp.Compile(*who)
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := measureAll(ctx, cases, *rounds, chosen, flag.Args()); err != nil {
		log.Fatal(err)
	}
}

// A measuredCase is a column of the tables.
type measuredCase struct {
	n     int
	state state
}

type state string

const (
	stateSame   state = "same"         // nothing has changed since the last run
	stateEdited state = "edited"       // a source file has changed in a way that affects the generated code
	stateCold   state = "empty caches" // of the go command and of the generator
)

func parseCases(sizes string, empty bool) (cases []measuredCase, err error) {
	for text := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("-n: %q is not a positive number", text)
		}
		cases = append(cases, measuredCase{n, stateSame}, measuredCase{n, stateEdited})
	}
	if empty {
		cases = append(cases, measuredCase{cases[0].n, stateCold})
	}
	return cases, nil
}

func measureAll(ctx context.Context, cases []measuredCase, rounds int, chosen *regexp.Regexp, builds []string) error {
	place, err := os.MkdirTemp("", "generate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(place)
	rows, err := listSubjects(ctx, place, chosen, builds)
	if err != nil {
		return err
	}
	measured := map[string]map[measuredCase][]cost{}
	for _, s := range rows {
		measured[s.name] = map[measuredCase][]cost{}
	}
	for _, c := range cases {
		if err := measureCase(ctx, place, rows, c, rounds, measured); err != nil {
			return err
		}
	}
	printTables(rows, cases, measured)
	return nil
}

// maxCaseTime limits how long one subject is measured in one case: slow subjects are measured less often.
const maxCaseTime = 20 * time.Second

// measureCase measures all subjects in one case, in turns.
func measureCase(ctx context.Context, place string, rows []subject, c measuredCase, rounds int, measured map[string]map[measuredCase][]cost) error {
	var errs []error
	spent := map[string]time.Duration{}
	for _, s := range rows {
		if err := s.prepareInput(ctx, place, c); err != nil {
			return err
		}
	}
	for range rounds {
		for _, s := range rows {
			if spent[s.name] > maxCaseTime {
				continue
			}
			took, err := s.measureOnce(ctx, place, c)
			if err != nil {
				errs = append(errs, fmt.Errorf("%s, %d items, %s: %w", s.name, c.n, c.state, err))
				spent[s.name] = maxCaseTime + 1
				continue
			}
			spent[s.name] += took.wall
			measured[s.name][c] = append(measured[s.name][c], took)
		}
	}
	for _, s := range rows {
		os.RemoveAll(filepath.Join(place, s.name)) // no longer needed
	}
	return errors.Join(errs...)
}

func printTables(rows []subject, cases []measuredCase, measured map[string]map[measuredCase][]cost) {
	base := measured[rows[0].name]
	printTable("by the clock: × "+rows[0].name+" (ms, median ms)", rows, cases, func(s subject, c measuredCase) string {
		return formatRatio(measured[s.name][c], base[c], func(c cost) time.Duration { return c.wall })
	})
	printTable("by processor time: × "+rows[0].name+" (ms, median ms)", rows, cases, func(s subject, c measuredCase) string {
		return formatRatio(measured[s.name][c], base[c], func(c cost) time.Duration { return c.cpu })
	})
	printTable("peak MiB of the largest process", rows, cases, func(s subject, c measuredCase) string {
		largest := slices.MaxFunc(measured[s.name][c], func(a, b cost) int { return cmp.Compare(a.peak, b.peak) })
		return fmt.Sprintf("%.0f", float64(largest.peak)/(1<<20))
	})
}

func printTable(title string, rows []subject, cases []measuredCase, cell func(subject, measuredCase) string) {
	fmt.Printf("| %s |", title)
	for _, c := range cases {
		fmt.Printf(" %d, %s |", c.n, c.state)
	}
	fmt.Print("\n| --- |" + strings.Repeat(" --- |", len(cases)) + "\n")
	for _, s := range rows {
		fmt.Printf("| %s |", s.name)
		for _, c := range cases {
			fmt.Printf(" %s |", cell(s, c))
		}
		fmt.Println()
	}
	fmt.Println()
}

// formatRatio formats the ratio between the best measurement and the best of the base.
func formatRatio(measured, base []cost, of func(cost) time.Duration) string {
	best, median := bestAndMedian(measured, of)
	unit, _ := bestAndMedian(base, of)
	return fmt.Sprintf("%.2f (%.1f, %.1f)", float64(best)/float64(unit), milliseconds(best), milliseconds(median))
}

func bestAndMedian(measured []cost, of func(cost) time.Duration) (best, median time.Duration) {
	var all []time.Duration
	for _, c := range measured {
		all = append(all, of(c))
	}
	slices.Sort(all)
	return all[0], all[len(all)/2]
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
