package aion

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/notes"
)

// A noteReader reads a note from its parts.
type noteReader struct {
	Note
	*diag.List
	text  Text
	given map[string]notes.Part // the options, by name
}

// place is where a part stands in the file.
func (n *noteReader) place(p notes.Part) diag.Span {
	return diag.Span{File: n.text.Span.File, Start: n.text.Pos(p.At), End: n.text.Pos(p.At + len(p.Text))}
}

// bad reports a fault in a part of the note.
func (n *noteReader) bad(code diag.Code, p notes.Part, format string, args ...any) *diag.Diagnostic {
	return n.Errorf(code, n.place(p), format, args...)
}

func (n *noteReader) read() {
	parts := notes.Split(n.text.Value)
	head, options := parts[0], parts[1:]
	described, form := n.head(head.Text)
	switch {
	case form:
	case notes.IsLiteralType(head.Text):
		n.badType(head)
		return
	case head.Text == "" || notes.IsOption(head):
		n.Errorf("missing-type", n.Span, "the note %q does not start with a type", n.text.Value).
			WithHelp(`write a type first: "string (what it is)"`)
		return
	case slices.ContainsFunc(options, notes.IsOption):
		n.missingType(head, options)
		return
	case !strings.ContainsAny(head.Text, " \t\r\n"):
		n.badType(head)
		return
	default:
		n.prose(head, options)
		return
	}
	n.options(options, described)
	n.checkShape()
	toWrite(n.List, n.Description, n.Span)
	if kind := WordOf(n.Type).Kind; kind != 0 {
		n.contradictions(kind)
	}
}

// head reads the first part, `type`, `type?` or `type (description)`. It
// returns false if the part does not have that form.
func (n *noteReader) head(part string) (description string, ok bool) {
	end, ok := notes.TypeEnd(part)
	if !ok || notes.IsLiteralType(part) {
		return "", false
	}
	rest, optional := strings.CutPrefix(part[end:], "?")
	rest = strings.TrimLeft(rest, " \t\r\n")
	if inner, open := strings.CutPrefix(rest, "("); open && strings.HasSuffix(inner, ")") {
		description = strings.Trim(strings.TrimSuffix(inner, ")"), " \t\r\n")
	} else if rest != "" {
		return "", false
	}
	n.Type, n.Optional = part[:end], optional
	return description, true
}

// missingType reports options behind a part that is no type.
func (n *noteReader) missingType(head notes.Part, options []notes.Part) {
	d := n.bad("missing-type", head, "the note starts with %q, which is no type, but has options", head.Text)
	parts := []string{notes.Meant(head.Text)}
	for _, option := range options {
		parts = append(parts, option.Text)
	}
	switch {
	case notes.BarInParenthesis(head, options):
		n.helpWithBar(d)
		return
	case parts[0] == "":
		parts[0] = "string"
		parts = append(parts, head.Text)
	}
	d.WithHelp("write a type first: %q", strings.Join(parts, " | "))
}

// badType reports a word that cannot be a type.
func (n *noteReader) badType(head notes.Part) {
	word := head.Text
	d := n.bad("bad-type", head, "%q is no type", word)
	element, array := strings.CutSuffix(word, "[]")
	generic := strings.NewReplacer("<", "[", ">", "]").Replace(word)
	switch {
	case array && notes.IsType(element):
		d.WithHelp("write %q", "list["+element+"]")
	case generic != word && notes.IsType(generic):
		d.WithHelp("write %q", generic)
	case strings.HasPrefix(word, "interface"):
		d.WithHelp(`write "any", or the name of a Go type`)
	case notes.IsLiteralType(word):
		d.WithHelp("a note cannot hold a literal type: give the type a name in Go, and write that")
	default:
		d.WithHelp("a single word is always a type: string, int, list[string], a Go type …\nprose has more than one word")
	}
}

// options reads the parts behind the first. Those that are no option belong to
// the description.
func (n *noteReader) options(parts []notes.Part, described string) {
	var description []string
	if described != "" {
		description = append(description, described)
	}
	n.given = map[string]notes.Part{}
	for i, part := range parts {
		name := notes.OptionName(part.Text)
		switch {
		case name == "":
			n.suspectOption(part)
			description = append(description, part.Text)
		case n.given[name].Text != "":
			n.bad("repeated-option", part, "%q is given twice in the note", strings.TrimSuffix(name, "="))
		default:
			n.given[name] = part
			n.option(name, strings.Trim(part.Text[len(name):], " \t\r\n"))
			n.suspectBars(parts[i:])
			if name == "default=" || name == "enum=" {
				n.suspectRow(name, part)
			}
		}
	}
	n.Description = strings.Trim(strings.Join(description, " | "), " \t\r\n")
}

func (n *noteReader) option(name, value string) {
	switch name {
	case "optional":
		n.Optional = true
	case "open":
		n.Open = true
	case "required":
		n.Required = true
	case "omit":
		n.Omit = true
	case "ref":
		n.Ref = true
	case "text":
		n.Text = true
	case "only=", "omit=", "required=", "optional=", "ref=", "text=":
		n.shape(strings.TrimSuffix(name, "="))
	case "default=":
		n.Default, n.Optional = n.literal(name, value), true
	case "enum=":
		if strings.HasPrefix(value, "[") && strings.HasSuffix(value, "]") {
			n.bad("bad-enum", n.given[name], "the values of an enum stand without brackets").
				WithHelp("write %s%s", name, strings.Trim(value, "[]"))
			return
		}
		for _, item := range notes.SplitEnum(value) {
			if l := n.literal(name, item); l != nil {
				n.Enum = append(n.Enum, *l)
			}
		}
	case "min=":
		n.Min = n.number(name, value)
	case "max=":
		n.Max = n.number(name, value)
	}
}

