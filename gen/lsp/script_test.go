package lsp_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/tools/txtar"
)

// TestScripts runs the sessions in testdata. The comment of an archive has the commands of the
// client, its files are the workspace, and the file "answers" has the answers of the server.
//
//	initialize ENCODING FOLDERS…
//	open FILE
//	edit FILE "OLD" "NEW"
//	save FILE "OLD" "NEW"        edits the file on disk, and reports that
//	close FILE
//	diagnostics FILE
//	notify METHOD {PARAMS}
//	call METHOD {PARAMS}
//	at METHOD FILE "TEXT" {PARAMS}   adds document, position and range of a text to the parameters
//	requests                     shows what the server has requested
//
// In a TEXT, ‸ is the position; the default is the start.
func TestScripts(t *testing.T) {
	for name, archive := range readScripts(t) {
		t.Run(name, func(t *testing.T) {
			answers := &archive.Files[len(archive.Files)-1]
			got := runScript(newClient(t, archive.Files[:len(archive.Files)-1]), archive.Comment)
			if got == string(answers.Data) {
				return
			}
			if !*update {
				t.Fatalf("got:\n%s\nwant:\n%s", got, answers.Data)
			}
			answers.Data = []byte(got)
			if err := os.WriteFile("testdata/"+name+".txtar", txtar.Format(archive), 0o666); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestProgram runs the sessions in testdata with the built program.
func TestProgram(t *testing.T) {
	program := filepath.Join(t.TempDir(), "aiongen.exe")
	if text, err := exec.Command("go", "build", "-buildvcs=false", "-o", program, "../../cmd/aiongen").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for name, archive := range readScripts(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answers := archive.Files[len(archive.Files)-1].Data
			got := runScript(newProcess(t, program, archive.Files[:len(archive.Files)-1]), archive.Comment)
			if got != string(answers) {
				t.Errorf("got:\n%s\nwant:\n%s", got, answers)
			}
		})
	}
}

// readScripts returns the sessions in testdata by name. The last file of each has the answers.
func readScripts(t *testing.T) map[string]*txtar.Archive {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	scripts := map[string]*txtar.Archive{}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if archive.Files[len(archive.Files)-1].Name != "answers" {
			t.Fatalf("the last file of %s is not answers", path)
		}
		scripts[strings.TrimSuffix(filepath.Base(path), ".txtar")] = archive
	}
	return scripts
}

// runScript executes the commands of a session, ends it, and returns the answers.
func runScript(c *client, script []byte) string {
	c.Helper()
	var got strings.Builder
	for line := range strings.Lines(string(script)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		switch text := c.run(line); {
		case text == nil:
		case strings.HasPrefix(line, "at textDocument/completion"):
			fmt.Fprintf(&got, "> %s\n%s", line, c.showCompletion(text))
		case strings.HasPrefix(line, "at textDocument/semanticTokens"):
			fmt.Fprintf(&got, "> %s\n%s", line, c.showTokens(text, strings.Fields(line)[2]))
		default:
			fmt.Fprintf(&got, "> %s\n%s\n", line, c.show(text))
		}
	}
	if err := c.shutDown(); err != nil {
		c.Error(err)
	}
	return got.String()
}

var words = regexp.MustCompile(`\{.*\}$|"(?:[^"\\]|\\.)*"|\S+`)

// run executes a command and returns the answer, or nil.
func (c *client) run(line string) json.RawMessage {
	c.Helper()
	args := words.FindAllString(line, -1)
	for i, arg := range args {
		if text, err := strconv.Unquote(arg); err == nil {
			args[i] = text
		}
	}
	switch args[0] {
	case "initialize":
		result := c.initialize([]string{args[1]}, args[2:]...)
		if strings.Contains(c.Name(), "capabilities") {
			return result
		}
	case "open":
		c.open(args[1])
	case "edit":
		c.edit(args[1], args[2], args[3])
	case "save":
		c.save(args[1], args[2], args[3])
	case "close":
		c.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": c.uri(args[1])}})
		delete(c.texts, args[1])
		delete(c.versions, args[1])
	case "diagnostics":
		return c.currentDiagnostics(args[1])
	case "notify":
		c.notify(args[1], c.params(args[2:]))
	case "call":
		return c.call(args[1], c.params(args[2:]))
	case "at":
		params := c.params(args[4:])
		c.addPlace(params, args[2], args[3])
		return c.call(args[1], params)
	case "requests":
		text, err := json.Marshal(c.requests)
		if err != nil {
			c.Fatal(err)
		}
		c.requests = nil
		return text
	default:
		c.Fatalf("unknown command %s", line)
	}
	return nil
}

// params parses the parameters in the last word of a command, in which $DIR is the workspace.
func (c *client) params(args []string) map[string]any {
	c.Helper()
	params := map[string]any{}
	if len(args) > 0 {
		text := strings.ReplaceAll(args[0], "$DIR", strings.TrimSuffix(c.uri(""), "/"))
		if err := json.Unmarshal([]byte(text), &params); err != nil {
			c.Fatalf("%v in %s", err, text)
		}
	}
	return params
}

// addPlace adds the place of a text in a document to the parameters of a request.
func (c *client) addPlace(params map[string]any, name, text string) {
	c.Helper()
	before, after, _ := strings.Cut(text, "‸")
	at := strings.Index(c.texts[name], before+after)
	if at < 0 {
		c.Fatalf("%s does not have %q", name, before+after)
	}
	cursor := at
	if strings.Contains(text, "‸") {
		cursor += len(before)
	}
	params["textDocument"] = map[string]any{"uri": c.uri(name)}
	params["position"] = c.position(name, cursor)
	params["range"] = c.rangeOf(name, at, at+len(before+after))
}

// save edits a file on disk.
func (c *client) save(name, from, to string) {
	c.Helper()
	path := filepath.Join(c.dir, name)
	text, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, bytes.Replace(text, []byte(from), []byte(to), 1), 0o666)
	}
	if err != nil {
		c.Fatal(err)
	}
	c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": c.uri(name), "type": 2}}})
}

