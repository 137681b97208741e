// Package llmtest checks implementations of [llm.Model]. Call [Test] in a test of the
// implementation, with a [Provider] that connects the model to a double of its provider:
//
//	func TestModel(t *testing.T) {
//		llmtest.Test(t, llmtest.Provider{
//			Name: "openai",
//			Model: func(t testing.TB, d *llmtest.Double) llm.Model {
//				return openai.New("m", openai.BaseURL(d.Serve(t, protocol{})+"/v1"), openai.NoRetry())
//			},
//			Targets: []schema.Target{schema.OpenAI},
//		})
//	}
//
// The test scripts the answers of the double without knowing the wire format. A [Protocol] encodes
// them, and decodes the requests of the model. It refuses requests that the vendor refuses. With
// the flag -v, Test prints a table of its tests and the models:
//
//	go test -v -run TestModel . | grep '^ *|'
package llmtest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/schema"
)

// Provider describes a model under test.
type Provider struct {
	Name string

	// Model returns the model under test, which must send its requests to d: either over HTTP, see
	// [Double.Serve], or by calling [Double.Generate]. The model must not retry requests.
	Model func(t testing.TB, d *Double) llm.Model

	// Targets are the targets for one of which the model lowers each definition of a tool. A model
	// without targets has no wire format: the double must receive definitions unchanged, and tests of
	// the wire format do not apply.
	Targets []schema.Target

	// Lacks contains the names of tests that the model cannot pass, with the reasons. A model that
	// lacks a part of a request must refuse requests with it: it must return an error of the kind
	// [llm.BadRequest] without sending anything. If it lacks the limit to one call, it may also keep
	// only the first one.
	Lacks map[string]string

	// Extra contains an additional member of a request, by a name that the provider knows. The
	// default is {"user": "ada"}.
	Extra map[string]json.RawMessage

	// Effort is a level of reasoning that the provider knows. The default is "low".
	Effort string

	// TypeScript describes the vendor's type of a request, if it publishes one.
	TypeScript TypeScript

	// Page is the path of a page with a table in Markdown that has a column with the name of the
	// provider, or "". The first cell of each row is the name of a test or of a note. [Test] compares the
	// other cell with the result of the test, the reason in Lacks and the note.
	Page string

	// Notes say what is lost, or how a provider supports what there is no test for, by the first cell of
	// a row.
	Notes map[string]string
}

// Key is the key that the model under test should have, if it needs one. It must not appear in
// errors, nor where the model is printed.
const Key = "sk-llmtest-0123456789abcdef"

// result is the outcome of a test for a model.
type result string

const (
	passed  result = "pass"
	refused result = "refused" // the model refuses what it lacks
	lacking result = "–"
	failed  result = "FAIL"
)

// tests are the rows of the table.
var tests = slices.Concat(textTests, inputTests, settingTests, callTests, messageTests, answerTests, errorTests, contextTests, hostileTests)

// Test runs all tests for each of the models.
func Test(t *testing.T, providers ...Provider) {
	table := map[string]map[string]result{}
	for _, p := range providers {
		t.Run(p.Name, func(t *testing.T) { table[p.Name] = testProvider(t, p) })
	}
	t.Log("\n" + formatTable(providers, table))
}

// testProvider runs all tests for a model and returns their results by name.
func testProvider(t *testing.T, p Provider) map[string]result {
	for name := range p.Lacks {
		if !slices.ContainsFunc(tests, func(test test) bool { return test.name == name }) {
			t.Errorf("Lacks contains %q, but there is no such test", name)
		}
	}
	results := map[string]result{}
	var sent requestLog
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { results[test.name] = runTest(t, p, test, &sent) })
		if results[test.name] == "" {
			results[test.name] = failed
		}
	}
	if p.Page != "" {
		t.Run("page", func(t *testing.T) { checkPage(t, p, results) })
	}
	if p.TypeScript.Type != "" {
		t.Run("TypeScript", func(t *testing.T) { p.TypeScript.check(t, sent.bodies) })
	}
	return results
}

// runTest runs a test in all modes.
func runTest(t *testing.T, p Provider, test test, sent *requestLog) result {
	outcome := passed
	run := test.run
	if test.wire && len(p.Targets) == 0 {
		return lacking
	}
	if p.Lacks[test.name] != "" {
		if test.lacking == nil {
			return lacking
		}
		run, outcome = test.lacking, refused
	}
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			c := newCheck(t, p, mode)
			run(c)
			c.double.checkUsed(t)
			if c.figure != "" {
				outcome = result(c.figure)
			}
			if !test.untyped {
				sent.add(c.double.Requests())
			}
		})
	}
	if t.Failed() {
		return failed
	}
	return outcome
}

// formatTable returns a table of tests and models in Markdown, with the reasons why tests do not apply.
func formatTable(providers []Provider, table map[string]map[string]result) string {
	var b strings.Builder
	b.WriteString("| test |")
	for _, p := range providers {
		b.WriteString(" " + p.Name + " |")
	}
	b.WriteString("\n|" + strings.Repeat(" --- |", len(providers)+1) + "\n")
	for _, test := range tests {
		b.WriteString("| " + test.name + " |")
		for _, p := range providers {
			fmt.Fprintf(&b, " %s |", table[p.Name][test.name])
		}
		b.WriteString("\n")
	}
	for _, p := range providers {
		for _, test := range tests {
			if reason := p.Lacks[test.name]; reason != "" {
				fmt.Fprintf(&b, "\n%s, %s: %s", p.Name, test.name, reason)
			}
		}
	}
	return b.String()
}
