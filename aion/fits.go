package aion

import (
	"fmt"
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
	index *Index                // of text, once a place was asked for
	given map[string]notes.Part // the options, by name
}

// between returns the place in the file of a part of the text.
func (n *noteReader) between(from, to int) diag.Span {
	if n.index == nil {
		x := n.text.Index()
		n.index = &x
	}
	return n.index.Between(from, to)
}

// place is where a part stands in the file.
func (n *noteReader) place(p notes.Part) diag.Span {
	return n.between(p.At, p.At+len(p.Text))
}

// rewrite is the edit that writes a text in the place of a part. A text that could end
// the string around it is none that a note has.
func (n *noteReader) rewrite(p notes.Part, text string) diag.Edit {
	if strings.ContainsAny(text, "\"\n") {
		return diag.Edit{}
	}
	return diag.Edit{Span: n.place(p), Text: text}
}

// whole is the edit that writes another note in the place of this one.
func (n *noteReader) whole(text string) diag.Edit {
	return n.rewrite(notes.Part{Text: n.text.Value}, text)
}

// leaveOut is the edit that takes out a part behind the first, with the bar before it.
func (n *noteReader) leaveOut(p notes.Part) diag.Edit {
	from := strings.LastIndexByte(n.text.Value[:p.At], '|')
	from = len(strings.TrimRight(n.text.Value[:max(0, from)], " \t\r\n"))
	return diag.Edit{Span: n.between(from, p.At+len(p.Text))}
}

// bad reports a fault in a part of the note.
func (n *noteReader) bad(code diag.Code, p notes.Part, format string, args ...any) *diag.Diagnostic {
	return n.Errorf(code, n.place(p), format, args...)
}

// checkShape reports options that say two things of one place.
func (n *noteReader) checkShape() {
	var whole []string
	for _, mark := range n.marks() {
		if mark != "required" {
			whole = append(whole, mark)
		}
	}
	limited := n.Optional || n.Required || n.Open || len(n.Enum) > 0 || n.Min != nil || n.Max != nil
	switch {
	case n.Required && n.Optional:
		n.against("required", n.optionalBy())
	case len(whole) > 1:
		n.against(whole[0], whole[1])
	case len(whole) == 1 && len(n.Shape) > 0:
		n.against(whole[0], n.Shape[0].Option+"=")
	case n.Omit && limited:
		n.bad("note-option", n.given["omit"], "what is omitted has no other options").WithHelp("leave out one or the other")
	}
	for _, two := range [][2]string{{"required", "optional"}, {"ref", "text"}} {
		others := map[string]bool{}
		for _, p := range n.Paths(two[1]) {
			others[p.String()] = true
		}
		for _, p := range n.Paths(two[0]) {
			if others[p.String()] {
				n.Errorf("note-option", p.Span, "%s cannot be %q and %q", p, two[0], two[1]).WithHelp("leave out one of the two")
			}
		}
	}
}

// optionalBy is the option that makes a note optional.
func (n *noteReader) optionalBy() string {
	if n.Default != nil {
		return "default="
	}
	return "optional"
}

// against reports two options of which only one can be meant.
func (n *noteReader) against(option, other string) {
	n.bad("note-option", n.given[option], "%q and %q cannot both be meant", option, other).WithHelp("leave out one of the two")
}

// contradictions holds the options against the kind of the type, and against
// each other.
func (n *noteReader) contradictions(k values.Kind) {
	if !n.boundsFit(k) {
		return
	}
	limits := n.limits()
	bounds := limits
	bounds.Enum = nil
	for _, l := range n.Enum {
		problem := bounds.Refuse(k, l)
		if wrong := values.Mismatch(l, k); wrong != "" {
			problem = fmt.Sprintf("%s, but the type is %q", wrong, n.Type)
		}
		if problem != "" {
			n.helpWithZeros(n.bad("bad-enum", n.given["enum="], "the enum value %v %s", l, problem), k, "enum=", l.Text)
			return
		}
	}
	if n.Default != nil {
		n.checkDefault(k, *n.Default, limits)
	}
}

// limits are what the options allow.
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

// boundsFit checks min and max: numbers have them, and so have lengths.
func (n *noteReader) boundsFit(k values.Kind) bool {
	for _, name := range []string{"min=", "max="} {
		bound := n.Min
		if name == "max=" {
			bound = n.Max
		}
		switch {
		case bound == nil:
		case k == values.BoolKind || k == values.DictKind || k == values.NoneKind:
			n.bad("bad-bound", n.given[name], "a %q has no min or max", n.Type).
				WithHelp("they bound numbers and the length of strings and lists")
			return false
		case (k == values.StringKind || k == values.ListKind) && (values.IntegerMismatch(*bound) != "" || bound.Text[0] == '-'):
			n.bad("bad-bound", n.given[name], "the bound %v is no length of a %q", bound, n.Type)
			return false
		}
	}
	if problem := n.limits().Crossed(); problem != "" {
		n.bad("bad-bound", n.given["max="], "%s", problem)
		return false
	}
	return true
}

// checkDefault checks the default against type, enum and bounds.
func (n *noteReader) checkDefault(k values.Kind, d Literal, limits values.Limits) {
	if problem := values.Mismatch(d, k); problem != "" {
		report := n.bad("bad-default", n.given["default="], "the default %v %s, but the type is %q", d, problem, n.Type)
		if values.FormOf(d) == values.QuotedForm && values.Mismatch(Literal{Text: d.Text}, k) == "" {
			report.WithHelp("a quoted default is a string: write default=%s", d.Text).
				WithFix(n.rewrite(n.given["default="], "default="+d.Text))
		}
		n.helpWithZeros(report, k, "default=", d.Text)
	} else if problem := limits.Refuse(k, d); problem != "" {
		n.bad("bad-default", n.given["default="], "the default %v %s", d, problem)
	}
}

// helpWithZeros says how a number is written that has zeros in front, where one of a
// kind should be.
func (n *noteReader) helpWithZeros(d *diag.Diagnostic, k values.Kind, option, value string) {
	number := notes.WithoutZeros(value)
	switch {
	case number == "" || values.Mismatch(Literal{Text: number}, k) != "":
	case option == "enum=":
		d.WithHelp("numbers have no zeros in front: write %s", number)
	default:
		d.WithHelp("numbers have no zeros in front: write %s%s", option, number).WithFix(n.rewrite(n.given[option], option+number))
	}
}
