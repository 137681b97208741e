package gen

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/aion/diag"
)

// desk writes a package with one function and an .aion file, and returns its directory.
func desk(t *testing.T, text string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, content := range map[string]string{
		"go.mod":    "module example.com/desk\n\ngo 1.26\n",
		"desk.go":   "package desk\n\n// Find finds a ticket.\nfunc Find(id int) string { return \"\" }\n",
		"desk.aion": text,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// fixText is the text after fixing, with the remaining diagnostics.
func fixText(t *testing.T, text string, guess ...diag.Code) (edited string, left diag.List) {
	t.Helper()
	result, _, left := Fix(t.Context(), Config{Dir: desk(t, text)}, guess...)
	if len(result.Changes) == 0 {
		return text, left
	}
	if len(result.Changes) != 1 || result.Changes[0].Name != "desk.aion" {
		t.Errorf("%+v", result.Changes)
	}
	return string(result.Changes[0].New), left
}

func TestFix(t *testing.T) {
	for _, tt := range []struct {
		name, text, want string
		guess            []diag.Code
		left             []diag.Code
	}{
		{
			name: "what follows from what was edited",
			text: `[ { name = find, "function" --> Find } ]`,
			want: `[ { name --> "find", function --> "Find" --> {} } ]`,
		},
		{
			name: "formatting stays",
			text: "\ufeff[\r\n\t{ name-->\"find\" , // a\r\n  function-->\"Find\" { arg-1 --> 'int: é' } }]",
			want: "\ufeff[\r\n\t{ name-->\"find\" , // a\r\n  function-->\"Find\" --> { arg-1 --> \"int (é)\" } }]",
		},
		{
			name: "guesses stay",
			text: `[ { name --> "find", function --> "Fnd" --> { arg-1 --> "string" } } ]`,
			want: `[ { name --> "find", function --> "Fnd" --> { arg-1 --> "string" } } ]`,
			left: []diag.Code{"ghost-tool"},
		},
		{
			name:  "guesses of one code",
			text:  `[ { name --> "find", function --> "Fnd" --> { arg-1 --> "string" } } ]`,
			want:  `[ { name --> "find", function --> "Find" --> { arg-1 --> "string" } } ]`,
			guess: []diag.Code{"ghost-tool"},
			left:  []diag.Code{"type-mismatch"},
		},
		{
			name: "an edit that does harm",
			text: `[ { name --> "find", function --> "Find" --> { arg-1 --> "int | minimum=x | maximum=7" } } ]`,
			want: `[ { name --> "find", function --> "Find" --> { arg-1 --> "int | minimum=x | max=7" } } ]`,
			left: []diag.Code{"suspicious-note"},
		},
		{
			name: "an element that is as it is beside one that is edited",
			text: `[ { name --> "find", function: "Find" --> {} }, { name --> "manual", description --> "The manual." } ]`,
			want: `[ { name --> "find", function --> "Find" --> {} }, { name --> "manual", description --> "The manual." } ]`,
			left: []diag.Code{"missing-function"},
		},
		{
			name: "a function that is missing, with the name of the tool",
			text: `[ { name --> "find", description --> "Finds." } ]`,
			want: `[ { name --> "find", function --> "Find" --> {}, description --> "Finds." } ]`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, left := fixText(t, tt.text, tt.guess...)
			if got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
			var codes []diag.Code
			for _, d := range left {
				codes = append(codes, d.Code)
			}
			if len(codes) != len(tt.left) || len(codes) > 0 && codes[0] != tt.left[0] {
				t.Errorf("left are %v, want %v", left, tt.left)
			}
		})
	}
}

// TestFixMeanwhile writes fixes to a file that has changed since it was read. The file must not be
// changed.
func TestFixMeanwhile(t *testing.T) {
	dir := desk(t, `[ { name: "find", function --> "Find" --> {} } ]`)
	path := filepath.Join(dir, "desk.aion")
	result, _, _ := Fix(t.Context(), Config{Dir: dir})
	const other = "[] // mine"
	if err := os.WriteFile(path, []byte(other), 0o644); err != nil {
		t.Fatal(err)
	}
	failed, ok := errors.AsType[*WriteError](result.Write())
	if !ok || failed.Name != "desk.aion" || !strings.Contains(failed.Error(), "has changed since it was read") {
		t.Errorf("got %v", failed)
	}
	entries, _ := os.ReadDir(dir)
	if content, err := os.ReadFile(path); err != nil || string(content) != other || len(entries) != 3 {
		t.Errorf("%q, %v, %v", content, err, entries)
	}
}

// TestFixLink fixes a file behind a link, which must remain a link. A link that leads out of the
// module is not followed.
func TestFixLink(t *testing.T) {
	for _, tt := range []struct{ name, target, want, fault string }{
		{"within the module", "parts/real.aion", "[ ]", ""},
		{"out of the module", "../real.aion", "[ , ]", "cannot write desk.aion: it is a link to "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "m")
			if err := os.Rename(desk(t, `[]`), dir); err != nil {
				t.Fatal(err)
			}
			target, path := filepath.Join(dir, tt.target), filepath.Join(dir, "desk.aion")
			if err := errors.Join(os.MkdirAll(filepath.Dir(target), 0o777), os.WriteFile(target, []byte("[ , ]"), 0o600), os.Remove(path), os.Symlink(target, path)); err != nil {
				t.Skip(err)
			}
			result, _, left := Fix(t.Context(), Config{Dir: dir})
			if err := result.Write(); left.Err() != nil || tt.fault == "" && err != nil || tt.fault != "" && (err == nil || !strings.Contains(err.Error(), tt.fault)) {
				t.Errorf("%v, %v", left, err)
			}
			content, err := os.ReadFile(target)
			info, _ := os.Lstat(path)
			behind, _ := os.Stat(path)
			if err != nil || string(content) != tt.want || info.Mode()&os.ModeSymlink == 0 || behind.Mode().Perm() != 0o600 {
				t.Errorf("%q, %v, %v, %v", content, err, info.Mode(), behind.Mode())
			}
			if left, _ := filepath.Glob(filepath.Join(filepath.Dir(target), ".aiongen-*")); len(left) > 0 {
				t.Errorf("there is %q", left)
			}
		})
	}
}

