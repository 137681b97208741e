package syntax

import (
	"runtime"
	"strings"
	"testing"
)

// hostileUnits are repeated to build files that consist of faults.
var hostileUnits = []string{
	"a-->", "]}", "{},", "'", "{name}", "# x\n", "'''", `"`, `"""`, `" `, `""" `, "{", "[", "}", "]", ",", "-->", "--> ", `"a"`, `"a",`, `"a"-->`,
	"a,", "a:", "a=1,", "'a'", "'a',", "“", "`", "``` ", "[],", "[{", "]{", "}{", `{"`, `\"`, `a-->"`, "a-->'", "a-->{", "a-->[", "name-->{",
	`function-->"F"{`, "function-->F-->{", "}-->{", "rules-->[", "name ", "<a>", "/* \n", "*/", "> ", "= ", ": ", "\"\n", "\"a\nb-->", "\"a\n", "x-", "- ",
	"\"\"\"\na-->b\n", "```aion\n", "''' a\n", "f'''", "r\"", "a-->f\"", "a-->r'x", "\xff a", "\x00a", "// x\n", "https://x ", "😀 ", "\" \n \n", "\"x\"\n\n\n",
	"<!-- ", "<!-- a -->", "/* a */ ", "a /* b\n */", "-- a\n", "-- ", "\u00a0", "\u200b\u00a0a", "\"x\"\u00a0", `"a";`, "; ", "，", `"a"，`, "(", ")", `a-->("x"`, `a-->("x" "y")`, `a-->"x" "y" `, "a-->\"x\"\n\"y\"\n",
	"a-->null,", "a-->None ", "* {", "- {", "* {},", `a-->"F"-->[`, `a-->"F"-->[],`, "a=[{},", `{"tools":[`, "\"\"\"a\"\"\"[{}],", `"type":{`, `{"properties":{"a":{"type":"int"}}},`, "function-->\"F\"-->{x-->\"int\"},",
	`{ "name": "f", "function": "F" },`, "{ name --> 'f', link --> some text },\n", "{ name --> \"x \"y\" z\" },", "{ name --> \"\"\"x\"\"\"\" },", "name --> \"x,\n",
}

// TestWork reads files of two sizes and checks that searches and allocations grow no faster
// than the file and stay within a multiple of its size. Under the race detector it checks
// only the searches.
// checks only the searches.
func TestWork(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long with the race detector; the full suite runs it")
	}
	const small, large = 10_000, 20_000
	work := func(unit string, size int) (searched, allocated int) {
		src := []byte("[" + strings.Repeat(unit, size/len(unit)) + "]")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := Read("a.aion", src)
		items, _ := r.ReadArray()
		r.CompleteItems(items)
		runtime.ReadMemStats(&after)
		return r.searchedBytes, int(after.TotalAlloc - before.TotalAlloc)
	}
	work("{},", small) // the grammar is built
	for _, unit := range hostileUnits {
		searched, allocated := work(unit, small)
		more, larger := work(unit, large)
		if more > 20*large && 2*more > 5*searched {
			t.Errorf("%q: searches look at %d bytes of %d, and at %d of %d", unit, searched, small, more, large)
		}
		if more > 1000*large {
			t.Errorf("%q: searches look at %d bytes", unit, more)
		}
		if raceDetector {
			continue
		}
		if larger > 200*large && 2*larger > 5*allocated {
			t.Errorf("%q: %d bytes are allocated for %d, and %d for %d", unit, allocated, small, larger, large)
		}
		if larger > 2000*large {
			t.Errorf("%q: %d bytes are allocated", unit, larger)
		}
	}
}

// TestLimits reads files that exceed the limits of tokens and errors.
func TestLimits(t *testing.T) {
	r := Read("a.aion", []byte("[ rules --> ["+strings.Repeat(`"",`, maxTokens/2)+"] ]"))
	if len(r.List) != 1 || r.List[0].Code != "too-large" || r.tokenCount > maxTokens+2 {
		t.Errorf("%d tokens: %v", r.tokenCount, r.List)
	}
	r = Read("a.aion", []byte("[ "+strings.Repeat("'a' ", maxTokens/2)+"]"))
	if !r.Full() || r.tokenCount > 20_000 {
		t.Errorf("%d tokens after %d errors", r.tokenCount, len(r.List))
	}
}
