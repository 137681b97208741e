package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	fence    = regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```$")
	fileName = regexp.MustCompile("`([a-z]+\\.(?:go|aion))`:\\s*$")
	comment  = regexp.MustCompile(`<!--.*?-->\n`)
)

// TestPage follows docs/howto/third-party-client.md to the end.
func TestPage(t *testing.T) {
	t.Parallel()
	dir := followPage(t, t.TempDir(), readPage(t, "docs/howto/third-party-client.md"))
	if _, err := os.Stat(filepath.Join(dir, "tickets")); err != nil {
		t.Error("the page ends without a program")
	}
}

// TestReadme follows the section of README.md about a client, after the installation and the quick start.
func TestReadme(t *testing.T) {
	t.Parallel()
	text := readPage(t, "README.md")
	_, install, found := strings.Cut(text, "mkdir hello") // without the clone
	install, _, foundServer := strings.Cut(install, "\n## An MCP server\n")
	_, client, foundClient := strings.Cut(text, "\n## Tools from a client that you did not write\n")
	client, _, _ = strings.Cut(client, "\n## ")
	if !found || !foundServer || !foundClient {
		t.Fatal("README.md has no sections about installation and a client")
	}
	dir := followPage(t, t.TempDir(), "```sh\nmkdir hello"+install)
	dir = followPage(t, dir, client)
	mainFile := filepath.Join(dir, "main.go")
	program, err := os.ReadFile(mainFile)
	if err != nil {
		t.Fatal(err)
	}
	edits := strings.NewReplacer("Register(registry)", inlineCode(t, client, "Register("),
		"import (", "import (\n\""+inlineCode(t, client, "github.com/")+"\"")
	if err := os.WriteFile(mainFile, []byte(edits.Replace(string(program))), 0o666); err != nil {
		t.Fatal(err)
	}
	runCommands(t, dir, "go run .")
}

// inlineCode returns the code in a sentence that begins with some text.
func inlineCode(t *testing.T, text, start string) string {
	t.Helper()
	_, after, found := strings.Cut(text, "`"+start)
	code, _, _ := strings.Cut(after, "`")
	if !found {
		t.Fatalf("README.md does not have %s", start)
	}
	return start + code
}

func readPage(t *testing.T, name string) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("../..", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// followPage runs the commands of a page, writes the files, compares the output, and starts the programs in
// configurations of MCP clients. Builds omit paths so that the next run finds them in the cache. It returns the
// directory where the commands end.
func followPage(t *testing.T, dir, text string) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		if err := os.Symlink(root, filepath.Join(dir, "aiongen")); err != nil {
			t.Fatal(err)
		}
	}
	end, printed := 0, ""
	for _, m := range fence.FindAllStringSubmatchIndex(text, -1) {
		before, body := comment.ReplaceAllString(text[end:m[0]], ""), text[m[4]:m[5]]
		end = m[1]
		switch text[m[2]:m[3]] {
		case "sh":
			printed = runCommands(t, dir, body)
			if _, to, ok := strings.Cut(body, "&& cd "); ok {
				dir = filepath.Join(dir, strings.Fields(to)[0])
			}
		case "go", "aion":
			if !strings.HasPrefix(body, "package ") && text[m[2]:m[3]] == "go" {
				continue // a fragment for another client
			}
			name := fileName.FindStringSubmatch(before)
			if name == nil {
				t.Fatalf("no file name in front of\n%s", body)
			}
			if err := os.WriteFile(filepath.Join(dir, name[1]), []byte(body), 0o666); err != nil {
				t.Fatal(err)
			}
		case "json":
			startConfigured(t, dir, body)
		case "text":
			if printed != body {
				t.Errorf("the commands print\n%s\nthe page says\n%s", printed, body)
			}
		}
	}
	return dir
}

// startConfigured starts the programs in the configuration of an MCP client, whose paths are those of the reader, and
// closes their input.
func startConfigured(t *testing.T, dir, text string) {
	t.Helper()
	var config struct {
		MCPServers map[string]struct {
			Command string
			Args    []string
		}
	}
	if err := json.Unmarshal([]byte(text), &config); err != nil || len(config.MCPServers) == 0 {
		t.Errorf("not the configuration of a client: %v\n%s", err, text)
	}
	for name, server := range config.MCPServers {
		command := exec.CommandContext(t.Context(), filepath.Join(dir, filepath.Base(server.Command)), server.Args...)
		if out, err := command.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// runCommands runs commands and returns their standard output.
func runCommands(t *testing.T, dir, commands string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", commands)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-trimpath", "GOSUMDB=off", "GOWORK=off")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", commands, err, out, &stderr)
	}
	return string(out)
}
