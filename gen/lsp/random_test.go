package lsp_test

import (
	"encoding/json"
	"flag"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/txtar"
)

var randomEdits = flag.Int("edits", 300, "number of random edits for each module in TestRandomEdits")

// soundFiles are a module without errors, whose tools use other packages.
var soundFiles = []txtar.File{
	{Name: "go.mod", Data: []byte("module example.com/m\n\ngo 1.26\n")},
	{Name: "text/text.go", Data: []byte(`// Package text changes text.
package text

// Style says how to change a text.
type Style string

const (
	Title Style = "title" // Every Word
	Upper Style = "upper" // ALL LETTERS
)

// Change changes the letters of a text.
func Change(s string, style Style) (string, error) { return s, nil }
`)},
	{Name: "tools/a.go", Data: []byte(`package tools

import "example.com/m/text"

// Ticket is a request for help 🙂.
type Ticket struct {
	ID    int        ` + "`" + `json:"id"` + "`" + ` // its number
	Owner *User      ` + "`" + `json:"owner"` + "`" + `
	Style text.Style ` + "`" + `json:"style"` + "`" + `
}

// User is somebody.
type User struct {
	Name string ` + "`" + `json:"name"` + "`" + `
}

// Store holds tickets.
type Store struct{}

// Find finds tickets.
func (s *Store) Find(words string, limit int) ([]Ticket, error) { return nil, nil }

// Close closes a ticket.
func Close(ticket Ticket, style text.Style) (*Ticket, error) { return nil, nil }
`)},
	{Name: "tools/a.aion", Data: []byte(`[
  // 🙂
  system_prompt --> "You help.",
  {
    name --> "find_tickets",
    function --> "(*Store).Find" --> {
      arg-1 --> "string (🙂 words) | min=1",
      arg-2 --> "int | default=5 | max=100",
      return-1 --> "list | only=id,owner.name",
    },
    description --> "Finds tickets."
  },
  { name --> "close", function --> "Close" --> { arg-1.owner.name --> "string | min=1" } },
  { name --> "change", function --> "text.Change" --> { arg-1 --> "string", arg-2 --> "text.Style | default=title" } },
  { name --> "shout", function --> "lambda s: s.upper() + '!'" --> {}, args_schema --> { s --> "string" }, description --> "Shouts." }
]
`)},
}

// TestRandomEdits edits documents at random and undoes some of the edits. The server must report the
// same diagnostics as a new server for the same texts, and must not use more and more memory.
func TestRandomEdits(t *testing.T) {
	edits := *randomEdits
	for name, files := range map[string][]txtar.File{"broken": brokenFiles, "sound": soundFiles} {
		t.Run(name, func(t *testing.T) {
			e := &randomEditor{client: newClient(t, files), random: rand.New(rand.NewPCG(1, 2))}
			e.initialize([]string{"utf-16"}, ".")
			for _, f := range files[1:] { // without go.mod
				e.open(f.Name)
				e.texts[f.Name] = strings.ToValidUTF8(e.texts[f.Name], "\uFFFD") // as JSON has sent it
				e.names = append(e.names, f.Name)
			}
			var early uint64
			for n := 1; n <= edits && !t.Failed(); n++ {
				e.editOrUndo()
				if n%100 == 0 {
					got := e.allDiagnostics(e.names)
					t.Run("new", func(t *testing.T) { compareWithNewServer(t, e.changedFiles(files), e.names, got) })
				}
				if n == edits/5 {
					early = heapSize()
				}
			}
			if late := heapSize(); late > early+early/4 && edits >= 10_000 { // before, caches fill
				t.Errorf("the heap has %d KiB after %d edits and %d KiB after %d", early>>10, edits/5, late>>10, edits)
			}
		})
	}
}

// heapSize returns the bytes of reachable objects.
func heapSize() uint64 {
	runtime.GC()
	runtime.GC() // the first one runs finalizers
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// A randomEditor edits the open documents of a client.
type randomEditor struct {
	*client
	random *rand.Rand
	names  []string // documents
	undo   []undoStep
}

// An undoStep replaces what an edit has inserted by what it has removed.
type undoStep struct {
	name     string
	from, to int
	text     string
}

// maxUndo keeps the texts similar to the first ones, so that most edits matter.
const maxUndo = 12

// editOrUndo makes an edit, or undoes the last one.
func (e *randomEditor) editOrUndo() {
	e.Helper()
	if last := len(e.undo) - 1; last >= maxUndo || last >= 0 && e.random.IntN(5) < 2 {
		step := e.undo[last]
		e.undo = e.undo[:last]
		e.replace(step.name, step.from, step.to, step.text)
		return
	}
	name := e.names[e.random.IntN(len(e.names))]
	text, other := e.texts[name], e.texts[e.names[e.random.IntN(len(e.names))]]
	from, to := e.pickPart(text)
	start, end := e.pickPart(other)
	inserted := other[start:end]
	e.undo = append(e.undo, undoStep{name, from, from + len(inserted), text[from:to]})
	e.replace(name, from, to, inserted)
}

// pickPart returns the offsets of a word, of a line, or of a few characters. It does not split a line
// break.
func (e *randomEditor) pickPart(text string) (from, to int) {
	from = e.random.IntN(len(text) + 1)
	separators := []string{" \n\t\"().,|=", "\n", ""}[e.random.IntN(3)]
	to = min(from+e.random.IntN(6), len(text))
	if i := strings.IndexAny(text[from:], separators); i >= 0 {
		to = from + i
		from = strings.LastIndexAny(text[:from], separators) + 1
	}
	before := func(at int) int {
		for at > 0 && at < len(text) && (!utf8.RuneStart(text[at]) || text[at-1:at+1] == "\r\n") {
			at--
		}
		return at
	}
	return before(from), before(to)
}

// changedFiles returns the files with the texts of the documents.
func (e *randomEditor) changedFiles(files []txtar.File) []txtar.File {
	files = slices.Clone(files)
	for i, f := range files {
		if text, ok := e.texts[f.Name]; ok {
			files[i].Data = []byte(text)
		}
	}
	return files
}

// compareWithNewServer compares diagnostics with those of a new server, which reads the texts from
// disk.
func compareWithNewServer(t *testing.T, files []txtar.File, names []string, got string) {
	fresh := newClient(t, files)
	fresh.initialize([]string{"utf-16"}, ".")
	if want := fresh.allDiagnostics(names); got != want {
		t.Errorf("after edits:\n%s\nnew server:\n%s\n%s", got, want, txtar.Format(&txtar.Archive{Files: files}))
	}
}

// allDiagnostics returns the diagnostics of documents without their versions and directory.
func (c *client) allDiagnostics(names []string) string {
	c.Helper()
	var all strings.Builder
	for _, name := range names {
		c.currentDiagnostics(name)
	}
	for _, name := range names {
		var p struct{ Diagnostics []json.RawMessage }
		if text := c.diagnostics[c.uri(name)]; text != nil {
			if err := json.Unmarshal(text, &p); err != nil {
				c.Fatal(err)
			}
		}
		for _, d := range p.Diagnostics {
			all.WriteString(name + ": " + c.show(d) + "\n")
		}
	}
	return all.String()
}
