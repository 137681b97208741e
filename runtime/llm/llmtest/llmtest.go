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
// The tests do not depend on the wire format: a [Protocol] encodes the scripted answers of the double,
// decodes the requests of the model, and refuses requests that the vendor refuses. With the flag -v,
// Test prints a table of its tests and the models:
//
//	go test -v -run TestModel . | grep '^ *|'
package llmtest

import (
	"encoding/json"
	"fmt"
	"maps"
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

	// Targets contains the targets for which the model may lower the definition of a tool. A model
	// without targets has no wire format: the double must receive definitions unchanged, and tests of
	// the wire format do not apply.
	Targets []schema.Target

	// Lacks contains the names of tests that the model cannot pass, with the reasons. If the model
	// does not support a feature of requests, it must refuse requests that use the feature: it must
	// return an error of the kind [llm.BadRequest] without sending anything. If it does not support
	// OneCall, it may instead return only the first call of an answer.
	Lacks map[string]string

	// Extra contains an additional member of requests that the provider supports. The default is
	// {"user": "ada"}.
	Extra map[string]json.RawMessage

	// Effort is a level of reasoning that the provider supports. The default is "low".
	Effort string

	// TypeScript describes the vendor's type of a request, if the vendor publishes one.
	TypeScript TypeScript

	// Page is the path of a Markdown page with a table that has a column for the provider, or "". The
	// first cell of each row is the name of a test or a key of Notes. [Test] compares the cell in the
	// column with the outcome of the test, the reason in Lacks and the note.
	Page string

	// Notes contains notes for the cells of the page, by the first cell of the row: what is lost, or
	// how the provider supports a feature without a test.
	Notes map[string]string
}

// Key is the key to configure in the model under test, if it needs one. It must appear neither in
// errors nor when the model is printed.
const Key = "sk-llmtest-0123456789abcdef"

// result is the outcome of a test for a model.
type result string

const (
	resultPassed  result = "pass"
	resultRefused result = "refused" // the model refuses the unsupported feature, as it must
	resultLacking result = "–"       // the test does not apply
	resultFailed  result = "FAIL"
)

// tests contains all tests, in the order of the table.
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
	sent := map[string]bool{} // bodies of requests
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { results[test.name] = runTest(t, p, test, sent) })
		if results[test.name] == "" {
			results[test.name] = resultFailed
		}
	}
	if p.Page != "" {
		t.Run("page", func(t *testing.T) { checkPage(t, p, results) })
	}
	if p.TypeScript.Type != "" {
		t.Run("TypeScript", func(t *testing.T) { p.TypeScript.check(t, slices.Sorted(maps.Keys(sent))) })
	}
	return results
}

// runTest runs a test in all modes. It adds the bodies of requests to sent.
func runTest(t *testing.T, p Provider, test test, sent map[string]bool) result {
	outcome := resultPassed
	run := test.run
	if test.needsWire && len(p.Targets) == 0 {
		return resultLacking
	}
	if p.Lacks[test.name] != "" {
		if test.runLacking == nil {
			return resultLacking
		}
		run, outcome = test.runLacking, resultRefused
	}
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			c := newCheck(t, p, mode)
			run(c)
			c.double.checkUsed(t)
			if c.measured != "" {
				outcome = result(c.measured)
			}
			for _, r := range c.double.Requests() {
				if !test.untyped {
					sent[string(r.Body)] = true
				}
			}
		})
	}
	if t.Failed() {
		return resultFailed
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
