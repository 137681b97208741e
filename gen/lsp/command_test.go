package lsp

import (
	"go/parser"
	"go/token"
	"testing"

	"github.com/aiongen/aiongen/gen/lsp/internal/protocol"
)

// TestImportEdit adds an import to Go files of different forms.
func TestImportEdit(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"package m", "package m\n\nimport _ \"a/b\" // for .aion files"},
		{"package m // comment\n\nvar x int\n", "package m // comment\n\nimport _ \"a/b\" // for .aion files\n\nvar x int\n"},
		{"package m\n\nimport \"fmt\" // comment\n", "package m\n\nimport \"fmt\" // comment\nimport _ \"a/b\" // for .aion files\n"},
		{"package m\n\nimport (\n\t\"fmt\"\n)\n", "package m\n\nimport (\n\t\"fmt\"\n\t_ \"a/b\" // for .aion files\n)\n"},
		{"package m\nimport (\"fmt\")\nvar x = ", "package m\nimport (\"fmt\"\n\t_ \"a/b\" // for .aion files\n)\nvar x = "},
		{"package m\r\n\r\nimport \"C\"\r\n", "package m\r\n\r\nimport \"C\"\nimport _ \"a/b\" // for .aion files\r\n"},
		{"package m\n\nimport x \"a/b\"\n", ""},
		{"//line x.go:1\npackage m\n\nimport \"fmt\"\n", "//line x.go:1\npackage m\n\nimport \"fmt\"\nimport _ \"a/b\" // for .aion files\n"},
		{"package", ""},
		{"", ""},
	} {
		d := newFile(protocol.UTF8, "/a.go", []byte(tt.text))
		edit, got := d.importEdit("a/b"), ""
		if edit != nil {
			at := d.offset(edit.Range.Start)
			got = tt.text[:at] + edit.NewText + tt.text[at:]
			if _, err := parser.ParseFile(token.NewFileSet(), "", got, parser.ImportsOnly); err != nil {
				t.Errorf("%q: %v", got, err)
			}
		}
		if got != tt.want {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
}
