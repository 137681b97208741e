package explain_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
	"github.com/aiongen/aiongen/gen/internal/explain"
)

// unfixed are the codes whose examples no edit can fix, each with the reason.
var unfixed = map[diag.Code]string{
	"ambiguous-import":     "it is fixed in a Go file",
	"bad-annotation":       "it is fixed in a Go file",
	"bad-file-name":        "the file gets another name",
	"bad-injection":        "it is fixed in a Go file",
	"bad-representation":   "it is fixed in a Go file",
	"bad-literal-function": "the Go compiler says what is wrong, not what is right",
	"bad-pass-context":     "it is fixed in a Go file",
	"bad-tag":              "it is fixed in a Go file",
	"bad-union":            "it is fixed in a Go file",
	"union-clash":          "it is fixed in a Go file",
	"breaking-argument":    "what was promised is kept or broken on purpose",
	"breaking-prompt":      "what was promised is kept or broken on purpose",
	"breaking-result":      "what was promised is kept or broken on purpose",
	"breaking-tool":        "what was promised is kept or broken on purpose",
	"broken-go":            "it is fixed in a Go file",
	"changed-default":      "what was promised is kept or changed on purpose",
	"clashing-injection":   "it is fixed in a Go file",
	"compatible-change":    "nothing is wrong",
	"dropped-field":        "it is fixed in a Go file",
	"empty-text":           "what it should say only the author knows",
	"foreign-file":         "the Go file gets another name",
	"lambda-number":        "what number was meant only the author knows",
	"lost-value":           "it is fixed in a Go file, or is meant",
	"lambda-syntax":        "where the expression should end only the author knows",
	"left-out":             "it is fixed in a Go file, or is meant",
	"mixed-packages":       "it is fixed in a Go file",
	"misplaced-none":       "the type only the author knows",
	"missing-description":  "the guess is a TODO: what the model has to know only the author does",
	"missing-name":         "what models call the tool only the author knows",
	"missing-value":        "the value only the author knows",
	"needs-scope":          "it is fixed in a Go file, or is meant",
	"never-returns":        "it is fixed in a Go file",
	"no-description":       "it is fixed in a Go file",
	"no-go-files":          "a Go file is missing",
	"not-a-function":       "which function was meant only the author knows",
	"not-filled":           "it is fixed in a Go file",
	"passed-over":          "the file gets another name",
	"repeated-option":      "which of the two was meant only the author knows",
	"repeated-prompt":      "how the two are joined only the author knows",
	"repeated-property":    "which of the two was meant only the author knows",
	"repeated-tool":        "what else to call it only the author knows",
	"reserved-name":        "it is fixed in a Go file",
	"suspicious-comment":   "it is fixed in a Go file",
	"target-drops":         "what else to call the value only the author knows",
	"target-quotes":        "it is fixed in Go, or is meant",
	"target-refuses":       "it is fixed in a Go file",
	"todo":                 "what the model has to know only the author does",
	"unfit-function":       "it is fixed in a Go file",
	"unsupported-python":   "it is to be written in Go",
	"untold-type":          "it is fixed in a Go file",
	"unused-injection":     "it is fixed in a Go file",
	"unused-pass-context":  "it is fixed in a Go file",
}

// TestFixes applies all edits of the wrong examples, including guesses. The results must be the
// correct examples.
func TestFixes(t *testing.T) {
	for _, topic := range explain.All() {
		if slices.Contains(untold, topic.Code) {
			continue
		}
		t.Run(string(topic.Code), func(t *testing.T) {
			t.Parallel()
			fixed := applyFixes(t, topic)
			same := slices.EqualFunc(fixed, topic.Right, func(a, b txtar.File) bool {
				return a.Name == b.Name && bytes.Equal(a.Data, b.Data)
			})
			switch reason := unfixed[topic.Code]; {
			case same && reason != "":
				t.Errorf("it can be fixed, though %s", reason)
			case !same && reason == "":
				t.Errorf("the edits make this of the wrong example:\n%s", txtar.Format(&txtar.Archive{Files: fixed}))
			}
		})
	}
}

// applyFixes returns the files of the wrong example with all edits applied. Examples with Go are compiled,
// others only parsed.
func applyFixes(t *testing.T, topic explain.Topic) (fixed []txtar.File) {
	t.Helper()
	dir := directory(t, slices.Concat(topic.Given, topic.Wrong))
	if slices.ContainsFunc(slices.Concat(topic.Given, topic.Wrong, topic.Right), isGo) {
		result, _, _ := gen.Fix(t.Context(), gen.Config{Dir: dir, Patterns: []string{"./..."}}, topic.Code)
		if err := result.Write(); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range topic.Wrong {
		data, err := os.ReadFile(filepath.Join(dir, f.Name))
		if err != nil {
			t.Fatal(err)
		}
		if !isGo(f) {
			data = mendText(f.Name, data)
		}
		fixed = append(fixed, txtar.File{Name: f.Name, Data: data})
	}
	return fixed
}

// mendText applies the edits that parsing suggests.
func mendText(name string, text []byte) []byte {
	for range 10 {
		doc, list := aion.Parse(name, text)
		list = append(list, aion.Check(doc)...)
		var fixes []diag.Fix
		for _, d := range list {
			fixes = append(fixes, d.Fixes...)
		}
		text, _ = aion.ApplyFixes(name, text, fixes)
	}
	return text
}
