package aion

import (
	"slices"
	"strings"
	"sync"

	"github.com/aiongen/aiongen/aion/internal/notes"
	"github.com/aiongen/aiongen/internal/values"
)

func (n *noteReader) read() {
	parts := notes.Split(n.text.Value)
	head, options := parts[0], parts[1:]
	typ, optional, described, form := notes.ReadHead(head.Text)
	switch {
	case form:
		n.Type, n.Optional = typ, optional
	case notes.IsLiteralType(head.Text):
		n.badType(head)
		return
	case head.Text == "" || notes.IsOption(head):
		n.Errorf("missing-type", n.Span, "the note %q does not start with a type", n.text.Value).
			WithHelp(`write a type first: "string (what it is)"`)
		return
	case slices.ContainsFunc(options, notes.IsOption):
		d := n.bad("missing-type", head, "the note starts with %q, which is no type, but has options", head.Text)
		mended, guess := notes.HelpWithHead(d, n.text.Value)
		d.WithFixIf(!guess, n.whole(mended))
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
	toWrite(n.Collector, n.Description, n.Span)
	if kind := values.WordOf(n.Type).Kind; kind != 0 {
		n.contradictions(kind)
	}
}

// badType reports a first part that can be no type.
func (n *noteReader) badType(head notes.Part) {
	d := n.bad("bad-type", head, "%q is no type", head.Text)
	if meant := notes.HelpWithType(d, head.Text); meant != "" {
		d.WithFix(n.rewrite(head, meant))
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
			bare := name + strings.Trim(value, "[]")
			n.bad("bad-enum", n.given[name], "the values of an enum stand without brackets").
				WithHelp("write %s", bare).WithFix(n.rewrite(n.given[name], bare))
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
	literal, problem := values.Parse(value)
	if problem != "" {
		n.bad("bad-literal", n.given[option], "the value of %q %s", option, problem).
			WithHelp("write %s5, %sword or %s'some text'", option, option, option)
		return nil
	}
	return &literal
}

// number reads the value of min or max.
func (n *noteReader) number(option, value string) *Literal {
	if literal, problem := values.Parse(value); problem == "" && values.FormOf(literal) == values.NumberForm {
		return &literal
	}
	d := n.bad("bad-literal", n.given[option], "the value of %q is %q, not a number", option, value)
	if row := notes.Barred(n.given[option].Text); row != "" {
		d.WithHelp("a bar ends the value of an option: write %q", row).WithFix(n.rewrite(n.given[option], row))
	}
	n.helpWithZeros(d, values.FloatKind, option, value)
	return nil
}

// prose takes a note as prose, all of it description, and warns where it is more
// likely a slip: what the author takes for a type or an option would hold nothing.
func (n *noteReader) prose(head notes.Part, more []notes.Part) {
	n.Description = strings.Trim(n.text.Value, " \t\r\n")
	toWrite(n.Collector, n.Description, n.Span)
	note, bar := notes.Meant(head.Text), notes.BarInParenthesis(head, more)
	if note != "" || bar {
		d := n.Warnf("suspicious-note", n.place(head), "%q is read as prose, so no type is checked", head.Text)
		if bar {
			d.WithFix(n.whole(notes.HelpWithBar(d, n.text.Value)))
			return
		}
		d.WithHelp("write %q; prose begins with another word", note).WithFixIf(notes.Sure(note), n.rewrite(head, note))
	}
	for _, part := range more {
		n.suspectOption(part)
	}
}

// suspectOption warns of a part of the description that reads like an option.
func (n *noteReader) suspectOption(part notes.Part) {
	p, ok := notes.Doubt(part)
	if !ok {
		return
	}
	literal, _ := values.Parse(p.Value)
	if !p.IsOption(values.FormOf(literal) != values.WordForm) {
		return
	}
	d := n.Warnf("suspicious-note", n.place(part), "%q is no option, and is read as description", part.Text)
	text, ok := p.Help(d)
	edit := n.rewrite(part, text)
	switch {
	case !ok:
		return
	case text == "":
		edit = n.leaveOut(part)
	}
	d.WithFixIf(p.Known(), edit)
}

// suspectRow warns of a value that seems to hold further options. Text in quotes may
// hold anything.
func (n *noteReader) suspectRow(option string, part notes.Part) {
	if row := notes.Barred(part.Text); row != "" && !strings.Contains(part.Text, "'") {
		n.Warnf("suspicious-note", n.place(part), "only a bar ends the value of an option: that of %s is %q", option, part.Text[len(option):]).
			WithHelp("write %q", row).WithFix(n.rewrite(part, row))
	}
}

// suspectBars warns of an enum whose values seem to have bars between them.
func (n *noteReader) suspectBars(parts []notes.Part) {
	if meant, end := notes.MeantEnum(parts); meant != "" {
		at := parts[0].At
		n.Warnf("suspicious-note", n.place(parts[0]), "the enum has one value: a bar ends it").WithHelp("write %q", meant).
			WithFix(n.rewrite(notes.Part{Text: n.text.Value[at:end], At: at}, meant))
	}
}

// shape reads an option with paths.
func (n *noteReader) shape(option string) {
	part := n.given[option+"="]
	s := Shaping{Option: option}
	given, missing := map[string]bool{}, false
	row := sync.OnceValue(func() string { return notes.Barred(part.Text) })
	for _, p := range notes.SplitPaths(part, len(option)+1) {
		path := Path{Names: p.Names, Anywhere: p.Anywhere, Span: n.place(p.Part)}
		switch name := path.String(); {
		case p.Problem != "":
			if p.Text == "" && !missing {
				p.Part, missing = part, true
			} else if p.Text == "" {
				continue // one report is enough
			}
			d := n.bad("bad-path", p.Part, "the path of %q %s", option+"=", p.Problem)
			if text, of := p.Help(d, part, row()); text != "" {
				d.WithFix(n.rewrite(of, text))
			}
		case given[name]:
			n.bad("repeated-option", p.Part, "the path %s is given twice", path)
		default:
			given[name] = true
			s.Paths = append(s.Paths, path)
		}
	}
	if len(s.Paths) > 0 {
		n.Shape = append(n.Shape, s)
	}
}
