package aion

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"
)

// mutations is the number of mutated files that TestFixMutations fixes. CI uses the default.
var mutations = flag.Int("mutations", 400, "number of mutated files to fix")

// TestFixMutations fixes mutated files. No round of fixes may increase the number of errors or
// change a tool that has none, and the rounds must end with a file that has no more fixes.
func TestFixMutations(t *testing.T) {
	sources := mutationSources(t)
	random := rand.New(rand.NewPCG(38, 3))
	fixedFiles, clean := 0, 0
	for n := range *mutations {
		src := mutateFile(random, sources)
		fixed, ok := fixUntilStable(t, src)
		if !ok {
			t.Fatalf("mutation %d:\n%s", n, src)
		}
		if !bytes.Equal(fixed, src) {
			fixedFiles++
			if doc, _ := Parse("a.aion", fixed); !doc.Faulty {
				clean++
			}
		}
	}
	t.Logf("%d files, %d changed, %d of these without errors afterward", *mutations, fixedFiles, clean)
}

// TestFixHardMutations fixes mutated files whose fixes once did not end or lost a tool.
func TestFixHardMutations(t *testing.T) {
	for _, src := range []string{
		"[\n  { name -->] \"A\", function --> \"F\" --> {} },\n    name --> \"B\",\n    function --> \"F\" --> {}\n  },```\n  { name --> \"C\", function --> \"F\" -} }\n]\n",
		"[\nsystem_prompt --> \"a\n  b\", wrapped_qproperties: {uery-->\"x xules --> [ \"\"\"say \"hi\" \"\"\", \"  spaces  \", \"ends in \\\\\", \"\"\"a\n  b\n\n c\"\"\",\n\" lead\nx\", \"\"\"it is \"so\n  quoted\" \"\"\" ],{name-->\"A\",function-->\"F\"-->{},}\n]\n",
		"[\n  {\n    name --> \"A\",\n    function --> \"F\" --> {\n  ```    arg-1 --> \"int\",\n    description --> \"d\"\n  },\n  { name --> \"B\", function --> \"F\" --> {} }\n]\n",
	} {
		fixUntilStable(t, []byte(src))
	}
}

// mutationSources returns the files that are mutated.
func mutationSources(t *testing.T) (sources [][]byte) {
	t.Helper()
	files, err := filepath.Glob("testdata/*/*.aion")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(src) < 4000 {
			sources = append(sources, src)
		}
	}
	archive, err := txtar.ParseFile("../gen/testdata/sloppy.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files[1:] {
		sources = append(sources, f.Data)
	}
	return sources
}

// mutationTexts are inserted into mutated files.
var mutationTexts = []string{
	"\"", "'", "'''", "\"\"\"", "`", "{", "}", "[", "]", "(", ")", ",", ";", ":", "=", "-->", "->", "-", "#", "//", "/*", "*/", "<!--", "\n", " ", "\u00a0", "“", "”",
	"name", "function", "description", "args_schema", "arg-1", "arg-0", "return-1", "null", "None", "True", "\"a\"", "'a'", "\"type\": \"object\",", "properties: {", "f\"", "```", "* ", "\\\"", "…",
}

// mutateFile returns a source with one to four random changes.
func mutateFile(random *rand.Rand, sources [][]byte) []byte {
	src := slices.Clone(sources[random.IntN(len(sources))])
	for range 1 + random.IntN(4) {
		at := random.IntN(len(src) + 1)
		end := min(len(src), at+1+random.IntN(8))
		switch random.IntN(4) {
		case 0:
			src = slices.Delete(src, at, end)
		case 1:
			src = slices.Insert(src, at, src[at:end]...)
		default:
			src = slices.Insert(src, at, []byte(mutationTexts[random.IntN(len(mutationTexts))])...)
		}
	}
	return src
}

// fixUntilStable applies certain fixes until there are none left.
func fixUntilStable(t *testing.T, src []byte) (fixed []byte, ok bool) {
	t.Helper()
	const maxRounds = 20
	for range maxRounds {
		doc, list := Parse("a.aion", src)
		fixed, _ = ApplyFixes("a.aion", src, certainFixes(list))
		if bytes.Equal(fixed, src) {
			return fixed, true
		}
		after, left := Parse("a.aion", fixed)
		if countErrors(left) > countErrors(list) {
			t.Errorf("%d errors became %d: %v\n%s\n---\n%s", countErrors(list), countErrors(left), left, src, fixed)
			return nil, false
		}
		if lost := lostTool(doc, after); lost != nil {
			t.Errorf("the fixes change the tool %q:\n%s\n---\n%s", lost.Name.Value, src, fixed)
			return nil, false
		}
		src = fixed
	}
	t.Errorf("fixes do not end:\n%s", src)
	return nil, false
}

// lostTool returns a tool of a document that has no fault and is another tool afterward, or
// nil.
func lostTool(before, after *Document) *Element {
	for _, e := range before.Elements {
		same := func(other *Element) bool {
			return other.Name.Value == e.Name.Value && sameText(other.Description, e.Description) && sameText(other.Link, e.Link) &&
				(e.Function == nil) == (other.Function == nil) && (e.Function == nil || other.Function.Text.Value == e.Function.Text.Value)
		}
		if !e.Faulty && !slices.ContainsFunc(after.Elements, same) {
			return e
		}
	}
	return nil
}

func sameText(a, b *Text) bool {
	return (a == nil) == (b == nil) && (a == nil || a.Value == b.Value)
}
