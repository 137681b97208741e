package aion

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/aiongen/aiongen/aion/internal/notes"
	"github.com/aiongen/aiongen/internal/values"
)

// parseNote parses the note and checks it.
func (n *noteReader) parseNote() {
	parts := notes.Split(n.text.Value)
	head, options := parts[0], parts[1:]
	typ, optional, description, typed := notes.ReadHead(head.Text)
	switch {
	case typed:
		n.Type, n.Optional = typ, optional
	case notes.IsLiteralType(head.Text):
		n.reportBadType(head)
		return
	case head.Text == "" || notes.IsOption(head):
		n.Errorf("missing-type", n.Span, "the note %q does not start with a type", n.text.Value).
			WithHelp(`write a type first: "string (what it is)"`)
		return
	case slices.ContainsFunc(options, notes.IsOption):
		d := n.reportPart("missing-type", head, "the note starts with %q, which is not a type, but has options", head.Text)
		fixed, guess := notes.HelpWithHead(d, n.text.Value)
		d.WithFixIf(!guess, n.replaceNote(fixed))
		return
	case !strings.ContainsAny(head.Text, " \t\r\n") || notes.IsType(notes.GenericType(head.Text)):
		n.reportBadType(head)
		return
	default:
		n.readProse(head, options)
		return
	}
	n.readOptions(options, description)
	n.checkShape()
	warnTodo(n.Collector, n.Description, n.Span)
	if kind := values.WordOf(n.Type).Kind; kind != 0 {
		n.checkLimits(kind)
	}
}

// reportBadType reports a first part that cannot be a type.
func (n *noteReader) reportBadType(head notes.Part) {
	d := n.reportPart("bad-type", head, "%q is not a type", head.Text)
	if meant := notes.HelpWithType(d, head.Text); meant != "" {
		d.WithFix(n.replacePart(head, meant))
	}
}

// readOptions reads the parts after the first. It appends parts that are not options to the
// description of the first part.
func (n *noteReader) readOptions(parts []notes.Part, description string) {
	var descriptions []string
	if description != "" {
		descriptions = append(descriptions, description)
	}
	n.given = map[string]notes.Part{}
	for i, part := range parts {
		name := notes.OptionName(part.Text)
		switch {
		case name == "":
			if !n.warnUnion(part) {
				n.warnOption(part)
			}
			descriptions = append(descriptions, part.Text)
		case n.given[name].Text != "" && name != "describe=":
			n.reportPart("repeated-option", part, "%q is given twice in the note", strings.TrimSuffix(name, "="))
		default:
			n.given[name] = part
			n.readOption(name, strings.Trim(part.Text[len(name):], " \t\r\n"))
			n.warnEnumBars(parts[i:])
			if name == "default=" || name == "enum=" {
				n.warnOptionRow(name, part)
			}
		}
	}
	n.Description = strings.Trim(strings.Join(descriptions, " | "), " \t\r\n")
}

func (n *noteReader) readOption(name, value string) {
	o, _ := values.FindOption(name)
	switch field := n.field(name).(type) {
	case nil:
		if o.Value == values.PathsWithText {
			n.readDescribed(o.Name)
		} else {
			n.readPaths(o.Name, n.given[name], "")
		}
	case *bool:
		*field = true
	case **Literal:
		switch o.Value {
		case values.NumberBound:
			*field = n.readNumber(name, value)
		case values.CountOfItems:
			*field = n.readCount(name, value)
		default:
			*field, n.Optional = n.readLiteral(name, value), true
		}
	case *[]Literal:
		if strings.HasPrefix(value, "[") && strings.HasSuffix(value, "]") {
			bare := name + strings.Trim(value, "[]")
			n.reportPart("bad-enum", n.given[name], "the values of an enum are written without brackets").
				WithHelp("write %s", bare).WithFix(n.replacePart(n.given[name], bare))
			return
		}
		for _, item := range notes.SplitEnum(value) {
			if l := n.readLiteral(name, item); l != nil {
				*field = append(*field, *l)
			}
		}
	}
}

