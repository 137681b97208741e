package aion

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/notes"
	"github.com/aiongen/aiongen/internal/values"
)

// A noteReader reads a note from its parts.
type noteReader struct {
	Note
	*diag.Collector
	text  Text
	index *Index                // of text, created on first use
	given map[string]notes.Part // the options by name

	hasUnion bool // a part that looks like another type was reported
}

// between returns the span in the file of a range of the text.
func (n *noteReader) between(from, to int) diag.Span {
	if n.index == nil {
		x := n.text.Index()
		n.index = &x
	}
	return n.index.Between(from, to)
}

// partSpan returns the span of a part in the file.
func (n *noteReader) partSpan(p notes.Part) diag.Span {
	return n.between(p.At, p.At+len(p.Text))
}

// replacePart returns the edit that replaces a part by a text. It returns no edit if the
// text could end the string around it.
func (n *noteReader) replacePart(p notes.Part, text string) diag.Edit {
	if strings.ContainsAny(text, "\"\n") {
		return diag.Edit{}
	}
	return diag.Edit{Span: n.partSpan(p), Text: text}
}

// replaceNote returns the edit that replaces the whole note.
func (n *noteReader) replaceNote(text string) diag.Edit {
	return n.replacePart(notes.Part{Text: n.text.Value}, text)
}

// deletePart returns the edit that deletes a part other than the first, and the bar before it.
func (n *noteReader) deletePart(p notes.Part) diag.Edit {
	from := strings.LastIndexByte(n.text.Value[:p.At], '|')
	from = len(strings.TrimRight(n.text.Value[:max(0, from)], " \t\r\n"))
	return diag.Edit{Span: n.between(from, p.At+len(p.Text))}
}

// reportPart reports a fault in a part of the note.
func (n *noteReader) reportPart(code diag.Code, p notes.Part, format string, args ...any) *diag.Diagnostic {
	return n.Errorf(code, n.partSpan(p), format, args...)
}

// exclusiveOptions are the options that replace a whole value, so that other options about its
// shape have no effect.
var exclusiveOptions = []string{"omit", "ref", "text"}

// checkShape reports options of the same value that contradict each other.
func (n *noteReader) checkShape() {
	options := n.Options()
	exclusive := slices.DeleteFunc(slices.Clone(options), func(option string) bool { return !slices.Contains(exclusiveOptions, option) })
	switch {
	case n.Required && n.Optional:
		n.reportConflict("required", n.optionalOption())
	case len(exclusive) > 1:
		n.reportConflict(exclusive[0], exclusive[1])
	case len(exclusive) == 1 && len(n.Shape) > 0:
		n.reportConflict(exclusive[0], n.Shape[0].Option+"=")
	case len(exclusive) == 1 && n.Fields && !n.Omit:
		n.reportConflict(exclusive[0], "fields")
	case n.Omit && len(options) > 1:
		n.reportPart("note-option", n.given["omit"], "an omitted value has no other options").WithHelp("delete one or the other")
	}
	if n.Ref && n.Take != nil {
		n.reportConflict("ref", "take=")
	}
	n.checkPaths("required", "optional")
	n.checkPaths("ref", "text")
}

// checkPaths reports paths that are listed for two options that exclude each other.
func (n *noteReader) checkPaths(option, other string) {
	others := map[string]bool{}
	for _, p := range n.Paths(other) {
		others[p.String()] = true
	}
	for _, p := range n.Paths(option) {
		if others[p.String()] {
			n.Errorf("note-option", p.Span, "%s cannot be both %q and %q", p, option, other).WithHelp("delete one of the two")
		}
	}
}

// optionalOption returns the option that makes the note optional.
func (n *noteReader) optionalOption() string {
	if n.Default != nil {
		return "default="
	}
	return "optional"
}

// reportConflict reports two options that exclude each other.
func (n *noteReader) reportConflict(option, other string) {
	n.reportPart("note-option", n.given[option], "%q and %q exclude each other", option, other).WithHelp("delete one of the two")
}

