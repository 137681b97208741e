package gen_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/gen"
)

var (
	seed  = flag.Uint64("seed", 1, "of the edits of TestSession")
	edits = flag.Int("edits", 12, "how many TestSession makes")
)

// sessionFiles is a module whose packages import each other.
var sessionFiles = map[string]string{
	"go.mod":       "module example.com/m\n\ngo 1.24\n",
	"dep/dep.go":   "package dep\n\n// Most is a limit.\nconst Most = 5\n\n// Item is one.\ntype Item struct {\n\tID int `json:\"id\"` // its number\n}\n\n// Get gets an item.\nfunc Get(id int) Item { return Item{ID: id} }\n",
	"tools/a.go":   "package tools\n\nimport (\n\t\"context\"\n\n\t\"example.com/m/dep\"\n)\n\n// Find finds items.\nfunc Find(ctx context.Context, words string, limit int) ([]dep.Item, error) { return nil, nil }\n",
	"tools/b.go":   "package tools\n\n// Greet greets.\nfunc Greet(name string) string { return name }\n",
	"tools/a.aion": "[ { name --> \"find\", function --> \"Find\" --> { arg-1 --> \"string (what to look for)\", arg-2 --> \"int | min=1\" } } ]\n",
	"tools/b.aion": "[ { name --> \"greet\", function --> \"Greet\" --> {} },\n  { name --> \"loud\", function --> \"func(name string) string { return strings.ToUpper(name) }\" --> {}, description --> \"Shout.\" },\n  { name --> \"get\", function --> \"example.com/m/dep.Get\" --> {} } ]\n",
	"more/c.go":    "package more\n\nimport \"example.com/m/tools\"\n\nvar _ = tools.Greet\n\n// Twice doubles.\nfunc Twice(n int) int { return n * 2 }\n",
	"more/c.aion":  "[ { name --> \"twice\", function --> \"Twice\" --> {} } ]\n",
}

// replacements are possible edits of a file that contains the first text. Some of them break the file,
// others fix it.
var replacements = [][3]string{
	{"tools/a.go", "limit int", "limit int64"}, {"tools/a.go", "func Find(", "func Seek("}, {"tools/a.go", "[]dep.Item", "[]dep.Missing"},
	{"tools/a.go", "// Find finds", "// Find seeks"}, {"tools/a.go", "package tools", "//go:build never\n\npackage tools"},
	{"tools/a.go", "package tools", "package other"}, {"tools/a.go", "\"context\"\n", "\"context\"\n\t_ \"strings\"\n"},
	{"tools/b.go", "// Greet greets.", "// Greet says hello."}, {"tools/b.go", "name string", "who string"}, {"tools/b.go", "return name }", "return name"},
	{"tools/b.go", "package tools\n", "package tools\n\n//go:generate aiongen -o ../out\n"}, {"tools/b.go", "package tools\n", "package tools\n\nimport \"strings\"\n\nvar _ = strings.ToUpper\n"},
	{"dep/dep.go", "ID int", "ID string"}, {"dep/dep.go", "json:\"id\"", "json:\"number\""}, {"dep/dep.go", "func Get(", "func Fetch("}, {"dep/dep.go", "its number", "which"},
	{"dep/dep.go", "package dep\n", "package dep\n\nimport \"time\"\n\nvar _ time.Time\n"}, {"more/c.go", "n int", "n float64"}, {"more/c.go", "func Twice(", "func twice("},
	{"tools/a.aion", "what to look for", "words to look for"}, {"tools/a.aion", "min=1", "min=2"}, {"tools/a.aion", "\"Find\"", "\"Fnd\""}, {"tools/a.aion", "[ {", "[ "},
	{"tools/b.aion", "\"Greet\"", "\"Great\""}, {"tools/b.aion", "ToUpper", "ToLower"}, {"tools/b.aion", "dep.Get", "dep.Fetch"}, {"tools/b.aion", "m/dep.Get", "m/none.Get"},
	{"more/c.aion", "twice", "double"}, {"go.mod", "go 1.24", "go 1.23"}, {"go.mod", "go 1.24", "go 1.24\n\nrequire example.com/none v1.0.0"},
}

// newFiles are files that edits create and delete.
var newFiles = map[string]string{
	"tools/new.go":        "package tools\n\n// Fnd is new.\nfunc Fnd(words string, limit int) int { return limit }\n",
	"tools/new_test.go":   "package tools\n\nfunc Great(name string) string { return name }\n",
	"tools/new.aion":      "[ { name --> \"new\", function --> \"Greet\" --> {}, description --> \"New.\" } ]\n",
	"none/none.go":        "package none\n\n// Get gets.\nfunc Get(id int) int { return id }\n",
	"none/none.aion":      "[ { name --> \"none\", function --> \"Get\" --> {} } ]\n",
	"tools/x.aion":        "[ ]\n",
	"tools/empty.aion":    "",
	"tools/dos.aion":      "\uFEFF[ { name --> \"dos\", function --> \"Greet\" --> {},\r\n description --> \"Dos.\" } ]\r\n",
	"tools/c.go":          "package tools\n\nimport \"C\"\n\n// Fnd is of C.\nfunc Fnd(n C.int) int { return int(n) }\n",
	"tools/only_plan9.go": "package tools\n\n// Fnd is elsewhere.\nfunc Fnd() {}\n",
	"tools/main.go":       "package main\n\nfunc main() {}\n",
	"tools/broken.go":     "",
	"dep/go.mod":          "module example.com/m/dep\n\ngo 1.24\n",
	"go.work":             "go 1.24\n\nuse (\n\t.\n\t./dep\n)\n",
	"tools/sub/s.go":      "package sub\n\nimport \"example.com/m/tools\"\n\n// Again greets.\nfunc Again(name string) string { return tools.Greet(name) }\n",
	"tools/sub/s.aion":    "[ { name --> \"again\", function --> \"Again\" --> {} } ]\n",
}

