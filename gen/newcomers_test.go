package gen_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
)

const newcomersDir = "../testdata/newcomers"

// TestNewcomers compiles the mistakes in mistakes.txt, each with the package in tools.go, and compares
// the diagnostics. The lines of a mistake begin with
//
//	#  what is written
//	+  a line of another Go file of the package, if any
//	>  a line of the .aion file
//	<  a line of the diagnostics
//	=  a line of the .aion file after all edits that the diagnostics propose, which must compile
//
// The last two kinds are written with -update.
func TestNewcomers(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles more than a hundred packages")
	}
	golden := filepath.Join(newcomersDir, "mistakes.txt")
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	mistakes := strings.Split(string(want), "\n# ")[1:]
	if len(mistakes) < 80 {
		t.Errorf("%d mistakes, want at least 80", len(mistakes))
	}
	reports := make([]string, len(mistakes))
	t.Run("mistakes", func(t *testing.T) {
		for i, mistake := range mistakes {
			title, _, _ := strings.Cut(mistake, "\n")
			t.Run(title, func(t *testing.T) {
				t.Parallel()
				reports[i] = reportMistake(t, mistake)
			})
		}
	})
	head, _, _ := strings.Cut(string(want), "\n# ")
	got := head + "\n# " + strings.Join(reports, "\n# ")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for i, mistake := range mistakes {
		if strings.TrimSpace(mistake) != strings.TrimSpace(reports[i]) {
			t.Errorf("got\n%s\nwant\n%s", reports[i], mistake)
		}
	}
}

// reportMistake returns a mistake of mistakes.txt with the diagnostics that it causes.
func reportMistake(t *testing.T, mistake string) string {
	t.Helper()
	var kept, notation, other strings.Builder
	for line := range strings.Lines(mistake) {
		kind, text := line[:1], strings.TrimPrefix(line[1:], " ")
		switch kind {
		case "<", "=", "\n":
			continue
		case ">":
			notation.WriteString(text)
		case "+":
			other.WriteString(text)
		}
		kept.WriteString(line)
	}
	dir := t.TempDir()
	source, err := os.ReadFile(filepath.Join(newcomersDir, "tools.go"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"go.mod": "module example.com/tools\n\ngo 1.26\n", "tools.go": string(source), "tools.aion": notation.String()}
	if other.Len() > 0 {
		files["other.go"] = other.String()
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_, faults := gen.Generate(t.Context(), gen.Config{Dir: dir})
	var shown bytes.Buffer
	printer := diag.Printer{Read: func(file string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, file)) }}
	if err := printer.Print(&shown, faults); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(strings.ReplaceAll(shown.String(), dir, "DIR")) {
		fmt.Fprintf(&kept, "< %s", strings.TrimLeft(line, "\n"))
		if line == "\n" {
			kept.WriteString("\n")
		}
	}
	for line := range strings.Lines(editedText(t, dir, faults)) {
		kept.WriteString("= " + line)
	}
	return kept.String()
}

// editedText returns the .aion file after the edits that diagnostics propose, certain or not, and ""
// if they propose none. The edited file must compile.
func editedText(t *testing.T, dir string, faults diag.List) string {
	t.Helper()
	var codes []diag.Code
	proposed := false
	for _, d := range faults {
		proposed = proposed || len(d.Fixes) > 0
		codes = append(codes, d.Code)
	}
	if !proposed {
		return ""
	}
	result, _, left := gen.Fix(t.Context(), gen.Config{Dir: dir}, codes...)
	if left.Err() != nil || len(result.Changes) != 1 {
		t.Errorf("after the edits: %d changes, %v", len(result.Changes), left)
		return ""
	}
	return string(result.Changes[0].New)
}
