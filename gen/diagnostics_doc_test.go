package gen_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/gen"
)

const diagnosticsDoc = "../docs/reference/diagnostics.md"

const diagnosticsHead = `<!-- run: by gen/diagnostics_doc_test.go -->
# Diagnostics

The word in brackets after an error, a warning or a note is its code:

    users.aion:4:18: error: ghost tool: there is no function FindUsr in package users [ghost-tool]

` + "`go tool aiongen explain CODE`" + ` prints the section of a code, and
` + "`go tool aiongen explain`" + ` the table. An error prevents generation. A warning does not, but
` + "`go tool aiongen check`" + ` fails on it. A note only informs.

This page is generated from the command.

`

// escapeMarkdown escapes characters that Markdown would interpret.
var escapeMarkdown = strings.NewReplacer(`\`, `\\`, "*", `\*`, "<", `\<`, "`", "\\`", "|", `\|`, "[", `\[`, "]", `\]`)

// diagnosticsPage returns the page about all codes.
func diagnosticsPage() string {
	var page, sections strings.Builder
	page.WriteString(diagnosticsHead + "| code | meaning |\n| --- | --- |\n")
	for _, code := range gen.Codes() {
		d, _ := gen.Explain(code)
		fmt.Fprintf(&page, "| [`%s`](#%[1]s) | %s |\n", code, escapeMarkdown.Replace(d.Summary))
		fmt.Fprintf(&sections, "\n## %s\n\n", code)
		text := strings.TrimPrefix(d.Page, string(code)+": ")
		for line := range strings.Lines(text) {
			if !strings.HasPrefix(line, "    ") { // not of an example
				line = escapeMarkdown.Replace(line)
			}
			sections.WriteString(line)
		}
	}
	return page.String() + sections.String()
}

// TestDiagnosticsDoc compares the page about diagnostics with what the command explains.
func TestDiagnosticsDoc(t *testing.T) {
	want := diagnosticsPage()
	if *update {
		writeFile(t, diagnosticsDoc, want)
		return
	}
	got, err := os.ReadFile(diagnosticsDoc)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("the page differs from what the command explains; rewrite it with -update")
	}
}
