package aion

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/aion/diag"
)

var update = flag.Bool("update", false, "rewrite the .want files in testdata")

// TestBad compares the diagnostics for wrong files with the expected ones.
func TestBad(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.aion")
	if err != nil || len(files) == 0 {
		t.Fatal("no test data", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			name := filepath.Base(file)
			doc, list := Parse(name, src)
			list = append(list, Check(doc)...)
			var got bytes.Buffer
			read := func(string) ([]byte, error) { return src, nil }
			if err := (diag.Printer{Read: read}).Print(&got, list); err != nil {
				t.Fatal(err)
			}
			if list.Err() == nil {
				t.Error("no error")
			}
			compareGolden(t, strings.TrimSuffix(file, ".aion")+".want", got.Bytes())
		})
	}
}

func compareGolden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s differs (-want +got):\n%s", file, d)
	}
}
