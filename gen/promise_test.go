package gen

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestReadPromises checks the tools, arguments and prompts that are read from generated packages.
func TestReadPromises(t *testing.T) {
	promises, faults := readPromises(t.Context(), Config{Dir: "../testdata/golden", Patterns: []string{"./functions", "./prompts"}}, false)
	if err := faults.Err(); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range promises.Tools {
		if p.Name == "several" || p.Name == "scan" {
			got = append(got, filepath.Base(p.Package)+" "+p.Name)
			for _, a := range p.Arguments {
				got = append(got, fmt.Sprint("- ", a.Name, " ", a.Required))
			}
		}
	}
	for _, p := range promises.Prompts {
		got = append(got, filepath.Base(p.Package)+" "+p.Name)
	}
	want := []string{
		"functions several", "- user_id true", "- limit false", "- rest false",
		"functions scan", "- verbose false", "- depth true",
		"prompts system_prompt", "prompts rules", "prompts wrapped_query",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestMayMatch checks that only patterns that can match packages with .aion files are used.
func TestMayMatch(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "a", "empty"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a", "x.aion"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string]bool{
		"./a": true, "./a/...": true, "./...": true, "example.com/m/a": true, "...": true,
		".": false, "./a/empty": false, "./a/empty/...": true, "./b": false, "./b/...": false,
	} {
		if got := mayMatch(dir, pattern); got != want {
			t.Errorf("%s: %v", pattern, got)
		}
	}
}
