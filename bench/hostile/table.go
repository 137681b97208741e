package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// ratio is the CPU time for the larger input divided by that for the smaller one.
func (r row) ratio() float64 {
	if r.Small.CPU == 0 {
		return 0
	}
	return float64(r.Large.CPU) / float64(r.Small.CPU)
}

// peak is the most memory that either input needed, in bytes.
func (r row) peak() int64 { return max(r.Small.Peak, r.Large.Peak) }

// missedGoal describes the goal that the row misses. It is empty if the row meets all goals.
func (r row) missedGoal() string {
	switch failure := cmp.Or(r.Small.Failure, r.Large.Failure); {
	case failure != "":
		return failure
	case r.Large.CPU > minGrowthTime && r.ratio() > maxRatio:
		return "grows too fast"
	case r.peak() > maxMemory:
		return "too much memory"
	}
	return ""
}

// maxShown bounds the rows that the table shows if all goals are met.
const maxShown = 40

// printTable prints the rows that miss a goal and the most expensive of the others. It
// reports whether all goals are met.
func printTable(w io.Writer, rows []row, all bool) bool {
	slices.SortStableFunc(rows, func(a, b row) int {
		if a, b := a.missedGoal() != "", b.missedGoal() != ""; a != b {
			return map[bool]int{true: -1, false: 1}[a]
		}
		return cmp.Compare(b.Large.CPU, a.Large.CPU)
	})
	missed := 0
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "SHAPE\tCOMMAND\t0.5 MB\t1 MB\tRATIO\tPEAK MB\t")
	for i, r := range rows {
		problem := r.missedGoal()
		if problem != "" {
			missed++
		}
		if all || problem != "" || i < missed+maxShown {
			fmt.Fprintf(t, "%s\t%s\t%.2f s\t%.2f s\t%.1f\t%d\t%s\n", r.Shape, r.Command,
				r.Small.CPU.Seconds(), r.Large.CPU.Seconds(), r.ratio(), r.peak()>>20, problem)
		}
	}
	t.Flush()
	fmt.Fprintf(w, "%d runs, %d miss a goal\n", len(rows), missed)
	return missed == 0
}