// Places in answers are shown in one line.
var (
	jsonPosition = regexp.MustCompile(`\{\s*"line": (\d+),\s*"character": (\d+)\s*\}`)
	jsonRange    = regexp.MustCompile(`\{\s*"start": (\d+:\d+),\s*"end": (\d+:\d+)\s*\}`)
)

// show formats an answer.
func (c *client) show(answer json.RawMessage) string {
	c.Helper()
	var text bytes.Buffer
	if err := json.Indent(&text, answer, "", " "); err != nil {
		c.Fatal(err)
	}
	shown := jsonPosition.ReplaceAllString(text.String(), "$1:$2")
	shown = jsonRange.ReplaceAllString(shown, "$1-$2")
	shown = strings.ReplaceAll(shown, `"version": "`+c.version+`"`, `"version": "$VERSION"`)
	return strings.ReplaceAll(shown, strings.TrimSuffix(c.uri(""), "/"), "$DIR")
}

// showCompletion formats a list of completion items with a line for each.
func (c *client) showCompletion(answer json.RawMessage) string {
	c.Helper()
	var list struct {
		Items []struct {
			Label, Detail string
			Kind          int
			Documentation struct{ Value string }
			TextEdit      struct {
				Range   json.RawMessage
				NewText string
			}
			Command struct{ Title string }
		}
	}
	if err := json.Unmarshal(answer, &list); err != nil {
		c.Fatal(err)
	}
	var b strings.Builder
	for _, item := range list.Items {
		fmt.Fprintf(&b, "%-14s %2d %s %q", item.Label, item.Kind, c.show(item.TextEdit.Range), item.TextEdit.NewText)
		if item.Detail != "" || item.Documentation.Value != "" {
			fmt.Fprintf(&b, " | %s | %.60s", item.Detail, item.Documentation.Value)
		}
		if item.Command.Title != "" {
			b.WriteString(" | " + item.Command.Title)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// showTokens formats the semantic tokens of a document, with a line for each line.
func (c *client) showTokens(answer json.RawMessage, name string) string {
	c.Helper()
	var tokens struct{ Data []int }
	if err := json.Unmarshal(answer, &tokens); err != nil || len(tokens.Data)%5 != 0 {
		c.Fatal(err, len(tokens.Data))
	}
	types := []string{"comment", "property", "function", "parameter", "variable", "type", "keyword", "string", "number"}
	lines := strings.Split(c.texts[name], "\n")
	var b strings.Builder
	line, character := 0, 0
	for data := tokens.Data; len(data) > 0; data = data[5:] {
		if data[0] > 0 {
			b.WriteByte('\n')
			character = 0
		}
		line, character = line+data[0], character+data[1]
		units := utf16.Encode([]rune(lines[line]))
		fmt.Fprintf(&b, "%s %q; ", types[data[3]], string(utf16.Decode(units[character:character+data[2]])))
	}
	return strings.TrimPrefix(b.String(), "\n") + "\n"
}
