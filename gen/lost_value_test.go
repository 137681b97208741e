package gen

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/aion/diag"
)

const losingPackage = `package lose

import (
	"io"
	"io/fs"
	"log/slog"
	"net/http"
)

// Shape is a shape.
type Shape interface{ Area() float64 }

// Circle is a shape.
type Circle struct{ Radius float64 }

func (c Circle) Area() float64 { return c.Radius }

// Drawing has shapes.
type Drawing struct {
	Name   string           ` + "`json:\"name\"`" + `
	Shapes map[string]Shape // as attributes of a database
	Frame  Frame            ` + "`json:\"frame\"`" + `
}

// Frame is around it.
type Frame struct {
	Width int ` + "`json:\"width\"`" + `
	Inner *Shape
}

// Option is a functional option.
type Option func(*http.Request)

// Draw draws.
func Draw(d Drawing) {}

// Place draws somewhere.
func Place(d Drawing, x int) {}

// Frames draws a frame.
func DrawFrame(f Frame, name string) (Drawing, int, error) { return Drawing{}, 0, nil }

// Copy copies.
func Copy(name string, from ...io.Reader) Drawing { return Drawing{} }

// CopyInto copies.
func CopyInto(d Frame, from ...io.Reader) {}

// Send sends.
func Send(name string, options ...Option) {}

// Log logs.
func Log(o slog.HandlerOptions) {}

// ListOption is an option of List. Types implement it.
type ListOption interface{ applyToList() }

// InFolder is the folder to list.
type InFolder string

func (InFolder) applyToList() {}

// List lists drawings.
func List(name string, options ...ListOption) {}

// CallOption is an option of Call. Functions return it.
type CallOption interface{ applyToCall() }

// Header is an option.
type Header struct{ Name string }

func (Header) applyToCall() {}

// WithHeader returns an option.
func WithHeader(name string) CallOption { return Header{name} }

// Call calls.
func Call(name string, options ...CallOption) {}

// Style is how to sign. Only a function returns it.
type Style interface{ style() }

// PathStyle returns a style.
func PathStyle() (Style, error) { return nil, nil }

// Host is where to sign. Only a variable holds it.
type Host interface{ host() }

// DefaultHost is a host.
var DefaultHost Host

// Clock tells the time. Programs implement it.
type Clock interface{ Now() int }

// Signature is the result of Sign.
type Signature struct {
	Name  string ` + "`json:\"name\"`" + `
	Style Style
	Host  Host
	Clock Clock
}

// Complete says how something ended. Err has no json tag, and its struct belongs to another module.
func Complete(failure fs.PathError) {}

// Operation is what to start. Only a method makes it.
type Operation interface{ operation() }

// Client makes operations and returns its clock.
type Client interface {
	NewOperation(name string) Operation
	Clock() Clock
}

// Started has optional parts.
type Started struct {
	Name      string
	Operation *Operation
}

// Start starts.
func Start(s Started) {}

// Watched has optional parts.
type Watched struct {
	Name  string
	Clock *Clock
}

// Watch watches.
func Watch(w Watched) {}

// Sign signs.
func Sign(name string) Signature { return Signature{} }
`