// readLiteral reads the value of an option. If the value is invalid, it reports that and
// returns nil.
func (n *noteReader) readLiteral(option, value string) *Literal {
	literal, problem := values.Parse(value)
	if problem != "" {
		n.reportPart("bad-literal", n.given[option], "the value of %q %s", option, problem).
			WithHelp("write %s5, %sword or %s'some text'", option, option, option)
		return nil
	}
	return &literal
}

// readNumber reads the value of min or max.
func (n *noteReader) readNumber(option, value string) *Literal {
	if literal, problem := values.Parse(value); problem == "" && values.FormOf(literal) == values.NumberForm {
		return &literal
	}
	d := n.reportPart("bad-literal", n.given[option], "the value of %q is %q, not a number", option, value)
	if row := notes.SeparateOptions(n.given[option].Text); row != "" {
		d.WithHelp("a bar ends the value of an option: write %q", row).WithFix(n.replacePart(n.given[option], row))
	}
	n.helpWithZeros(d, values.FloatKind, option, value)
	return nil
}

// readCount reads the value of take.
func (n *noteReader) readCount(option, value string) *Literal {
	if count, err := strconv.ParseInt(value, 10, 32); err == nil && count > 0 {
		return &Literal{Text: strconv.FormatInt(count, 10)}
	}
	n.reportPart("bad-literal", n.given[option], "the value of %q is %q, not a positive integer", option, value).WithHelp("write the number of items, such as %s20", option)
	return nil
}

// readProse reads a note as a description without a type. Types and options in the description
// have no effect, so readProse warns if the author probably meant one.
func (n *noteReader) readProse(head notes.Part, more []notes.Part) {
	n.Description = strings.Trim(n.text.Value, " \t\r\n")
	warnTodo(n.Collector, n.Description, n.Span)
	note, bar := notes.GuessHead(head.Text), notes.BarInParenthesis(head, more)
	if note != "" || bar {
		d := n.Warnf("suspicious-note", n.partSpan(head), "%q is read as prose, so no type is checked", head.Text)
		if bar {
			d.WithFix(n.replaceNote(notes.HelpWithBar(d, n.text.Value)))
			return
		}
		d.WithHelp("write %q; if it is prose, begin it with another word", note).WithFixIf(notes.IsCertain(note), n.replacePart(head, note))
	}
	for _, part := range more {
		n.warnOption(part)
	}
}

// warnOption warns of a part of the description that looks like an option.
func (n *noteReader) warnOption(part notes.Part) {
	p, ok := notes.ParseCandidate(part)
	if !ok {
		return
	}
	literal, _ := values.Parse(p.Value)
	if !p.IsOption(values.FormOf(literal) != values.WordForm) {
		return
	}
	d := n.Warnf("suspicious-note", n.partSpan(part), "%q is not an option and is read as description", part.Text)
	text, ok := p.Help(d)
	edit := n.replacePart(part, text)
	switch {
	case !ok:
		return
	case text == "":
		edit = n.deletePart(part)
	}
	d.WithFixIf(p.IsKnown(), edit)
}

// warnUnion warns of a part of the description that looks like another type of the value, as in "str | None".
// It reports whether the part looks like one.
func (n *noteReader) warnUnion(part notes.Part) bool {
	none := notes.IsNone(part.Text)
	if !none && !notes.IsTypeWord(part.Text) {
		return false
	}
	if n.hasUnion { // one warning is enough
		return true
	}
	n.hasUnion = true
	d := n.Warnf("suspicious-note", n.partSpan(part), "%q is read as description, not as a type", part.Text)
	end := n.typeStart() + len(n.Type)
	switch {
	case none && !notes.IsNone(n.Type):
		d.WithHelp("write %q: the question mark makes a value optional", n.Type+"?")
		between := strings.TrimPrefix(strings.TrimSuffix(strings.TrimRight(n.text.Value[end:part.At], " \t\r\n"), "|"), "?")
		replaced := notes.Part{Text: n.text.Value[end : part.At+len(part.Text)], At: end}
		d.WithFix(n.replacePart(replaced, "?"+strings.TrimRight(between, " \t\r\n")))
	case !none && notes.IsNone(n.Type):
		d.WithHelp("write %q: the question mark makes a value optional", part.Text+"?")
		replaced := notes.Part{Text: n.text.Value[n.typeStart() : part.At+len(part.Text)], At: n.typeStart()}
		d.WithFixIf(n.isFirstOption(part), n.replacePart(replaced, part.Text+"?"))
	default:
		d.WithHelp("a note has one type: write \"any\" for a value of several types, or put a description in parentheses: (%s)", part.Text)
	}
	return true
}

