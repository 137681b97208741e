package scaffold_test

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/scaffold"
)

// TestParameterWork writes tools for functions with many parameters without comments. The cost per
// parameter must be low: such a note never needs to be checked.
func TestParameterWork(t *testing.T) {
	const few, many, functions = 1, 21, 50
	t.Chdir(module(t))
	less, more := allocated(t, functions, few, "// F%d does it."), allocated(t, functions, many, "// F%d does it.")
	if each := (more - less) / (functions * (many - few)); each > 17_000 && !raceDetector {
		t.Errorf("%d bytes are allocated for each parameter", each)
	}
}

// TestFunctionWork writes tools for functions with and without comments. Those with comments are bound
// once. The others are bound again with a placeholder description, which costs as much as checking
// whether a file can contain the comments.
func TestFunctionWork(t *testing.T) {
	const functions = 200
	t.Chdir(module(t))
	once, twice := allocated(t, functions, 1, "// F%d does it."), allocated(t, functions, 1, "")
	if 20*once > 21*twice && !raceDetector {
		t.Errorf("%d bytes are allocated for functions with comments, and %d without", once, twice)
	}
}

// allocated returns the bytes allocated for writing tools for functions with the given number of
// parameters and a comment, in which %d stands for the number of the function.
func allocated(t *testing.T, functions, parameters int, comment string) int {
	t.Helper()
	var src strings.Builder
	src.WriteString("package all\n")
	for f := range functions {
		fmt.Fprintf(&src, "\n%[3]s\nfunc F%[1]d(_%[2]s string) {}\n", f, strings.Repeat(", _", parameters-1), strings.ReplaceAll(comment, "%d", strconv.Itoa(f)))
	}
	write(t, "all.go", src.String())
	cfg := scaffold.Config{Package: ".", All: true}
	scaffold.Write(t.Context(), cfg) // fills the caches
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, faults := scaffold.Write(t.Context(), cfg)
	runtime.ReadMemStats(&after)
	if err := faults.Err(); err != nil {
		t.Fatal(err)
	}
	return int(after.TotalAlloc - before.TotalAlloc)
}
