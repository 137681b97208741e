package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// report prints the outcomes as Markdown, and reports whether all went well.
func report(w io.Writer, outcomes []*outcome) (ok bool) {
	row := func(cells ...any) {
		fmt.Fprint(w, "|")
		for _, c := range cells {
			fmt.Fprintf(w, " %v |", c)
		}
		fmt.Fprintln(w)
	}
	row("package", "functions", "tried", "bound", "refused", "steps that fail", "kB of Go", "kB for MCP", "offered without a scope", "could be", "offered of those")
	row("---", "---", "---", "---", "---", "---", "---", "---", "---", "---", "---")
	var sum outcome
	bound, failing, missing := 0, 0, 0
	for _, o := range outcomes {
		if o.missing != "" {
			missing++
			row(o.name, "", "", "", "", "**could not be had**", "", "", "", "", "")
			continue
		}
		if len(o.failures) > 0 {
			failing++
		}
		row(o.name, o.all, o.tried, len(o.bound), len(o.refusals), cmp.Or(o.failed(), "none"), o.goBytes/1000, o.schemaBytes/1000, o.offered, o.able, o.offeredAble)
		bound += len(o.bound)
		sum.add(o)
	}
	row("together", sum.all, sum.tried, bound, len(sum.refusals), fmt.Sprintf("in %d of %d packages", failing, len(outcomes)-missing), sum.goBytes/1000, sum.schemaBytes/1000, sum.offered, sum.able, sum.offeredAble)
	fmt.Fprintf(w, "\nOffered of bound: %s.\n", share(sum.offered, bound))
	fmt.Fprintf(w, "Offered of those that need no reference and whose results, if any, have a JSON part: %s.\n", share(sum.offeredAble, sum.able))
	details(w, outcomes)
	return failing+missing == 0
}

// add adds what can be added up of another outcome.
func (o *outcome) add(other *outcome) {
	o.all += other.all
	o.tried += other.tried
	o.refusals = append(o.refusals, other.refusals...)
	o.goBytes += other.goBytes
	o.schemaBytes += other.schemaBytes
	o.offered += other.offered
	o.able += other.able
	o.offeredAble += other.offeredAble
}

// share is a part of a whole, also in percent.
func share(part, whole int) string {
	if whole == 0 {
		return "none"
	}
	return fmt.Sprintf("%d of %d (%.1f %%)", part, whole, 100*float64(part)/float64(whole))
}

// failed are the steps that failed.
func (o *outcome) failed() string {
	var steps []string
	for _, f := range o.failures {
		steps = append(steps, f.step)
	}
	return strings.Join(steps, ", ")
}

// details prints what does not fit into a table, for each outcome a line or some.
func details(w io.Writer, outcomes []*outcome) {
	for _, section := range []struct {
		title string
		of    func(*outcome) []string
	}{
		{"Could not be had", (*outcome).why},
		{"Bytes of output schemas", (*outcome).size},
		{"What in a result keeps tools from being offered that could be", (*outcome).hides},
		{"Steps that fail", (*outcome).complaints},
		{"Refused", (*outcome).reasons},
	} {
		var lines []string
		for _, o := range outcomes {
			for _, line := range section.of(o) {
				lines = append(lines, "    "+o.name+": "+line)
			}
		}
		if len(lines) > 0 {
			fmt.Fprintf(w, "\n%s:\n\n%s\n", section.title, strings.Join(lines, "\n"))
		}
	}
}

func (o *outcome) why() []string {
	if o.missing == "" {
		return nil
	}
	return []string{o.module + " " + o.version}
}

func (o *outcome) size() []string {
	if o.measuredBytes == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s %d", o.measured, o.measuredBytes)}
}

// hides are the types that keep tools from being offered, those of most first.
func (o *outcome) hides() (lines []string) {
	types := slices.SortedFunc(maps.Keys(o.hiding), func(a, b string) int {
		return cmp.Or(cmp.Compare(o.hiding[b], o.hiding[a]), cmp.Compare(a, b))
	})
	for _, t := range types {
		lines = append(lines, fmt.Sprintf("%s %d", t, o.hiding[t]))
	}
	return lines
}

// head is the beginning of what a step printed, so many lines at most.
func head(output string) []string {
	const most = 6
	lines := strings.Split(strings.TrimSpace(output), "\n")
	if len(lines) > most {
		lines = append(lines[:most], fmt.Sprintf("… %d lines more", len(lines)-most))
	}
	return lines
}

func (o *outcome) complaints() (lines []string) {
	for _, f := range o.failures {
		for _, line := range head(f.output) {
			lines = append(lines, f.step+": "+strings.TrimSpace(line))
		}
	}
	return lines
}

func (o *outcome) reasons() (lines []string) {
	for _, r := range o.refusals {
		lines = append(lines, fmt.Sprintf("%s: %s [%s]", r.function, r.reason, r.code))
	}
	slices.Sort(lines)
	return lines
}
