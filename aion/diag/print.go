package diag

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// A Printer shows diagnostics as text: the fault in the compiler's shape, the
// source line with the place underlined, the same for related places, and help.
type Printer struct {
	// Read returns the content of a file, to show its lines. Where it is nil or
	// fails, the diagnostics stand without their source.
	Read func(file string) ([]byte, error)
}

// Print writes the diagnostics in the order of the list.
func (p Printer) Print(w io.Writer, list List) error {
	out := &printout{read: p.Read, files: map[string][][]byte{}}
	for _, d := range list {
		out.diagnostic(d)
	}
	_, err := w.Write(out.text.Bytes())
	return err
}

// A printout is the text of one Print, with the lines of the files it showed.
type printout struct {
	text  bytes.Buffer
	read  func(file string) ([]byte, error)
	files map[string][][]byte
}

func (o *printout) diagnostic(d *Diagnostic) {
	fmt.Fprintf(&o.text, "%s [%s]\n", visible(head(d.Span, d.Severity.String(), d.Message)), visible(d.Code))
	o.snippet(d.Span)
	for _, r := range d.Related {
		fmt.Fprintf(&o.text, "%s\n", visible(head(r.Span, "note", r.Message)))
		o.snippet(r.Span)
	}
	for _, help := range d.Help {
		prefix := "help: "
		for line := range strings.Lines(help) {
			fmt.Fprintf(&o.text, "%s%s\n", prefix, visible(strings.TrimSuffix(line, "\n")))
			prefix = "      "
		}
	}
}

// snippet shows the line on which the span starts and underlines the span in
// it. It shows nothing where the line is unknown.
func (o *printout) snippet(at Span) {
	lines := o.lines(at.File)
	if at.Start.Line < 1 || at.Start.Line > len(lines) {
		return
	}
	line := lines[at.Start.Line-1]
	from, to := at.Start.Column-1, at.End.Column-1
	if at.End.Line > at.Start.Line {
		to = len(line)
	}
	text, mark := underline(line, from, to)
	number := fmt.Sprint(at.Start.Line)
	fmt.Fprintf(&o.text, "%s\n", strings.TrimRight("  "+number+" | "+text, " "))
	fmt.Fprintf(&o.text, "  %*s | %s\n", len(number), "", mark)
}

// lines returns the lines of a file, none if it cannot be read.
func (o *printout) lines(file string) [][]byte {
	lines, known := o.files[file]
	if !known && o.read != nil {
		if src, err := o.read(file); err == nil {
			lines = bytes.Split(src, []byte("\n"))
		}
		o.files[file] = lines
	}
	return lines
}