// TestSession edits files at random and compares the results of a session with those of a new one.
func TestSession(t *testing.T) {
	e := editorTest{T: t, dir: writeModule(t, sessionFiles), random: rand.New(rand.NewPCG(*seed, 0)), shown: map[string]string{}, said: []string{"nothing"}}
	cfg := gen.Config{Dir: e.dir, Patterns: []string{"./..."}}
	session := gen.NewSession(cfg)
	for range *edits {
		result, faults := session.Generate(t.Context())
		got := e.answer(result, faults, session)
		other := gen.NewSession(cfg)
		for name, text := range e.shown {
			e.must(other.Show(name, []byte(text)))
		}
		fresh, found := other.Generate(t.Context())
		if want := e.answer(fresh, found, other); got != want {
			t.Fatalf("seed %d, after %s:\n--- session\n%s\n--- fresh\n%s", *seed, strings.Join(e.said, "; "), got, want)
		}
		if e.random.IntN(2) == 0 {
			e.must(result.Write())
			e.said = append(e.said, "write")
		}
		for range 1 + e.random.IntN(2) {
			e.edit(session)
		}
	}
}

// An editor changes files at random.
type editorTest struct {
	*testing.T
	dir    string
	random *rand.Rand
	shown  map[string]string // unsaved texts by name
	said   []string
}

func (e *editorTest) must(err error) {
	e.Helper()
	if err != nil {
		e.Fatal(err)
	}
}

// answer is the complete result of a run.
func (e *editorTest) answer(result *gen.Result, faults any, session *gen.Session) string {
	text, err := json.MarshalIndent([]any{faults, session.Bindings()}, "", " ")
	e.must(err)
	return string(text) + string(result.Diff())
}

// edit changes a file on disk or in the overlay.
func (e *editorTest) edit(session *gen.Session) {
	switch e.random.IntN(7) {
	case 2:
		e.moves([]string{"more", "none", "tools/sub", "tools/b.aion", "tools/a.go"}[e.random.IntN(5)])
		return
	case 0:
		names := slices.Sorted(maps.Keys(newFiles))
		e.comesOrGoes(session, names[e.random.IntN(len(names))])
		return
	case 1:
		for name := range e.shown {
			e.must(session.Hide(name))
			delete(e.shown, name)
		}
		e.said = append(e.said, "as on disk")
		return
	}
	r := replacements[e.random.IntN(len(replacements))]
	text, ok := e.shown[r[0]]
	if !ok {
		read, err := os.ReadFile(filepath.Join(e.dir, r[0]))
		if err != nil { // the file was moved
			return
		}
		text = string(read)
	}
	from, to := r[1], r[2]
	if strings.Contains(text, to) {
		from, to = to, from
	}
	e.write(session, r[0], strings.Replace(text, from, to, 1))
	e.said = append(e.said, fmt.Sprintf("%s: %q for %q", r[0], to, from))
}

// moves moves a file or folder, replaces it with a link to the moved one, or restores it.
func (e *editorTest) moves(name string) {
	path, away := filepath.Join(e.dir, name), filepath.Join(e.dir, "_away", strings.ReplaceAll(name, "/", "_"))
	e.must(os.MkdirAll(filepath.Dir(away), 0o777))
	_, gone := os.Lstat(away)
	link := e.random.IntN(2) == 0
	switch {
	case gone != nil && os.Rename(path, away) != nil: // the file does not exist
	case gone != nil && link:
		e.must(os.Symlink(away, path))
		e.said = append(e.said, name+" by a link")
	case gone != nil:
		e.said = append(e.said, name+" away")
	default:
		e.must(os.RemoveAll(path)) // the link, or a file created in the meantime
		e.must(os.Rename(away, path))
		e.said = append(e.said, name+" back")
	}
}

func (e *editorTest) comesOrGoes(session *gen.Session, name string) {
	if os.Remove(filepath.Join(e.dir, name)) == nil {
		e.said = append(e.said, "without "+name)
		return
	}
	e.must(os.MkdirAll(filepath.Dir(filepath.Join(e.dir, name)), 0o777))
	e.write(session, name, newFiles[name])
	e.said = append(e.said, "with "+name)
}

// write writes a text to disk or to the overlay. The overlay of the go command does not support
// go.mod.
func (e *editorTest) write(session *gen.Session, name, text string) {
	if e.random.IntN(3) > 0 || name == "go.mod" {
		writeFile(e.T, filepath.Join(e.dir, name), text)
		if _, ok := e.shown[name]; !ok {
			return
		}
	}
	e.must(session.Show(name, []byte(text)))
	e.shown[name] = text
	e.said = append(e.said, "unsaved")
}

// writeModule writes files to a new directory.
func writeModule(t testing.TB, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
