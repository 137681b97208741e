package doctor

import (
	"strings"
	"testing"
)

// TestCheckVersions checks which versions of the program and its packages contradict each other.
func TestCheckVersions(t *testing.T) {
	replaced := &struct{ Path, Version string }{Path: "../aiongen"}
	for _, tt := range []struct {
		running  string
		selected library
		required string
		want     string // parts of the problems
	}{
		{"v1.2.0", library{Version: "v1.2.0"}, "v1.2.0", ""},
		{"v1.1.0", library{Version: "v1.2.0"}, "v1.2.0", "this program is aiongen v1.1.0, but the module uses its packages in version v1.2.0"},
		{"v1.2.0", library{Version: "v1.2.0"}, "v1.1.0", "go.mod requires aiongen v1.1.0, but the workspace selects v1.2.0"},
		{"v1.0.0", library{Version: "v1.2.0"}, "v1.1.0", "this program|go.mod requires"},
		{"(devel)", library{Version: "v1.2.0"}, "v1.2.0", ""},
		{"v1.1.0", library{Version: "v0.0.0", Replace: replaced}, "v0.0.0", ""},
		{"v1.1.0", library{Main: true}, "", ""},
	} {
		e := &examiner{Config: Config{Version: tt.running}, Report: newReport()}
		e.checkVersions(tt.selected, tt.required)
		checkProblems(t, tt.running, e.Problems, tt.want)
	}
}

// TestCheckGo checks the versions of Go that aiongen needs.
func TestCheckGo(t *testing.T) {
	for _, tt := range []struct{ command, module, built, want string }{
		{"go1.26.3", "1.26", "go1.26.1", ""},
		{"go1.27.0", "1.26.0", "go1.27rc1", ""},
		{"go1.25.9", "1.26", "go1.26.1", "aiongen needs go1.26, but the go command is go1.25.9"},
		{"go1.26.3", "1.24", "go1.26.1", "aiongen needs go1.26, but go.mod says go 1.24"},
		{"go1.27.0", "1.27", "go1.26.1", "built with go1.26.1 and may not understand the packages of go1.27.0"},
	} {
		e := &examiner{Report: newReport(), settings: map[string]string{"GOVERSION": tt.command}}
		e.Aiongen.Go = tt.built
		e.checkGo(&Module{Go: tt.module, library: library{GoVersion: "1.26"}})
		checkProblems(t, tt.command, e.Problems, tt.want)
	}
}

// checkProblems checks that each part is in the problem at its position, and that each has a fix.
func checkProblems(t *testing.T, name string, problems []Problem, want string) {
	t.Helper()
	var parts []string
	if want != "" {
		parts = strings.Split(want, "|")
	}
	if len(problems) != len(parts) {
		t.Errorf("%s: %q, want %q", name, problems, want)
		return
	}
	for i, p := range problems {
		if !strings.Contains(p.Message, parts[i]) || p.Fix == "" {
			t.Errorf("%s: %q, want %q", name, p, parts[i])
		}
	}
}