// literal reads the value of an option. It is nil if that is none, which it reports.
func (n *noteReader) literal(option, value string) *Literal {
	literal, problem := parseLiteral(value)
	if problem != "" {
		n.bad("bad-literal", n.given[option], "the value of %q %s", option, problem).
			WithHelp("write %s5, %sword or %s'some text'", option, option, option)
		return nil
	}
	return &literal
}

// number reads the value of min or max.
func (n *noteReader) number(option, value string) *Literal {
	if literal, problem := parseLiteral(value); problem == "" && literal.Kind == NumberLiteral {
		return &literal
	}
	d := n.bad("bad-literal", n.given[option], "the value of %q is %q, not a number", option, value)
	if row := notes.Barred(n.given[option].Text); row != "" {
		d.WithHelp("a bar ends the value of an option: write %q", row)
	}
	helpWithZeros(d, FloatKind, option, value)
	return nil
}

// prose takes a note as prose, all of it description, and warns where it is more
// likely a slip: what the author takes for a type or an option would hold nothing.
func (n *noteReader) prose(head notes.Part, more []notes.Part) {
	n.Description = strings.Trim(n.text.Value, " \t\r\n")
	toWrite(n.List, n.Description, n.Span)
	note, bar := notes.Meant(head.Text), notes.BarInParenthesis(head, more)
	if note != "" || bar {
		d := n.Warnf("suspicious-note", n.place(head), "%q is read as prose, so no type is checked", head.Text)
		if bar {
			n.helpWithBar(d)
			return
		}
		d.WithHelp("write %q; prose begins with another word", note)
	}
	for _, part := range more {
		n.suspectOption(part)
	}
}

// helpWithBar says how a description with a bar is written.
func (n *noteReader) helpWithBar(d *diag.Diagnostic) {
	d.WithHelp("a bar ends the parenthesis: write %q, or put the description behind the options", notes.WithoutBar(n.text.Value))
}

// suspectOption warns of a part of the description that reads like an option.
func (n *noteReader) suspectOption(part notes.Part) {
	p, ok := notes.Doubt(part)
	if !ok {
		return
	}
	if literal, _ := parseLiteral(p.Value); p.IsOption(literal.Kind != WordLiteral) {
		p.Help(n.Warnf("suspicious-note", n.place(part), "%q is no option, and is read as description", part.Text))
	}
}

// suspectRow warns of a value that seems to hold further options. Text in quotes may
// hold anything.
func (n *noteReader) suspectRow(option string, part notes.Part) {
	if row := notes.Barred(part.Text); row != "" && !strings.Contains(part.Text, "'") {
		n.Warnf("suspicious-note", n.place(part), "only a bar ends the value of an option: that of %s is %q", option, part.Text[len(option):]).
			WithHelp("write %q", row)
	}
}

// suspectBars warns of an enum whose values seem to have bars between them.
func (n *noteReader) suspectBars(parts []notes.Part) {
	if meant := notes.MeantEnum(parts); meant != "" {
		n.Warnf("suspicious-note", n.place(parts[0]), "the enum has one value: a bar ends it").WithHelp("write %q", meant)
	}
}

// contradictions holds the options against the kind of the type, and against
// each other.
func (n *noteReader) contradictions(k Kind) {
	if !n.boundsFit(k) {
		return
	}
	limits := n.limits()
	bounds := limits
	bounds.Enum = nil
	for _, l := range n.Enum {
		problem := bounds.Refuse(k, l)
		if wrong := l.mismatch(k); wrong != "" {
			problem = fmt.Sprintf("%s, but the type is %q", wrong, n.Type)
		}
		if problem != "" {
			helpWithZeros(n.bad("bad-enum", n.given["enum="], "the enum value %v %s", l, problem), k, "", l.Text)
			return
		}
	}
	if n.Default != nil {
		n.checkDefault(k, *n.Default, limits)
	}
}

// limits are what the options allow.
func (n *noteReader) limits() (l Limits) {
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
func (n *noteReader) boundsFit(k Kind) bool {
	for _, name := range []string{"min=", "max="} {
		bound := n.Min
		if name == "max=" {
			bound = n.Max
		}
		switch {
		case bound == nil:
		case k == BoolKind || k == DictKind || k == NoneKind:
			n.bad("bad-bound", n.given[name], "a %q has no min or max", n.Type).
				WithHelp("they bound numbers and the length of strings and lists")
			return false
		case (k == StringKind || k == ListKind) && (bound.integerMismatch() != "" || bound.Text[0] == '-'):
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
func (n *noteReader) checkDefault(k Kind, d Literal, limits Limits) {
	if problem := d.mismatch(k); problem != "" {
		report := n.bad("bad-default", n.given["default="], "the default %v %s, but the type is %q", d, problem, n.Type)
		if d.Kind == QuotedLiteral && (Literal{Text: d.Text}).bare().mismatch(k) == "" {
			report.WithHelp("a quoted default is a string: write default=%s", d.Text)
		}
		helpWithZeros(report, k, "default=", d.Text)
	} else if problem := limits.Refuse(k, d); problem != "" {
		n.bad("bad-default", n.given["default="], "the default %v %s", d, problem)
	}
}

// helpWithZeros says how a number is written that has zeros in front, where one of a
// kind should be.
func helpWithZeros(d *diag.Diagnostic, k Kind, option, value string) {
	number := withoutZeros(value)
	if number != "" && (Literal{NumberLiteral, number}).mismatch(k) == "" {
		d.WithHelp("numbers have no zeros in front: write %s%s", option, number)
	}
}
