package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// printReport prints the outcomes as Markdown and reports whether all steps succeeded.
func printReport(w io.Writer, outcomes []*outcome) (ok bool) {
	row := func(cells ...any) {
		fmt.Fprint(w, "|")
		for _, c := range cells {
			fmt.Fprintf(w, " %v |", c)
		}
		fmt.Fprintln(w)
	}
	header := []any{"package", "listed", "bound", "refused for a valid reason", "for a wrong one", "tried", "tools", "offered", "need no reference", "offered of those", "arguments lost", "without a warning", "kB of Go", "bytes for MCP", "CPU seconds", "steps that fail"}
	row(header...)
	row(slices.Repeat([]any{"---"}, len(header))...)
	var sum outcome
	failing, missing := 0, 0
	for _, o := range outcomes {
		if o.Missing != "" {
			missing++
			row(o.name, "**could not be had**", "", "", "", "", "", "", "", "", "", "", "", "", "", "")
			continue
		}
		if len(o.Failures) > 0 {
			failing++
		}
		o.printRow(row, o.name, cmp.Or(o.failedSteps(), "none"))
		sum.addCounts(o)
	}
	sum.printRow(row, "together", fmt.Sprintf("in %d of %d packages", failing, len(outcomes)-missing))
	fmt.Fprintf(w, "\nOffered of the tools: %s.\n", formatShare(len(sum.Offered), sum.Tools))
	fmt.Fprintf(w, "Offered of those that need no reference: %s.\n", formatShare(sum.Fitting-len(sum.Needless), sum.Fitting))
	printDetails(w, outcomes)
	return failing+missing == 0
}

// printRow prints the counts of an outcome.
func (o *outcome) printRow(row func(...any), name, failures string) {
	valid := len(slices.DeleteFunc(slices.Clone(o.Refusals), func(r refusal) bool { return !r.isValid() }))
	row(name, o.Listed, o.Bound, valid, len(o.Refusals)-valid, o.Tried, o.Tools, len(o.Offered), o.Fitting, o.Fitting-len(o.Needless),
		len(o.Lost)+len(o.Silent), len(o.Silent), o.GoBytes/1000, o.SchemaBytes, fmt.Sprintf("%.1f", o.Seconds), failures)
}

// addCounts adds the counts of another outcome.
func (o *outcome) addCounts(other *outcome) {
	o.Listed += other.Listed
	o.Bound += other.Bound
	o.Refusals = append(o.Refusals, other.Refusals...)
	o.Tried += other.Tried
	o.Tools += other.Tools
	o.Offered = append(o.Offered, other.Offered...)
	o.Fitting += other.Fitting
	o.Needless = append(o.Needless, other.Needless...)
	o.Lost = append(o.Lost, other.Lost...)
	o.Silent = append(o.Silent, other.Silent...)
	o.GoBytes += other.GoBytes
	o.SchemaBytes += other.SchemaBytes
	o.Seconds += other.Seconds
}

// formatShare formats a part of a whole, also in percent.
func formatShare(part, whole int) string {
	if whole == 0 {
		return "none"
	}
	return fmt.Sprintf("%d of %d (%.1f %%)", part, whole, 100*float64(part)/float64(whole))
}

// failedSteps returns the names of the failed steps.
func (o *outcome) failedSteps() string {
	var steps []string
	for _, f := range o.Failures {
		steps = append(steps, f.Step)
	}
	return strings.Join(steps, ", ")
}

// printDetails prints some lines for each outcome that do not fit into a table.
func printDetails(w io.Writer, outcomes []*outcome) {
	for _, section := range []struct {
		title string
		of    func(*outcome) []string
	}{
		{"Could not be had", (*outcome).refusalCounts},
		{"Bytes of output schemas", (*outcome).sizeLines},
		{"Not offered, although they need no reference, with the first type that is one", func(o *outcome) []string { return o.Needless }},
		{"Arguments that the tools do not take, without a warning", func(o *outcome) []string { return o.Silent }},
		{"Arguments that the tools do not take, as a warning reports", func(o *outcome) []string { return o.Lost }},
		{"Steps that fail", (*outcome).complaintLines},
		{"Refused for a wrong reason", (*outcome).reasonLines},
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

func (o *outcome) refusalCounts() []string {
	if o.Missing == "" {
		return nil
	}
	return []string{o.module + " " + o.version}
}

func (o *outcome) sizeLines() []string {
	if o.MeasuredBytes == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s %d", o.measured, o.MeasuredBytes)}
}

// firstLines returns the first lines of a step's output.
func firstLines(output string) []string {
	const most = 6
	lines := strings.Split(strings.TrimSpace(output), "\n")
	if len(lines) > most {
		lines = append(lines[:most], fmt.Sprintf("… %d lines more", len(lines)-most))
	}
	return lines
}

func (o *outcome) complaintLines() (lines []string) {
	for _, f := range o.Failures {
		for _, line := range firstLines(f.Output) {
			lines = append(lines, f.Step+": "+strings.TrimSpace(line))
		}
	}
	return lines
}

func (o *outcome) reasonLines() (lines []string) {
	for _, r := range o.Refusals {
		if !r.isValid() {
			lines = append(lines, fmt.Sprintf("%s: %s [%s]", r.Function, r.Reason, r.Code))
		}
	}
	slices.Sort(lines)
	return lines
}
