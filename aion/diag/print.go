package diag

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// A Printer writes diagnostics. It has a method for each format. The zero Printer is
// ready for use.
type Printer struct {
	// Read returns the content of a file. It is used to show lines and to count
	// columns; if it is nil or fails, these are omitted.
	Read func(file string) ([]byte, error)

	// Folder is the directory to which file names are relative, as a slash-separated path from
	// the root of the repository. GitHub and SARIF put it before the file names, because their
	// readers expect names relative to the root.
	Folder string

	Color bool // whether Print uses the colors of terminals
	Tool  Tool // the program that SARIF names
}

// Print writes diagnostics as text for people: the message in the form of the Go
// compiler, the source line with the span underlined, the same for related places, and
// the help.
func (p Printer) Print(w io.Writer, list List) error {
	out := &printout{source: source{read: p.Read}, color: p.Color}
	for _, d := range list {
		out.writeDiagnostic(d)
	}
	_, err := w.Write(out.text.Bytes())
	return err
}

// A style holds the parameters of the terminal control sequence Select Graphic
// Rendition.
type style string

const (
	bold   style = "1"
	red    style = "1;31"
	green  style = "1;32"
	yellow style = "1;33"
	blue   style = "1;34"
	cyan   style = "1;36"
)

// textStyle returns the style of the severity's word and of its underline.
func (s Severity) textStyle() style {
	switch s {
	case Warning:
		return yellow
	case Note:
		return cyan
	}
	return red
}

// A printout is the output of one call of Print.
type printout struct {
	source
	text  bytes.Buffer
	color bool
}

func (o *printout) writeDiagnostic(d *Diagnostic) {
	o.writeHeadline(d.Span, d.Severity.textStyle(), d.Severity.String(), d.Message+" ["+string(d.Code)+"]")
	o.writeSnippet(d.Span, d.Severity.textStyle())
	for _, r := range d.Related {
		o.writeHeadline(r.Span, cyan, "note", r.Message)
		o.writeSnippet(r.Span, cyan)
	}
	for _, help := range d.Help {
		prefix := o.paintText(green, "help:") + " "
		for line := range strings.Lines(help) {
			fmt.Fprintf(&o.text, "%s%s\n", prefix, escapeControls(strings.TrimSuffix(line, "\n")))
			prefix = "      "
		}
	}
}

// writeHeadline writes the line that formatHeadline returns, with colors.
func (o *printout) writeHeadline(at Span, s style, word, message string) {
	if place := at.String(); place != "" {
		o.text.WriteString(o.paintText(bold, escapeControls(place)+":") + " ")
	}
	fmt.Fprintf(&o.text, "%s %s\n", o.paintText(s, word+":"), escapeControls(message))
}

// writeSnippet writes the line on which the span starts and underlines the span. It
// writes nothing if the line is unknown.
func (o *printout) writeSnippet(at Span, s style) {
	line, ok := o.fileLine(at.File, at.Start.Line)
	if !ok {
		return
	}
	from, to := at.Start.Column-1, at.End.Column-1
	if at.End.Line > at.Start.Line {
		to = len(line)
	}
	text, mark := underlineSpan(line, from, to)
	carets := strings.TrimLeft(mark, " ")
	indent := mark[:len(mark)-len(carets)]
	number := fmt.Sprint(at.Start.Line)
	blank := strings.Repeat(" ", len(number))
	fmt.Fprintf(&o.text, "  %s%s\n", o.paintText(blue, number+" |"), strings.TrimRight(" "+text, " "))
	fmt.Fprintf(&o.text, "  %s %s%s\n", o.paintText(blue, blank+" |"), indent, o.paintText(s, carets))
}

func (o *printout) paintText(s style, text string) string {
	if !o.color {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}
