package gen_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/example/gen"
	"github.com/aiongen/aiongen/example/tools"
)

// TestPlaces checks that tools know the lines of their notes and functions.
func TestPlaces(t *testing.T) {
	all, err := gen.Tools(gen.Deps{Desk: &tools.Desk{}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range all {
		d := tool.Definition()
		if line := readLine(t, d.NotePlace()); !strings.Contains(line, strconv.Quote(d.Name)) {
			t.Errorf("%s: the line at %s is %q", d.Name, d.NotePlace(), line)
		}
		if d.FunctionPlace() == "" {
			if d.Link == "" {
				t.Errorf("%s: the function is unknown", d.Name)
			}
		} else if line := readLine(t, d.FunctionPlace()); !strings.HasPrefix(line, "func ") {
			t.Errorf("%s: the line at %s is %q", d.Name, d.FunctionPlace(), line)
		}
	}
}

// readLine returns the line of a file of this module.
func readLine(t *testing.T, place string) string {
	t.Helper()
	file, number, _ := strings.Cut(place, ":")
	text, err := os.ReadFile(filepath.Join("../..", filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(number)
	lines := strings.Split(string(text), "\n")
	if err != nil || n < 1 || n > len(lines) {
		t.Fatalf("there is no line %s", place)
	}
	return lines[n-1]
}
