package pysyntax

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
)

// faults collects the faults that the scanner and the parser find.
type faults struct {
	all []*fault
}

type fault struct {
	Place
	code          diag.Code
	message, help string
	edits         []edit // the edits that help describes
	cause         error
}

// edit replaces the text at a place.
type edit struct {
	Place
	text string
}

func (f *faults) addFault(code diag.Code, at Place, format string, args ...any) *fault {
	reported := &fault{Place: at, code: code, message: fmt.Sprintf(format, args...)}
	f.all = append(f.all, reported)
	return reported
}

// addSyntax reports text that is not a valid Python expression.
func (f *faults) addSyntax(at Place, format string, args ...any) *fault {
	return f.addFault("lambda-syntax", at, format, args...)
}

// addUnsupported reports a Python construct that lambdas in .aion files do not support.
func (f *faults) addUnsupported(at Place, construct string) *fault {
	return f.addFault(Unsupported, at, "lambdas do not support %s", construct)
}

func (f *fault) withHelp(format string, args ...any) { f.help = fmt.Sprintf(format, args...) }

// withText adds the help "write …" and an edit that replaces the place by text.
func (f *fault) withText(at Place, text string) {
	f.withHelp("write %s", strings.TrimSpace(text))
	if !strings.ContainsAny(text, "\"\\\n") { // the .aion file may need escapes for these characters
		f.edits = []edit{{at, text}}
	}
}

// sortedList returns the faults sorted by position. If several faults start at the same position, it returns
// only the one that was added first.
func (f *faults) sortedList(at func(Place) diag.Span) diag.List {
	slices.SortStableFunc(f.all, func(a, b *fault) int { return a.From - b.From })
	var list diag.List
	last := math.MinInt
	for _, fault := range f.all {
		if fault.From == last {
			continue // it is a consequence of the first one
		}
		last = fault.From
		d := list.Errorf(fault.code, at(fault.Place), "%s", fault.message).WithCause(fault.cause)
		if fault.help != "" {
			d.WithHelp("%s", fault.help)
		}
		var edits []diag.Edit
		for _, e := range fault.edits {
			edits = append(edits, diag.Edit{Span: at(e.Place), Text: e.text})
		}
		if len(edits) > 0 {
			d.WithGuess(edits...)
		}
	}
	return list
}
