// Generate measures what generating takes, beside what the go command takes to list
// the package, and prints it as tables in Markdown: by the clock, by processor time,
// and the memory of the largest process.
//
//	go run ./generate
//	go run ./generate -n 10,1000,10000 -who none /tmp/aiongen-before
//
// Arguments are further builds of aiongen, to measure beside the one of this checkout.
// All take turns, so that whatever else the machine does meets all of them.
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
	sizes := flag.String("n", "10,1000", "how many tools, or what a peer has in their place; with commas")
	rounds := flag.Int("rounds", 7, "how often each is measured")
	empty := flag.Bool("empty", true, "measure with empty caches, too, which takes minutes for peers")
	who := flag.String("who", "", "regular expression of the peers to measure; aiongen and the go command always are")
	flag.Parse()
	cases, err := casesOf(*sizes, *empty)
	if err != nil {
		log.Fatal(err)
	}
	chosen, err := regexp.Compile(*who)
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, cases, *rounds, chosen, flag.Args()); err != nil {
		log.Fatal(err)
	}
}

// A kase is a column of the tables.
type kase struct {
	n     int
	state state
}

type state string

const (
	same   state = "same"         // nothing changed since the last run
	edited state = "edited"       // a source file did, and what is generated from it does
	cold   state = "empty caches" // those of the go command and of the generator
)

func casesOf(sizes string, empty bool) (cases []kase, err error) {
	for text := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("-n takes numbers from 1 on, not %q", text)
		}
		cases = append(cases, kase{n, same}, kase{n, edited})
	}
	if empty {
		cases = append(cases, kase{cases[0].n, cold})
	}
	return cases, nil
}

func run(ctx context.Context, cases []kase, rounds int, chosen *regexp.Regexp, builds []string) error {
	place, err := os.MkdirTemp("", "generate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(place)
	rows, err := subjects(ctx, place, chosen, builds)
	if err != nil {
		return err
	}
	measured := map[string]map[kase][]cost{}
	for _, s := range rows {
		measured[s.name] = map[kase][]cost{}
	}
	for _, c := range cases {
		if err := measureCase(ctx, place, rows, c, rounds, measured); err != nil {
			return err
		}
	}
	printTables(rows, cases, measured)
	return nil
}

// enough is how long one subject is measured in one case: what is slow is measured
// less often.
const enough = 20 * time.Second

// measureCase measures all subjects in a case, in turns.
func measureCase(ctx context.Context, place string, rows []subject, c kase, rounds int, measured map[string]map[kase][]cost) error {
	var errs []error
	spent := map[string]time.Duration{}
	for _, s := range rows {
		if err := s.prepare(ctx, place, c); err != nil {
			return err
		}
	}
	for range rounds {
		for _, s := range rows {
			if spent[s.name] > enough {
				continue
			}
			took, err := s.measure(ctx, place, c)
			if err != nil {
				errs = append(errs, fmt.Errorf("%s, %d items, %s: %w", s.name, c.n, c.state, err))
				spent[s.name] = enough + 1
				continue
			}
			spent[s.name] += took.wall
			measured[s.name][c] = append(measured[s.name][c], took)
		}
	}
	for _, s := range rows {
		os.RemoveAll(filepath.Join(place, s.name)) // it is of no more use
	}
	return errors.Join(errs...)
}

func printTables(rows []subject, cases []kase, measured map[string]map[kase][]cost) {
	base := measured[rows[0].name]
	printTable("by the clock: × "+rows[0].name+" (ms, median ms)", rows, cases, func(s subject, c kase) string {
		return ratio(measured[s.name][c], base[c], func(c cost) time.Duration { return c.wall })
	})
	printTable("by processor time: × "+rows[0].name+" (ms, median ms)", rows, cases, func(s subject, c kase) string {
		return ratio(measured[s.name][c], base[c], func(c cost) time.Duration { return c.cpu })
	})
	printTable("peak MiB of the largest process", rows, cases, func(s subject, c kase) string {
		largest := slices.MaxFunc(measured[s.name][c], func(a, b cost) int { return cmp.Compare(a.peak, b.peak) })
		return fmt.Sprintf("%.0f", float64(largest.peak)/(1<<20))
	})
}

func printTable(title string, rows []subject, cases []kase, cell func(subject, kase) string) {
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

// ratio says how often the best of the base goes into the best of what was measured.
func ratio(measured, base []cost, of func(cost) time.Duration) string {
	best, median := summary(measured, of)
	unit, _ := summary(base, of)
	return fmt.Sprintf("%.2f (%.1f, %.1f)", float64(best)/float64(unit), milliseconds(best), milliseconds(median))
}

func summary(measured []cost, of func(cost) time.Duration) (best, median time.Duration) {
	var all []time.Duration
	for _, c := range measured {
		all = append(all, of(c))
	}
	slices.Sort(all)
	return all[0], all[len(all)/2]
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
