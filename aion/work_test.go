package aion

import (
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/aion/diag"
)

// allocated returns the number of bytes that a function allocates.
func allocated(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// TestNoteWork reads long notes of two sizes. The allocations must grow linearly, so finding the
// position of a part must not read the note again.
func TestNoteWork(t *testing.T) {
	const small, large = 10_000, 20_000
	for _, tt := range []struct{ head, unit string }{
		{"dict | only=a", ",a"}, {"dict | only=a", ",'b'"}, {"dict | only=a", ",a[0]"}, {"dict | only=", ","}, {"dict | only=a", ".b"},
		{"string", " | x"}, {"string", "|"}, {"string", " | minimum=1"}, {"string", " | min=1"}, {"string", " | requird"},
		{"string | enum=a", ",a"}, {"string | enum=a", "|b"}, {"string | enum=a", ",'"}, {"string | min=1", ", max=2"},
		{"", "list of "}, {"", "[]"}, {"", "list["}, {"string ", "("}, {"string (a", "|"}, {"the word", " | max length: 1"}, {"string", ": x"},
	} {
		parse := func(size int) int {
			src := []byte(`[ { name --> "a", function --> "A" --> { arg-1 --> "` + tt.head + strings.Repeat(tt.unit, size/len(tt.unit)) + `" } } ]`)
			return allocated(func() { Parse("a.aion", src) })
		}
		parse(small)
		if less, more := parse(small), parse(large); more > 20*large && 2*more > 5*less {
			t.Errorf("%s%s…: %d bytes are allocated for %d, and %d for %d", tt.head, tt.unit, less, small, more, large)
		}
	}
}

// TestMendWork applies many fixes at two sizes. Applying one fix must not copy the others.
func TestMendWork(t *testing.T) {
	mend := func(count int) int {
		src := []byte("[" + strings.Repeat("\n# x", count) + "\n]")
		_, list := Parse("a.aion", src)
		fixes := certainFixes(list)
		return allocated(func() {
			if fixed, complete := ApplyFixes("a.aion", src, fixes); !complete || strings.Count(string(fixed), "// x") != count {
				t.Errorf("%d comments are %d", count, strings.Count(string(fixed), "// x"))
			}
		})
	}
	mend(1000)
	if less, more := mend(1000), mend(2000); 2*more > 5*less {
		t.Errorf("%d bytes are allocated for 1000 fixes, and %d for 2000", less, more)
	}
}

// TestMendGivesUp tries harmful fixes, each harmful in its own way, until that takes too long.
func TestMendGivesUp(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long with the race detector; the full suite runs it")
	}
	src := []byte(strings.Repeat("// x\n", 50_000) + "[]\n")
	var fixes []diag.Fix
	for offset := 0; offset < 50_000; offset += 5 {
		at := diag.Pos{Offset: offset, Line: offset/5 + 1, Column: 1}
		fixes = append(fixes, diag.Fix{Edits: []diag.Edit{{Span: diag.Span{File: "a.aion", Start: at, End: at}, Text: "x "}}})
	}
	if fixed, complete := ApplyFixes("a.aion", src, fixes); complete || string(fixed) != string(src) {
		t.Errorf("complete: %v, changed: %v", complete, string(fixed) != string(src))
	}
}

// TestTooManyElements reads files with more elements than the limit. The first ones are kept.
func TestTooManyElements(t *testing.T) {
	for _, unit := range []string{`{ name --> "a%", link --> "https://x.org/", description --> "d" },`, "]{", "{},"} {
		for _, count := range []int{maxElements / 2, maxElements + 10_000} {
			var src strings.Builder
			src.WriteString("[")
			for i := range count {
				src.WriteString(strings.Replace(unit, "%", strconv.Itoa(i), 1))
			}
			src.WriteString("]")
			doc, list := Parse("a.aion", []byte(src.String()))
			reported := slices.ContainsFunc(list, func(d *diag.Diagnostic) bool { return d.Code == "too-large" || d.Code == "too-many-faults" })
			if want := count > maxElements; reported != want || want && !doc.Faulty || len(doc.Elements) > maxElements {
				t.Errorf("%q: %d elements are read of %d, reported: %v", unit, len(doc.Elements), count, reported)
			}
		}
	}
}

// TestUnknownOptionWork reads notes with many parts that look like options.
func TestUnknownOptionWork(t *testing.T) {
	const count = 1000
	for _, unit := range []string{" | minimum=1", " | requird", " | x"} {
		src := []byte(`[ { name --> "a", function --> "A" --> { arg-1 --> "string` + strings.Repeat(unit, count) + `" } } ]`)
		Parse("a.aion", src)
		if each := allocated(func() { Parse("a.aion", src) }) / count; each > 5000 && !raceDetector {
			t.Errorf("%q: %d bytes are allocated for each", unit, each)
		}
	}
}
