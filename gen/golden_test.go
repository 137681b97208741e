package gen_test

import (
	"bytes"
	"context"
	"flag"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
	"github.com/aiongen/aiongen/gen/internal/load"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const goldenDir = "../testdata/golden"

// TestGolden compiles every package under testdata/golden. The expected files are next to its sources,
// or in a directory gen if there is one. The expected diagnostics are in diagnostics.txt.
func TestGolden(t *testing.T) {
	dirs, err := filepath.Glob(filepath.Join(goldenDir, "*"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no golden packages in %s (%v)", goldenDir, err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			cfg := gen.Config{Dir: dir}
			if _, err := os.Stat(filepath.Join(dir, "gen")); err == nil {
				cfg.Output = "gen"
			}
			result, faults := gen.Generate(t.Context(), cfg)
			checkDiagnostics(t, dir, faults)
			if *update {
				if err := result.Write(); err != nil {
					t.Fatal(err)
				}
			} else if diff := result.Diff(); len(diff) > 0 {
				t.Errorf("generated code differs; see it with -update\n%s", diff)
			}
		})
	}
}

func checkDiagnostics(t *testing.T, dir string, faults diag.List) {
	t.Helper()
	var got bytes.Buffer
	printer := diag.Printer{Read: func(file string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, file)) }}
	if err := printer.Print(&got, faults); err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join(dir, "diagnostics.txt")
	if *update {
		var err error
		if os.Remove(golden); got.Len() > 0 {
			err = os.WriteFile(golden, got.Bytes(), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("diagnostics are\n%s\nwant\n%s", got.Bytes(), want)
	}
}

// TestGoldenFormatted checks that a file that was printed in parts is formatted as a whole.
func TestGoldenFormatted(t *testing.T) {
	n := 0
	for _, pattern := range []string{"*/*", "*/gen/*"} {
		names, err := filepath.Glob(filepath.Join(goldenDir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range slices.DeleteFunc(names, func(name string) bool { return !load.IsGenerated(name) }) {
			n++
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if formatted, err := format.Source(text); err != nil || !bytes.Equal(formatted, text) {
				t.Errorf("%s is not formatted (%v)", name, err)
			}
		}
	}
	if n < 50 {
		t.Errorf("%d files", n)
	}
}

// brokenGo are the golden packages whose Go code does not compile.
var brokenGo = []string{"representation_mistakes"}

// TestGoldenVets compiles the golden packages and runs go vet on them.
func TestGoldenVets(t *testing.T) {
	if testing.Short() {
		t.Skip("go vet takes seconds")
	}
	dirs, err := filepath.Glob(filepath.Join(goldenDir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"vet"}
	for _, dir := range dirs {
		if !slices.Contains(brokenGo, filepath.Base(dir)) {
			args = append(args, dir+"/...")
		}
	}
	out, err := exec.CommandContext(t.Context(), "go", args...).CombinedOutput()
	if err != nil {
		t.Errorf("go vet: %v\n%s", err, out)
	}
}

// TestDeterminism compiles a package from different directories and in different environments. The
// output must be identical.
func TestDeterminism(t *testing.T) {
	first := contents(t, gen.Config{Dir: filepath.Join(goldenDir, "types")})
	t.Setenv("GOMAXPROCS", "1")
	second := contents(t, gen.Config{Dir: "..", Patterns: []string{"./testdata/golden/types"}})
	for name, content := range first {
		if !bytes.Equal(content, second[name]) {
			t.Errorf("%s differs between two runs", name)
		}
	}
}

// contents generates a package into an empty directory and returns all files that would be written, by
// base name.
func contents(t *testing.T, cfg gen.Config) map[string][]byte {
	t.Helper()
	cfg.Output = filepath.Join(t.TempDir(), "out")
	result, faults := gen.Generate(context.Background(), cfg)
	if err := faults.Err(); err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, c := range result.Changes {
		files[filepath.Base(c.Name)] = c.New
	}
	if len(files) == 0 {
		t.Fatal("nothing was generated")
	}
	return files
}

// TestNoDirectory compiles in paths that are not directories.
func TestNoDirectory(t *testing.T) {
	for _, dir := range []string{filepath.Join(t.TempDir(), "nowhere"), "golden_test.go"} {
		result, faults := gen.Generate(t.Context(), gen.Config{Dir: dir})
		if len(faults) != 1 || faults[0].Code != "no-directory" || len(result.Changes) > 0 {
			t.Errorf("%s: got %v and %d changes", dir, faults, len(result.Changes))
		}
	}
}