// writeLosing writes the package with an .aion file, and returns its directory.
func writeLosing(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{"go.mod": "module example.com/lose\n\ngo 1.26\n", "lose.go": losingPackage, "lose.aion": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestLostValues checks which losses are warnings, and that the notes that the warnings show can be
// written: the edited file compiles without warnings.
func TestLostValues(t *testing.T) {
	for _, tt := range []struct{ name, text, lost, want string }{
		{
			name: "object without notes", text: `[ { name --> "t", function --> "Draw" --> {} } ]`,
			lost: "t: the arguments lose what JSON cannot carry: Shapes (map[string]Shape)",
			want: `[ { name --> "t", function --> "Draw" --> { arg-1 --> "dict | omit=Shapes,frame.Inner" } } ]`,
		},
		{
			name: "object with a note", text: `[ { name --> "t", function --> "Draw" --> { arg-1 --> "dict (it) | only=name, frame.width" } } ]`,
		},
		{
			name: "object with a note that omits", text: `[ { name --> "t", function --> "Draw" --> { arg-1 --> "dict (it) | omit=name" } } ]`,
			lost: "t: the arguments lose what JSON cannot carry: Shapes (map[string]Shape)",
			want: `[ { name --> "t", function --> "Draw" --> { arg-1 --> "dict (it) | omit=name,Shapes,frame.Inner" } } ]`,
		},
		{
			name: "parameters without notes", text: `[ { name --> "t", function --> "Place" --> {} } ]`,
			lost: "t: the arguments lose what JSON cannot carry: d.Shapes (map[string]Shape)",
			want: `[ { name --> "t", function --> "Place" --> { arg-1 --> "dict | omit=Shapes,frame.Inner", arg-2 --> "int" } } ]`,
		},
		{
			name: "parameters with notes", text: `[ { name --> "t", function --> "Place" --> { arg-1 --> "the drawing", arg-2 --> "int" } } ]`,
			lost: "t: the arguments lose what JSON cannot carry: d.Shapes (map[string]Shape)",
			want: `[ { name --> "t", function --> "Place" --> { arg-1 --> "dict (the drawing) | omit=Shapes,frame.Inner", arg-2 --> "int" } } ]`,
		},
		{
			name: "parameters by name", text: `[ { name --> "t", function --> "Place" --> {}, args_schema --> { d --> "dict", x --> "int" } } ]`,
			lost: "t: the arguments lose what JSON cannot carry: d.Shapes (map[string]Shape)",
			want: `[ { name --> "t", function --> "Place" --> {}, args_schema --> { d --> "dict | omit=Shapes,frame.Inner", x --> "int" } } ]`,
		},
		{
			name: "results", text: `[ { name --> "t", function --> "DrawFrame" --> { arg-1 --> "dict", arg-2 --> "string" } } ]`,
			lost: "t: the result loses what JSON cannot carry: return_1.Shapes (map[string]Shape), return_1.frame.Inner (*Shape)",
			want: `[ { name --> "t", function --> "DrawFrame" --> { arg-1 --> "dict | omit=Inner", arg-2 --> "string", return-1 --> "dict | omit=Shapes,frame.Inner", return-2 --> "int" } } ]`,
		},
		{
			name: "one of two results", text: `[ { name --> "t", function --> "DrawFrame" --> { arg-1 --> "dict | omit=Inner", arg-2 --> "string", return-1 --> "dict", return-2 --> "int | omit" } } ]`,
			lost: "t: the result loses what JSON cannot carry: Shapes (map[string]Shape), frame.Inner (*Shape)",
			want: `[ { name --> "t", function --> "DrawFrame" --> { arg-1 --> "dict | omit=Inner", arg-2 --> "string", return-1 --> "dict | omit=Shapes,frame.Inner", return-2 --> "int | omit" } } ]`,
		},
		{
			name: "a parameter", text: `[ { name --> "t", function --> "Copy" --> { return-1 --> "dict | only=name" } } ]`,
			lost: "t: the arguments lose what JSON cannot carry: from (...io.Reader)",
			want: `[ { name --> "t", function --> "Copy" --> { return-1 --> "dict | only=name", arg-1 --> "string", arg-2 --> "any | omit" } } ]`,
		},
		{
			name: "a parameter after others", text: `[ { name --> "t", function --> "Copy" --> { arg-1 --> "string", return-1 --> "dict | only=name" } } ]`,
			lost: "t: the arguments lose what JSON cannot carry: from (...io.Reader)",
			want: `[ { name --> "t", function --> "Copy" --> { arg-1 --> "string", arg-2 --> "any | omit", return-1 --> "dict | only=name" } } ]`,
		},
		{
			name: "a parameter by name", text: `[ { name --> "t", function --> "Copy" --> { return-1 --> "dict | only=name" }, args_schema --> { name --> "string" } } ]`,
			lost: "t: the arguments lose what JSON cannot carry: from (...io.Reader)",
			want: `[ { name --> "t", function --> "Copy" --> { return-1 --> "dict | only=name" }, args_schema --> { name --> "string", from --> "any | omit" } } ]`,
		},
		{
			name: "a parameter after an object", text: `[ { name --> "t", function --> "CopyInto" --> {} } ]`,
			lost: "t: the arguments lose what JSON cannot carry: Inner (*Shape), from (...io.Reader)",
			want: `[ { name --> "t", function --> "CopyInto" --> { arg-1 --> "dict | omit=Inner", arg-2 --> "any | omit" } } ]`,
		},
		{
			name: "a lambda", text: `[ { name --> "t", function --> "lambda picture: place(picture, 1)" --> {} } ]`,
			lost: "t: the arguments lose what JSON cannot carry: Shapes (map[string]Shape)",
			want: `[ { name --> "t", function --> "lambda picture: place(picture, 1)" --> { arg-1 --> "Drawing | omit=Shapes,frame.Inner" } } ]`,
		},
		{
			name: "options that types implement", text: `[ { name --> "t", function --> "List" --> {} } ]`,
			lost: "t: the arguments lose what JSON cannot carry: options (...ListOption)",
			want: `[ { name --> "t", function --> "List" --> { arg-1 --> "string", arg-2 --> "any | omit" } } ]`,
		},
		{
			name: "interfaces with constructors or variables", text: `[ { name --> "t", function --> "Sign" --> {} } ]`,
			lost: "t: the result loses what JSON cannot carry: Style (Style), Host (Host)",
			want: `[ { name --> "t", function --> "Sign" --> { return-1 --> "dict | omit=Style,Host" } } ]`,
		},
		{
			name: "an error", text: `[ { name --> "t", function --> "Complete" --> {} } ]`,
			lost: "t: the arguments lose what JSON cannot carry: Err (error)",
			want: `[ { name --> "t", function --> "Complete" --> { arg-1 --> "dict | omit=Err" } } ]`,
		},
		{
			name: "an interface that a method makes of its arguments", text: `[ { name --> "t", function --> "Start" --> {} } ]`,
			lost: "t: the arguments lose what JSON cannot carry: Operation (*Operation)",
			want: `[ { name --> "t", function --> "Start" --> { arg-1 --> "dict | omit=Operation" } } ]`,
		},
		{name: "an interface that a method returns as it is", text: `[ { name --> "t", function --> "Watch" --> {} } ]`},
		{name: "options that functions return", text: `[ { name --> "t", function --> "Call" --> {} } ]`},
		{name: "functional options", text: `[ { name --> "t", function --> "Send" --> {} } ]`},
		{
			name: "an interface of an optional field", text: `[ { name --> "t", function --> "Log" --> {} } ]`,
			lost: "t: the arguments lose what JSON cannot carry: Level (slog.Leveler)",
			want: `[ { name --> "t", function --> "Log" --> { arg-1 --> "dict | omit=Level" } } ]`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := writeLosing(t, tt.text)
			_, faults := Generate(t.Context(), Config{Dir: dir})
			if lost := messagesOf(faults, "lost-value"); !strings.Contains(lost, tt.lost) || (tt.lost == "") != (lost == "") {
				t.Errorf("it reports %s", lost)
			}
			result, _, left := Fix(t.Context(), Config{Dir: dir}, "lost-value")
			edited := tt.text
			if len(result.Changes) > 0 {
				edited = string(result.Changes[0].New)
			}
			if tt.want != "" {
				if diff := cmp.Diff(tt.want, edited); diff != "" {
					t.Error(diff)
				}
			}
			for _, d := range left {
				if d.Severity != diag.Note {
					t.Errorf("after %s, it reports %v", edited, d)
				}
			}
		})
	}
}

// messagesOf returns the messages of diagnostics with a code.
func messagesOf(list diag.List, code diag.Code) string {
	var all []string
	for _, d := range list {
		if d.Code == code {
			all = append(all, d.Message)
		}
	}
	return strings.Join(all, "\n")
}

// TestLostValueInDraft checks that the help does not repeat the TODO of a draft.
func TestLostValueInDraft(t *testing.T) {
	for _, tt := range []struct{ before, want string }{
		{`arg-1 --> "dict (TODO: JSON cannot carry frame.Inner: describe this argument) | omit=frame.Inner"`, `otherwise write arg-1 --> "dict | omit=frame.Inner,Shapes"`},
		{`arg-1 --> "string (TODO: say what it is)", arg-2 --> "dict"`, `otherwise write arg-1 --> "dict | omit=Shapes,frame.Inner", and describe the fields by name: args_schema --> { name --> "string", frame --> "dict" }`},
	} {
		_, faults := Generate(t.Context(), Config{Dir: writeLosing(t, `[ { name --> "t", function --> "Draw" --> { `+tt.before+` } } ]`)})
		i := slices.IndexFunc(faults, func(d *diag.Diagnostic) bool { return d.Code == "lost-value" })
		if i < 0 || len(faults[i].Help) != 2 || faults[i].Help[1] != tt.want {
			t.Errorf("%s: %v", tt.before, faults)
		}
	}
}

// TestLostField checks the help if the notes describe the fields of the arguments object, which do
// not count the lost one: they move.
func TestLostField(t *testing.T) {
	const before = `[ { name --> "t", function --> "Draw" --> { arg-1 --> "string (its name)", arg-2 --> "dict" } } ]`
	_, faults := Generate(t.Context(), Config{Dir: writeLosing(t, before)})
	const notes = `arg-1 --> "dict | omit=Shapes,frame.Inner"`
	const schema = `args_schema --> { name --> "string (its name)", frame --> "dict" }`
	want := "otherwise write " + notes + ", and describe the fields by name: " + schema
	if len(faults) != 1 || len(faults[0].Help) != 2 || faults[0].Help[1] != want {
		t.Fatalf("%v: %q", faults, faults[0].Help)
	}
	_, faults = Generate(t.Context(), Config{Dir: writeLosing(t, `[ { name --> "t", function --> "Draw" --> { `+notes+` }, `+schema+` } ]`)})
	if len(faults) > 0 {
		t.Error(faults)
	}
}

// TestOmittedFieldNote checks that a note on a field may omit it if the function also takes options,
// which are left out.
func TestOmittedFieldNote(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/lose\n\ngo 1.26\n",
		"a.go":   "package lose\n\n// In is the input.\ntype In struct{ A string; B int; C bool }\n\n// Options are options.\ntype Options struct{}\n\n// Send sends.\nfunc Send(in In, options ...func(*Options)) error { return nil }\n",
		"a.aion": "[ { name --> \"send\", function --> \"Send\" --> { arg-1 --> \"string\", arg-2 --> \"int | omit\", arg-3 --> \"bool\" } } ]\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	_, faults := Generate(t.Context(), Config{Dir: dir})
	for _, d := range faults {
		if d.Code == "internal" {
			t.Errorf("%s", d.Message)
		}
		for _, help := range d.Help {
			if strings.Contains(help, `B --> `) {
				t.Errorf("the help has the omitted field: %s", help)
			}
		}
	}
	if err := faults.Err(); err != nil {
		t.Error(err)
	}
}
