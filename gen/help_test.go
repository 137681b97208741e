package gen_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/gen"
)

// TestHelpForUntold follows the help for functions of another module with parameters that read
// themselves from JSON. The help must work word for word, and there must be no other help.
func TestHelpForUntold(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	dir := t.TempDir()
	for name, content := range map[string]string{
		"go.mod":       "module example.com/help\n\ngo 1.26\n\nrequire example.com/chat v0.0.0\n\nreplace example.com/chat => ./chat\n",
		"tools.go":     "package help\n\nimport _ \"example.com/chat\"\n",
		"chat/go.mod":  "module example.com/chat\n\ngo 1.26\n",
		"chat/chat.go": chat,
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	generate := func(element string) error {
		if err := os.WriteFile("tools.aion", []byte("[ "+element+" ]"), 0o666); err != nil {
			t.Fatal(err)
		}
		_, faults := gen.Generate(t.Context(), gen.Config{Dir: dir})
		return faults.Err()
	}
	proposal := regexp.MustCompile(`^describe what it accepts: (args_schema --> \{.*\}); a narrower`)
	for _, function := range []string{"Send", "Both", "Client.Post"} {
		text, faults := gen.New(t.Context(), gen.NewConfig{Package: "example.com/chat", Functions: []string{function}})
		if len(text) > 0 || len(faults) == 0 {
			t.Errorf("%s is no tool by itself, but new wrote %s", function, text)
			continue
		}
		for _, d := range faults {
			if len(d.Help) != 1 || !proposal.MatchString(d.Help[0]) {
				t.Errorf("%s: %v", function, d.Help)
				continue
			}
			schema := proposal.FindStringSubmatch(d.Help[0])[1]
			element := `{ name --> "chat", function --> "example.com/chat.` + function + `" --> {}, ` + schema + ` }`
			if err := generate(element); err != nil {
				t.Errorf("%s: what is proposed fails: %v", function, err)
			}
		}
	}
	// A part of a parameter needs no help, even if the parameter is the whole arguments object.
	text, faults := gen.New(t.Context(), gen.NewConfig{Package: "example.com/chat", Functions: []string{"Complete"}})
	if err := faults.Err(); err != nil {
		t.Fatal(err)
	}
	if err := generate(strings.Trim(string(text), "[]\n")); err != nil {
		t.Error(err)
	}
}

const chat = `package chat

// Message reads itself.
type Message struct{ text string }

// UnmarshalJSON reads any JSON.
func (m *Message) UnmarshalJSON(b []byte) error { m.text = string(b); return nil }

// Request has messages.
type Request struct {
	Model    string    ` + "`json:\"model\"`" + `
	Messages []Message ` + "`json:\"messages\"`" + `
	Seed     *int      ` + "`json:\"seed\"`" + `
}

// Client is a client.
type Client struct{}

// Complete completes a chat.
func Complete(r Request) {}

// Send sends messages.
func Send(to []string, messages []*Message, named map[string]Message) {}

// Both sends two.
func Both(first Message, second *Message, at map[int]float64) {}

// Post posts one.
func (c *Client) Post(m Message) {}
`

// TestCandidates checks that help proposes functions that can be the tool first, although the name of another one is as
// near.
func TestCandidates(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"go.mod": "module example.com/help\n\ngo 1.26\n",
		"tools.go": `package help

import "io"

type Store struct{ c chan int }

func (*Store) Loads(r io.Reader) error { return nil }
func (*Store) Loade(id string) error   { return nil }

type Storf struct{}

func FindA(f func()) error            { return nil }
func FindB[T any](id T) error         { return nil }
func FindC(id string) error           { return nil }
func FindD(id string, n int) error    { return nil }
func OnlyGeneric[T any](id T) error   { return nil }
func Rate() float64                   { return 0 }

const Rato = 3
`,
		"tools.aion": `[
  { name --> "a", function --> "FindX" --> { arg-1 --> "string" }, description --> "d" },
  { name --> "b", function --> "FindY" --> { arg-1 --> "string", arg-2 --> "int" }, description --> "d" },
  { name --> "c", function --> "(*Store).Loadx" --> {}, description --> "d" },
  { name --> "d", function --> "OnlyGenerics" --> {}, description --> "d" },
  { name --> "e", function --> "Stora.Loade" --> {}, description --> "d" },
  { name --> "f", function --> "lambda: ratx" --> {}, description --> "d" }
]`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	_, faults := gen.Generate(t.Context(), gen.Config{Dir: dir})
	var help []string
	for _, d := range faults {
		help = append(help, d.Help...)
	}
	got := regexp.MustCompile(` \([^)]*\)\?`).ReplaceAllString(strings.Join(help, "\n"), "?")
	const want = "did you mean FindC?\ndid you mean FindD?\ndid you mean Loade?\ndid you mean OnlyGeneric?\ndid you mean Store?\ndid you mean Rato?"
	if got != want {
		t.Errorf("the help is\n%s\nwant\n%s", got, want)
	}
}
