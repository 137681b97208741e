package pysyntax

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
)

// faults collects the faults that the scanner and the parser find.
type faults struct {
	at  func(Place) diag.Span // converts a place in the text to a span in the file
	all []fault
}

type fault struct {
	Place
	*diag.Diagnostic
}

func (f *faults) addFault(code diag.Code, at Place, format string, args ...any) *diag.Diagnostic {
	var list diag.List
	d := list.Errorf(code, f.at(at), format, args...)
	f.all = append(f.all, fault{at, d})
	return d
}

// addSyntax reports text that is not a valid Python expression.
func (f *faults) addSyntax(at Place, format string, args ...any) *diag.Diagnostic {
	return f.addFault("lambda-syntax", at, format, args...)
}

// addUnsupported reports a Python construct that lambdas in .aion files do not support.
func (f *faults) addUnsupported(at Place, construct string) *diag.Diagnostic {
	return f.addFault(Unsupported, at, "lambdas do not support %s", construct)
}

// newEdit returns the edit that replaces the text at a place.
func (f *faults) newEdit(at Place, text string) diag.Edit {
	return diag.Edit{Span: f.at(at), Text: text}
}

// suggestText replaces the help of d with "write …" and adds an edit that replaces the place by text.
func (f *faults) suggestText(d *diag.Diagnostic, at Place, text string) {
	d.Help = nil
	d.WithHelp("write %s", strings.TrimSpace(text))
	if !strings.ContainsAny(text, "\"\\\n") { // the .aion file may need escapes for these characters
		d.WithGuess(f.newEdit(at, text))
	}
}

// sortedList returns the faults sorted by position. If several faults start at the same position, it returns
// only the one that was added first, because the others are consequences of it.
func (f *faults) sortedList() (list diag.List) {
	slices.SortStableFunc(f.all, func(a, b fault) int { return a.From - b.From })
	for _, fault := range slices.CompactFunc(f.all, func(a, b fault) bool { return a.From == b.From }) {
		list = append(list, fault.Diagnostic)
	}
	return list
}
