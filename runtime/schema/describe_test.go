package schema_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// promptDefinitions returns the definitions in a file of testdata.
func promptDefinitions(t *testing.T, file string) (all []tool.Definition) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// golden compares a text with a file in testdata.
func golden(t *testing.T, file, got string) {
	t.Helper()
	file = filepath.Join("testdata", file)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; see it with -update\n%s", file, got)
	}
}

func TestText(t *testing.T) {
	all := promptDefinitions(t, "prompt_definitions.json")
	golden(t, "text.golden", schema.Describe(all))
	if got := schema.Describe(nil); got != "" {
		t.Errorf("got %q", got)
	}

	// In a scope that allows every argument to be a reference, the text says so.
	r := tool.NewRegistry()
	for _, d := range all { // those that have schemas, if any
		_ = r.Replace(tool.NewTypedAction(&d, wire.NoArguments, func(context.Context, struct{}) error { return nil }).Tool)
	}
	golden(t, "text_references.golden", schema.Describe(r.Available(tool.NewScope(tool.ReferToValues()))))
}
