package gen

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/aion/diag"
)

// TestEndings checks the diagnostics for functions that never return, in libraries and in the package
// itself.
func TestEndings(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	const source = `package m

import (
	"log"
	other "os"
	"os"
)

var Logger = log.Default()

func Quit() { os.Exit(1) }

func Stop(why string) { log.Fatalf("stopped: %s", why) }

func Stub() string {
	// It is yet to be written.
	panic("not written yet")
}

type T struct{}

func (T) Stub() { panic(1) }

func More(n int) int { if n > 0 { panic(n) }; return n }

func Renamed() { other.Exit(1) }

func Prints() { log.Println("a") }

func Two() { log.Println("a"); os.Exit(1) }
`
	type message struct {
		code diag.Code
		text string
	}
	none := message{}
	for function, want := range map[string]message{
		"os.Exit":        {"unfit-function", "Exit ends the process"},
		"syscall.Exit":   {"unfit-function", "Exit ends the process"},
		"log.Fatalln":    {"unfit-function", "Fatalln ends the process"},
		"log.Panicf":     {"unfit-function", "Panicf always panics"},
		"Logger.Fatal":   {"unfit-function", "Fatal ends the process"},
		"runtime.Goexit": {"unfit-function", "Goexit ends the goroutine of the call"},
		"Quit":           {"never-returns", "Quit ends the process"},
		"Stop":           {"never-returns", "Stop ends the process"},
		"Stub":           {"never-returns", "Stub always panics"},
		"T.Stub":         {"never-returns", "Stub always panics"},
		"More":           none,
		"Renamed":        none,
		"Prints":         none,
		"Two":            none,
		"os.Getenv":      none,
		"(*T).Stub":      {"never-returns", "Stub always panics"},
	} {
		dir := writeFiles(t, map[string]string{"m.go": source, "m.aion": strings.Replace(oneTool, `"F"`, fmt.Sprintf("%q", function), 1)})
		_, faults := Generate(t.Context(), Config{Dir: dir})
		var got message
		for _, d := range faults {
			got = message{d.Code, d.Message}
		}
		if got.code != want.code || !strings.Contains(got.text, want.text) {
			t.Errorf("%s: %v, want %v", function, got, want)
		}
	}
}

// TestCopiedTags checks that a struct whose fields all have the same JSON name is reported with the
// fields, wherever it is used.
func TestCopiedTags(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	const fields = "{\n\tA string `json:\"id\"`\n\tB int `json:\"id\"`\n\tC bool `json:\"id\"`\n}\n\n"
	for function, want := range map[string]string{
		"func F(s S) {}":                           "f: encoding/json drops fields with the same name in the arguments: s.id (A, B, C)",
		"func F(n int, s *S) {}":                   "f: encoding/json drops fields with the same name in the arguments: s.id (A, B, C)",
		"func F(s []S) {}":                         "f: encoding/json drops fields with the same name in the arguments: s.id (A, B, C)",
		"func F(s struct{ N int; Inner S }) {}":    "f: encoding/json drops fields with the same name in the arguments: Inner.id (A, B, C)",
		"func F() (*S, error) { return nil, nil }": "f: encoding/json drops fields with the same name in the result: id (A, B, C)",
	} {
		_, faults := compileOne(t, "type S struct "+fields+function)
		told := false
		for _, d := range faults {
			told = told || d.Code == "dropped-field" && d.Message == want
		}
		if !told {
			t.Errorf("%s: %v", function, faults)
		}
	}
}
