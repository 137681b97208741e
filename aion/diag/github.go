package diag

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// GitHub writes each diagnostic as a workflow command of GitHub Actions, a line
// that makes an annotation. An annotation has one place; related places stand in
// its text. Columns count UTF-16 code units, and are given only for spans on one
// line, as GitHub has it.
func (p Printer) GitHub(w io.Writer, list List) error {
	var out bytes.Buffer
	src := source{read: p.Read}
	for _, d := range list {
		fmt.Fprintf(&out, "::%s %s::%s\n", command(d.Severity), src.properties(d), commandData.Replace(annotation(d)))
	}
	_, err := w.Write(out.Bytes())
	return err
}

// command is the word of GitHub for a severity.
func command(s Severity) string {
	if s == Note {
		return "notice"
	}
	return s.String()
}

// What the runner reads back in the text of a command, and in its properties.
var (
	commandData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// properties says where the annotation stands, as far as that is known, and what
// is its title.
func (s *source) properties(d *Diagnostic) string {
	var all []string
	add := func(name string, value any) {
		all = append(all, name+"="+commandProperty.Replace(fmt.Sprint(value)))
	}
	at := d.Span
	if at.File != "" {
		add("file", at.File)
	}
	if at.Start.IsValid() {
		add("line", at.Start.Line)
	}
	if at.End.IsValid() {
		add("endLine", at.End.Line)
	}
	if column := s.utf16Column(at.File, at.Start); column > 0 && at.End.Line == at.Start.Line {
		add("col", column)
		add("endColumn", s.utf16Column(at.File, at.End))
	}
	add("title", d.Code)
	return strings.Join(all, ",")
}

// annotation is the text of a diagnostic without its place: what it says, what
// other places say, and help.
func annotation(d *Diagnostic) string {
	lines := []string{visible(d.Message)}
	for _, r := range d.Related {
		lines = append(lines, visible(head(r.Span, "note", r.Message)))
	}
	for _, help := range d.Help {
		prefix := "help: "
		for line := range strings.Lines(help) {
			lines = append(lines, prefix+visible(strings.TrimSuffix(line, "\n")))
			prefix = ""
		}
	}
	return strings.Join(lines, "\n")
}
