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

// unmended are the codes whose examples no edit can mend, each with the reason.
var unmended = map[diag.Code]string{
	"ambiguous-import":     "it is mended in a Go file",
	"bad-annotation":       "it is mended in a Go file",
	"bad-bound":            "which of the two bounds is wrong only the author knows",
	"bad-file-name":        "the file gets another name",
	"bad-injection":        "it is mended in a Go file",
	"bad-literal-function": "the Go compiler says what is wrong, not what is right",
	"bad-tag":              "it is mended in a Go file",
	"breaking-argument":    "what was promised is kept or broken on purpose",
	"breaking-prompt":      "what was promised is kept or broken on purpose",
	"breaking-result":      "what was promised is kept or broken on purpose",
	"breaking-tool":        "what was promised is kept or broken on purpose",
	"broken-go":            "it is mended in a Go file",
	"changed-default":      "what was promised is kept or changed on purpose",
	"clashing-injection":   "it is mended in a Go file",
	"compatible-change":    "nothing is wrong",
	"dropped-field":        "it is mended in a Go file",
	"empty-text":           "what it should say only the author knows",
	"foreign-file":         "the Go file gets another name",
	"lambda-number":        "what number was meant only the author knows",
	"lambda-syntax":        "where the expression should end only the author knows",
	"left-out":             "it is mended in a Go file, or is meant",
	"mixed-packages":       "it is mended in a Go file",
	"misplaced-none":       "the type only the author knows",
	"missing-description":  "the guess is a TODO: what the model has to know only the author does",
	"missing-function":     "what the tool runs only the author knows",
	"missing-name":         "what models call the tool only the author knows",
	"missing-value":        "the value only the author knows",
	"needs-scope":          "it is mended in a Go file, or is meant",
	"never-returns":        "it is mended in a Go file",
	"no-description":       "it is mended in a Go file",
	"no-go-files":          "a Go file is missing",
	"not-a-function":       "which function was meant only the author knows",
	"not-filled":           "it is mended in a Go file",
	"passed-over":          "the file gets another name",
	"repeated-option":      "which of the two was meant only the author knows",
	"repeated-prompt":      "how the two are joined only the author knows",
	"repeated-property":    "which of the two was meant only the author knows",
	"repeated-tool":        "what else to call it only the author knows",
	"reserved-name":        "it is mended in a Go file",
	"suspicious-comment":   "it is mended in a Go file",
	"target-drops":         "what else to call the value only the author knows",
	"target-quotes":        "it is mended in Go, or is meant",
	"target-refuses":       "it is mended in a Go file",
	"todo":                 "what the model has to know only the author does",
	"unfit-function":       "it is mended in a Go file",
	"unsupported-python":   "it is to be written in Go",
	"untold-type":          "it is mended in a Go file",
	"unused-injection":     "it is mended in a Go file",
}

// TestFixes makes all edits that wrong examples carry, guesses too: what comes of them
// are the right examples.
func TestFixes(t *testing.T) {
	for _, topic := range explain.All() {
		if slices.Contains(untold, topic.Code) {
			continue
		}
		t.Run(string(topic.Code), func(t *testing.T) {
			t.Parallel()
			mended := mend(t, topic)
			same := slices.EqualFunc(mended, topic.Right, func(a, b txtar.File) bool {
				return a.Name == b.Name && bytes.Equal(a.Data, b.Data)
			})
			switch reason := unmended[topic.Code]; {
			case same && reason != "":
				t.Errorf("it can be mended, though %s", reason)
			case !same && reason == "":
				t.Errorf("the edits make this of the wrong example:\n%s", txtar.Format(&txtar.Archive{Files: mended}))
			}
		})
	}
}

// mend returns the files of the wrong example with all edits made: compiled where there
// is Go, else parsed alone.
func mend(t *testing.T, topic explain.Topic) (mended []txtar.File) {
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
		mended = append(mended, txtar.File{Name: f.Name, Data: data})
	}
	return mended
}

// mendText makes the edits that parsing alone tells.
func mendText(name string, text []byte) []byte {
	for range 10 {
		doc, list := aion.Parse(name, text)
		list = append(list, aion.Check(doc)...)
		var fixes []diag.Fix
		for _, d := range list {
			fixes = append(fixes, d.Fixes...)
		}
		text, _ = aion.Mend(name, text, fixes)
	}
	return text
}
