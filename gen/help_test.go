package gen_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/gen"
)

// TestHelpForUntold follows what is proposed for functions of another module that take
// what reads itself from JSON: word for word, and no other help is given.
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
	proposal := regexp.MustCompile(`^say what it takes: (args_schema --> \{.*\}), where`)
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
	// What is within a parameter, be it all the arguments, needs no help.
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
