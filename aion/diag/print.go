package diag

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// A Printer writes diagnostics in one of several formats, each a method that
// takes a list as it is. The zero Printer is ready for use.
type Printer struct {
	// Read returns the content of a file, to show its lines and to count its
	// columns. Where it is nil or fails, the diagnostics stand without them.
	Read func(file string) ([]byte, error)

	Color bool // Print paints with the colours of terminals
	Tool  Tool // what SARIF says of the program
}

// Print writes diagnostics as text for people: the fault in the compiler's
// shape, the source line with the place underlined, the same for related places,
// and help.
func (p Printer) Print(w io.Writer, list List) error {
	out := &printout{source: source{read: p.Read}, color: p.Color}
	for _, d := range list {
		out.diagnostic(d)
	}
	_, err := w.Write(out.text.Bytes())
	return err
}

// A style is how a terminal is told to show a text: the parameters of the
// control sequence Select Graphic Rendition.
type style string

const (
	bold   style = "1"
	red    style = "1;31"
	green  style = "1;32"
	yellow style = "1;33"
	blue   style = "1;34"
	cyan   style = "1;36"
)

// style is the one for the word of the severity, and for what it underlines.
func (s Severity) style() style {
	switch s {
	case Warning:
		return yellow
	case Note:
		return cyan
	}
	return red
}

// A printout is the text of one Print.
type printout struct {
	source
	text  bytes.Buffer
	color bool
}

func (o *printout) diagnostic(d *Diagnostic) {
	o.head(d.Span, d.Severity.style(), d.Severity.String(), d.Message+" ["+string(d.Code)+"]")
	o.snippet(d.Span, d.Severity.style())
	for _, r := range d.Related {
		o.head(r.Span, cyan, "note", r.Message)
		o.snippet(r.Span, cyan)
	}
	for _, help := range d.Help {
		prefix := o.paint(green, "help:") + " "
		for line := range strings.Lines(help) {
			fmt.Fprintf(&o.text, "%s%s\n", prefix, visible(strings.TrimSuffix(line, "\n")))
			prefix = "      "
		}
	}
}

// head writes what the function of that name returns, painted.
func (o *printout) head(at Span, s style, word, message string) {
	if place := at.String(); place != "" {
		o.text.WriteString(o.paint(bold, visible(place)+":") + " ")
	}
	fmt.Fprintf(&o.text, "%s %s\n", o.paint(s, word+":"), visible(message))
}

// snippet shows the line on which the span starts and underlines the span in
// it. It shows nothing where the line is unknown.
func (o *printout) snippet(at Span, s style) {
	line, ok := o.line(at.File, at.Start.Line)
	if !ok {
		return
	}
	from, to := at.Start.Column-1, at.End.Column-1
	if at.End.Line > at.Start.Line {
		to = len(line)
	}
	text, mark := underline(line, from, to)
	carets := strings.TrimLeft(mark, " ")
	indent := mark[:len(mark)-len(carets)]
	number := fmt.Sprint(at.Start.Line)
	blank := strings.Repeat(" ", len(number))
	fmt.Fprintf(&o.text, "  %s%s\n", o.paint(blue, number+" |"), strings.TrimRight(" "+text, " "))
	fmt.Fprintf(&o.text, "  %s %s%s\n", o.paint(blue, blank+" |"), indent, o.paint(s, carets))
}

func (o *printout) paint(s style, text string) string {
	if !o.color {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}
