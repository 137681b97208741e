package syntax

import (
	"fmt"
	"math"
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
)

// A faults list is what the scanner and the parser report to.
type faults struct {
	all []*fault
}

type fault struct {
	Place
	code            diag.Code
	message, remedy string
}

func (f *faults) report(code diag.Code, at Place, format string, args ...any) *fault {
	reported := &fault{Place: at, code: code, message: fmt.Sprintf(format, args...)}
	f.all = append(f.all, reported)
	return reported
}

// syntax reports what is no expression of Python.
func (f *faults) syntax(at Place, format string, args ...any) *fault {
	return f.report("lambda-syntax", at, format, args...)
}

// unsupported reports a construct of Python that the notation does not have.
func (f *faults) unsupported(at Place, construct string) *fault {
	return f.report(Unsupported, at, "a lambda here cannot hold %s", construct)
}

func (f *fault) help(format string, args ...any) { f.remedy = fmt.Sprintf(format, args...) }

// list returns the faults in the order of their places.
func (f *faults) list(at func(Place) diag.Span) diag.List {
	slices.SortStableFunc(f.all, func(a, b *fault) int { return a.From - b.From })
	var list diag.List
	last := math.MinInt
	for _, fault := range f.all {
		if fault.From == last {
			continue // one fault a place: what follows it says no more
		}
		last = fault.From
		d := list.Errorf(fault.code, at(fault.Place), "%s", fault.message)
		if fault.remedy != "" {
			d.WithHelp("%s", fault.remedy)
		}
	}
	return list
}
