// Package xgrammar asks XGrammar, which constrains the output of models in vLLM, SGLang and other
// servers, what it accepts.
package xgrammar

import (
	_ "embed"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/aiongen/aiongen/conformance/internal/npm"
)

//go:embed xgrammar.cjs
var script []byte

// Question asks about one JSON Schema.
type Question struct {
	Schema  string   `json:"schema"`
	Texts   []string `json:"texts,omitempty"`   // to be accepted or not
	Samples int      `json:"samples,omitempty"` // how many texts to generate
	Seed    int      `json:"seed"`
}

// Answer answers a Question.
type Answer struct {
	Error    string   `json:"error"`    // why XGrammar rejects the schema
	Accepted []bool   `json:"accepted"` // for each text
	Samples  []string `json:"samples"`  // random texts that XGrammar accepts; some generated texts become too long and are missing
}

// Engine is a pool of Node processes with XGrammar. It is safe for concurrent use.
type Engine struct{ idle chan *process }

type process struct {
	questions *json.Encoder
	answers   *json.Decoder
}

// Start starts processes that run until the end of the test. It skips the test without the packages of npm; see
// [npm.Folder].
func Start(t *testing.T, processes int) *Engine {
	t.Helper()
	folder := npm.Folder(t, "@mlc-ai/web-xgrammar")
	text, err := os.ReadFile(filepath.Join(folder, "@mlc-ai", "web-xgrammar", "lib", "index.js"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program, library := filepath.Join(dir, "xgrammar.cjs"), filepath.Join(dir, "library.cjs")
	for name, text := range map[string][]byte{program: script, library: text} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e := &Engine{make(chan *process, processes)}
	for range processes {
		stdin, stdout := npm.Start(t, program, library)
		e.idle <- &process{json.NewEncoder(stdin), json.NewDecoder(stdout)}
	}
	return e
}

// Ask answers a question.
func (e *Engine) Ask(t *testing.T, q Question) Answer {
	t.Helper()
	p := <-e.idle
	defer func() { e.idle <- p }()
	var a Answer
	if err := p.questions.Encode(q); err != nil {
		t.Fatal(err)
	}
	if err := p.answers.Decode(&a); err != nil {
		t.Fatal(err)
	}
	return a
}