// typeStart returns the offset of the type in the note.
func (n *noteReader) typeStart() int {
	return len(n.text.Value) - len(strings.TrimLeft(n.text.Value, " \t\r\n"))
}

// isFirstOption reports whether only a bar separates a part from the type of the note.
func (n *noteReader) isFirstOption(part notes.Part) bool {
	return strings.Trim(n.text.Value[n.typeStart()+len(n.Type):part.At], " \t\r\n") == "|"
}

// warnOptionRow warns of a value that seems to contain further options, as in "default=5 max=9".
// It ignores values with a single quote, because quoted text may contain such words.
func (n *noteReader) warnOptionRow(option string, part notes.Part) {
	if row := notes.SeparateOptions(part.Text); row != "" && !strings.Contains(part.Text, "'") {
		n.Warnf("suspicious-note", n.partSpan(part), "only a bar ends the value of an option, so the value of %s is %q", option, part.Text[len(option):]).
			WithHelp("write %q", row).WithFix(n.replacePart(part, row))
	}
}

// warnEnumBars warns of an enum whose values seem to be separated by bars.
func (n *noteReader) warnEnumBars(parts []notes.Part) {
	if meant, end := notes.GuessEnum(parts); meant != "" {
		at := parts[0].At
		n.Warnf("suspicious-note", n.partSpan(parts[0]), "the enum has only one value, because a bar ends it").WithHelp("write %q", meant).
			WithFix(n.replacePart(notes.Part{Text: n.text.Value[at:end], At: at}, meant))
	}
}

// readDescribed reads an option that describes fields. Its value has the paths of the fields, a
// colon and the description, as in "describe=labels.name:the name of the label".
func (n *noteReader) readDescribed(option string) {
	part := n.given[option+"="]
	paths, text, problem := notes.CutDescription(part, len(option)+1)
	if problem != "" {
		n.reportPart("bad-path", part, "the value of %q %s", option+"=", problem).
			WithHelp("write the path of a field, a colon and its description, as in %q", option+"=labels.name:the name of the label")
		return
	}
	warnTodo(n.Collector, text, n.partSpan(part))
	n.readPaths(option, paths, text)
}

// readPaths reads the paths of an option. text is the description of the fields with these
// paths, or "" if the option has no description.
func (n *noteReader) readPaths(option string, part notes.Part, text string) {
	s := Shaping{Option: option}
	given, missing := map[string]bool{}, false
	for _, p := range n.Paths(option) {
		given[p.String()] = true
	}
	row := sync.OnceValue(func() string { return notes.SeparateOptions(part.Text) })
	for _, p := range notes.SplitPaths(part, len(option)+1) {
		path := Path{Names: p.Names, Anywhere: p.Anywhere, Text: text, Span: n.partSpan(p.Part)}
		switch name := path.String(); {
		case p.Problem != "":
			if p.Text == "" && !missing {
				p.Part, missing = part, true
			} else if p.Text == "" {
				continue // one report is enough
			}
			d := n.reportPart("bad-path", p.Part, "the path of %q %s", option+"=", p.Problem)
			if fixed, old := p.Help(d, part, row()); fixed != "" {
				d.WithFix(n.replacePart(old, fixed))
			}
		case given[name]:
			n.reportPart("repeated-option", p.Part, "the path %s is given twice", path)
		default:
			given[name] = true
			s.Paths = append(s.Paths, path)
		}
	}
	i := slices.IndexFunc(n.Shape, func(other Shaping) bool { return other.Option == option })
	switch {
	case len(s.Paths) == 0:
	case i >= 0:
		n.Shape[i].Paths = append(n.Shape[i].Paths, s.Paths...)
	default:
		n.Shape = append(n.Shape, s)
	}
}