// checkLimits checks the options against the kind of the type, and against each other.
func (n *noteReader) checkLimits(k values.Kind) {
	if !n.checkBounds(k) {
		return
	}
	limits := n.limits()
	bounds := limits
	bounds.Enum = nil
	for _, l := range n.Enum {
		problem := bounds.CheckValue(k, l)
		if mismatch := values.Mismatch(l, k); mismatch != "" {
			problem = fmt.Sprintf("%s, but the type is %q", mismatch, n.Type)
		}
		if problem != "" {
			n.helpWithZeros(n.reportPart("bad-enum", n.given["enum="], "the enum value %v %s", l, problem), k, "enum=", l.Text)
			return
		}
	}
	if n.Default != nil {
		n.checkDefault(k, *n.Default, limits)
	}
}

// limits returns the limits that the options set.
func (n *noteReader) limits() (l values.Limits) {
	if !n.Open {
		l.Enum = n.Enum
	}
	if n.Min != nil {
		l.Min = n.Min.Text
	}
	if n.Max != nil {
		l.Max = n.Max.Text
	}
	return l
}

// checkBounds checks min and max, which apply to numbers and lengths. It returns false if it
// reported an error.
func (n *noteReader) checkBounds(k values.Kind) bool {
	for _, name := range []string{"min=", "max="} {
		bound := n.Min
		if name == "max=" {
			bound = n.Max
		}
		switch {
		case bound == nil:
		case k == values.BoolKind || k == values.DictKind || k == values.NoneKind:
			n.reportPart("bad-bound", n.given[name], "the type %q cannot have min or max", n.Type).
				WithHelp("min and max limit numbers and the length of strings and lists")
			return false
		case (k == values.StringKind || k == values.ListKind) && (values.IntegerMismatch(*bound) != "" || bound.Text[0] == '-'):
			n.reportPart("bad-bound", n.given[name], "the bound %v is not a valid length of a %q", bound, n.Type)
			return false
		}
	}
	if problem := n.limits().CheckBounds(); problem != "" {
		n.reportPart("bad-bound", n.given["max="], "%s", problem).WithHelp("write min=%v | max=%v", n.Max, n.Min).
			WithGuess(n.replacePart(n.given["min="], "min="+n.Max.Text), n.replacePart(n.given["max="], "max="+n.Min.Text))
		return false
	}
	return true
}

// checkDefault checks the default against type, enum and bounds.
func (n *noteReader) checkDefault(k values.Kind, d Literal, limits values.Limits) {
	if problem := values.Mismatch(d, k); problem != "" {
		report := n.reportPart("bad-default", n.given["default="], "the default %v %s, but the type is %q", d, problem, n.Type)
		if values.FormOf(d) == values.QuotedForm && values.Mismatch(Literal{Text: d.Text}, k) == "" {
			report.WithHelp("a quoted default is a string: write default=%s", d.Text).
				WithFix(n.replacePart(n.given["default="], "default="+d.Text))
		}
		n.helpWithZeros(report, k, "default=", d.Text)
		if len(report.Help) == 0 {
			report.WithHelp("write a default of type %q, or another type", n.Type)
		}
	} else if problem := limits.CheckValue(k, d); problem != "" {
		n.reportPart("bad-default", n.given["default="], "the default %v %s", d, problem).WithHelp("write a default that the other options of the note allow, or change them")
	}
}

// helpWithZeros adds help and a fix for a number with leading zeros, if a number of this
// kind is expected.
func (n *noteReader) helpWithZeros(d *diag.Diagnostic, k values.Kind, option, value string) {
	number := notes.WithoutZeros(value)
	switch {
	case number == "" || values.Mismatch(Literal{Text: number}, k) != "":
	case option == "enum=":
		d.WithHelp("numbers have no leading zeros: write %s", number)
	default:
		d.WithHelp("numbers have no leading zeros: write %s%s", option, number).WithFix(n.replacePart(n.given[option], option+number))
	}
}
