package diag

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// GitHub writes each diagnostic as a workflow command of GitHub Actions: a line that
// creates an annotation. An annotation has only one place, so the related places are part
// of its text. As GitHub requires, columns count UTF-16 code units and are given only for
// spans on one line.
func (p Printer) GitHub(w io.Writer, list List) error {
	var out bytes.Buffer
	src := source{read: p.Read, folder: p.Folder}
	for _, d := range list {
		fmt.Fprintf(&out, "::%s %s::%s\n", githubCommand(d.Severity), src.githubProperties(d), commandData.Replace(formatAnnotation(d)))
	}
	_, err := w.Write(out.Bytes())
	return err
}

// githubCommand returns GitHub's word for a severity.
func githubCommand(s Severity) string {
	if s == Note {
		return "notice"
	}
	return s.String()
}

// These replacers escape the text (commandData) and the properties (commandProperty) of a command.
var (
	commandData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// githubProperties returns the properties of the command: the position of the annotation, if it
// is known, and the title.
func (s *source) githubProperties(d *Diagnostic) string {
	var all []string
	add := func(name string, value any) {
		all = append(all, name+"="+commandProperty.Replace(fmt.Sprint(value)))
	}
	at := d.Span
	if at.File != "" {
		add("file", s.repositoryName(at.File))
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

// formatAnnotation returns the message of a diagnostic, the related places, and the help.
func formatAnnotation(d *Diagnostic) string {
	lines := []string{escapeControls(d.Message)}
	for _, r := range d.Related {
		lines = append(lines, escapeControls(formatHeadline(r.Span, "note", r.Message)))
	}
	for _, help := range d.Help {
		prefix := "help: "
		for line := range strings.Lines(help) {
			lines = append(lines, prefix+escapeControls(strings.TrimSuffix(line, "\n")))
			prefix = ""
		}
	}
	return strings.Join(lines, "\n")
}