// TestFixTwoNames checks that a file which can also be reached through a link is edited once.
func TestFixTwoNames(t *testing.T) {
	dir := desk(t, `[ { name --> "find", function --> "Find" --> { arg-1 --> "int | minimum=1" } } ]`)
	for _, err := range []error{
		os.Mkdir(filepath.Join(dir, "sub"), 0o777),
		os.WriteFile(filepath.Join(dir, "sub", "sub.go"), []byte("package sub\n\n// Find finds.\nfunc Find(id int) string { return \"\" }\n"), 0o666),
		os.Symlink("../desk.aion", filepath.Join(dir, "sub", "link.aion")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	result, _, left := Fix(t.Context(), Config{Dir: dir, Patterns: []string{"./..."}})
	if err := result.Write(); err != nil || len(left) > 0 || len(result.Changes) != 2 {
		t.Error(err, left, len(result.Changes))
	}
	if text, err := os.ReadFile(filepath.Join(dir, "sub", "link.aion")); err != nil || !strings.Contains(string(text), `"int | min=1"`) {
		t.Errorf("%s %v", text, err)
	}
}

// TestFixLineEnds checks that fixes of a file with CRLF line ends keep them.
func TestFixLineEnds(t *testing.T) {
	text := strings.ReplaceAll("# a prompt\n\n/* one\n   two */\n[\n  {\n    name --> 'find',\n    function --> \"Find\",\n  },\n]\n", "\n", "\r\n")
	got, _ := fixText(t, text)
	if bare := strings.Count(got, "\n") - strings.Count(got, "\r\n"); bare > 0 || got == text || strings.Contains(got, "\r\r") {
		t.Errorf("%d lines end otherwise: %q", bare, got)
	}
}

// TestFixTooMany checks that a file with more errors than the limit is left unchanged, twice, and
// that a file with many errors is fixed.
func TestFixTooMany(t *testing.T) {
	text := "[\n" + strings.Repeat("# x\n", 10_100) + "]\n"
	for range 2 {
		edited, left := fixText(t, text)
		if last := left[len(left)-1]; edited != text || last.Code != "too-many-faults" || !strings.Contains(last.Message, "was not changed") {
			t.Errorf("%d errors are left, the last is %v", len(left), last)
		}
	}
	text = "[\n" + strings.Repeat("# x\n", 5000) + "]\n"
	if edited, left := fixText(t, text); edited != strings.ReplaceAll(text, "#", "//") || left.Err() != nil {
		t.Errorf("left is %v", left.Err())
	}
	text = "[ wrapped_query --> \"" + strings.Repeat("{pay_load}", 10_100) + "\" ]\n"
	if edited, left := fixText(t, text, "unknown-placeholder"); edited != text || left[len(left)-1].Code != "too-many-faults" {
		t.Errorf("of %d warnings, %d are left", 10_100, len(left))
	}
}
