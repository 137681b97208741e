package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"testing"
)

const llmsHead = `# aiongen

> aiongen compiles .aion files into typed Go. An .aion file declares the tools that a language model may call, in
> text for the model; Go functions do the work. The compiler checks the file against the functions. The runtime
> calls the tools from agents and programs, adapts them to each provider, and serves them over MCP.

- Module: github.com/aiongen/aiongen. [Install](README.md#install) adds it to a module as a tool, which is called as
  ` + "`go tool aiongen`" + `.
- API: ` + "`go doc github.com/aiongen/aiongen/runtime/tool`" + ` and other packages below runtime.
- Tests run the programs and commands in the documentation.

## Start

- [README](README.md): what aiongen is, and a quick start
`

// contentsRow is a heading of docs/README.md, or a row about a page: title, link, contents.
var contentsRow = regexp.MustCompile(`(?m)^(## .*)$|^\| \[([^\]]+)\]\(([^)]+)\) \| (.*) \|$`)

// llmsText returns the current llms.txt, in the format of llmstxt.org: the table of contents with links
// from the root of the repository.
func llmsText(contents string) string {
	text := llmsHead
	for _, m := range contentsRow.FindAllStringSubmatch(contents, -1) {
		if m[1] != "" {
			text += "\n" + m[1] + "\n\n"
		} else {
			text += fmt.Sprintf("- [%s](%s): %s\n", m[2], path.Join("docs", m[3]), m[4])
		}
	}
	return text + "\n## Optional\n\n- [Changes](CHANGELOG.md): what changed in each version\n"
}

// TestLLMs checks that llms.txt has the table of contents of the documentation, which has all pages.
func TestLLMs(t *testing.T) {
	root := repositoryRoot(t)
	contents, err := os.ReadFile(filepath.Join(root, "docs", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	want := llmsText(string(contents))
	name := filepath.Join(root, "llms.txt")
	if *updateScripts {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("llms.txt is not current; run go test ./cmd/aiongen -run LLMs -update\n%s", want)
	}
}
