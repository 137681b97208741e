package aion

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/aion/diag"
)

// TestFieldNames names the fields of a schema like properties of the element, in
// every order: a reader that searches instead of parsing takes one for the other.
func TestFieldNames(t *testing.T) {
	fields := []string{"name", "description", "link", "function", "first_name", "hyperlink", "system_prompt", "rules", "_private"}
	own := []string{
		`name --> "own"`,
		`function --> "F" --> { arg-1 --> "str" }`,
		`link --> "https://example.com"`,
		`description --> "The element's own."`,
	}
	for turn := range fields {
		var block []string
		for _, f := range slices.Concat(fields[turn:], fields[:turn]) {
			block = append(block, f+` --> "str | of the field `+f+`"`)
		}
		schema := "args_schema --> { " + strings.Join(block, ", ") + " }"
		for at := range len(own) + 1 {
			properties := slices.Insert(slices.Clone(own), at, schema)
			e := parse(t, "[ { "+strings.Join(properties, ", ")+" } ]").Elements[0]
			got := []string{e.Name.Value, e.Function.Text.Value, e.Link.Value, e.Description.Value}
			if d := gocmp.Diff([]string{"own", "F", "https://example.com", "The element's own."}, got); d != "" {
				t.Errorf("schema %d, behind %d properties: %s", turn, at, d)
			}
			for i, f := range slices.Concat(fields[turn:], fields[:turn]) {
				if field := e.Schema.Fields[i]; field.Name.Value != f || field.Note.Description != "of the field "+f {
					t.Errorf("field %d is %s: %q", i, field.Name.Value, field.Note.Description)
				}
			}
		}
	}
}

// TestTextsKept puts text that looks like notation into every text. It must be kept unchanged, also by
// Format, and the properties after it must be read.
func TestTextsKept(t *testing.T) {
	for _, text := range []string{
		"}", "{", "]", "[", "},", "],", "]}", "{ name --> x }", "-->", "a-->b", "a  -->  b", "//", "// no comment",
		"/* no comment */", "#", "'", "it's", "`code`", "“quoted”", `\`, `C:\`, `\n`, "%d %s", "<b>&amp;</b>", "**bold** [x](y)",
		"用户 👍 é", "two\nlines", "rules --> [ ]", "system_prompt", "desc --> d", "\ta\tb", "a | b", "*/", "{{query}}",
	} {
		raw := `"` + text + `"`
		src := strings.ReplaceAll(`[
  system_prompt --> TEXT,
  rules --> [ TEXT, TEXT ],
  wrapped_query --> TEXT,
  {
    name --> "A",
    description --> TEXT,
    function --> TEXT --> { arg-1 --> "str | x`+text+`y", return-1 --> "any | x`+text+`y" },
    args_schema --> { a --> "str | x`+text+`y" }
  },
  { name --> "B", description --> TEXT, link --> "https://example.com" }
]`, "TEXT", raw)
		checkFormat(t, []byte(src))
		doc := parse(t, src)
		if len(doc.Elements) != 2 || len(doc.Comments) > 0 {
			t.Errorf("%q: %d elements, %d comments", text, len(doc.Elements), len(doc.Comments))
			continue
		}
		a, b := doc.Elements[0], doc.Elements[1]
		for i, got := range []string{
			doc.SystemPrompt.Value, doc.Rules.Texts[0].Value, doc.Rules.Texts[1].Value, doc.WrappedQuery.Value,
			a.Description.Value, a.Function.Text.Value, b.Description.Value,
		} {
			if got != text {
				t.Errorf("text %d: got %q, want %q", i, got, text)
			}
		}
		argument, _ := a.Function.Args[0].Note.text()
		field, _ := a.Schema.Fields[0].Note.text()
		if got, want := argument.Value, "str | x"+text+"y"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if got := field.Value; got != "str | x"+text+"y" {
			t.Errorf("got %q", got)
		}
	}
}

// TestNoPhantoms writes properties into texts and comments, where they must not be read.
func TestNoPhantoms(t *testing.T) {
	doc := parse(t, `// rules --> [ "x" ],
[
  system_prompt --> """
    Quotes: "a", braces: { }, rules --> [ "x" ], wrapped_query --> "x"
  """,
  // wrapped_query --> "x" },
  {
    name --> "A",
    // description --> "commented out",
    function --> "F" --> { /// arg-1 --> "int"
    }
  }
]`)
	if doc.Rules != nil || doc.WrappedQuery != nil || doc.Elements[0].Description != nil || len(doc.Elements[0].Function.Args) > 0 {
		t.Errorf("%+v", doc)
	}
	if want := `Quotes: "a", braces: { }, rules --> [ "x" ], wrapped_query --> "x"`; doc.SystemPrompt.Value != want {
		t.Errorf("got %q", doc.SystemPrompt.Value)
	}
}

// TestWindowsFile parses a file with a byte order mark and CRLF line ends.
func TestWindowsFile(t *testing.T) {
	src := strings.ReplaceAll(`[ // comment
  system_prompt --> """
    a
      b

    c
  """,
  { name --> "A", function --> "F" --> {}, description --> "two
lines" },
  { nme --> "B" }
]
`, "\n", "\r\n")
	doc, list := Parse("a", []byte("\ufeff"+src))
	if got := doc.SystemPrompt.Value + "|" + doc.Elements[0].Description.Value + "|" + doc.Comments[0].Text; got != "a\n  b\n\nc|two\nlines|// comment" {
		t.Errorf("got %q", got)
	}
	if len(list) != 2 || list[0].Span.String() != "a:10:3" || list[1].Span.String() != "a:10:5" {
		t.Errorf("got %v", list)
	}
}

// TestOrder parses several files with several mistakes each. They must be reported in the order of the
// files and of their positions, whichever check found them.
func TestOrder(t *testing.T) {
	const src = `[
  { name --> "A", desc --> "d", function --> "F" --> {} },
  { name --> "B", function --> "F" --> { arg-1 --> "int | default=x" } }
  { name --> "C", function --> "F" --> {}, description --> "d" },
  { name --> "A", function --> "F" --> {}, link = "https://example.com" },
  system_prompt --> 'x',
  # comment
]`
	var docs []*Document
	var list diag.List
	for _, name := range []string{"a.aion", "b.aion", "c.aion"} {
		doc, faults := Parse(name, []byte(src))
		docs, list = append(docs, doc), append(faults, list...)
	}
	list = append(list, Check(docs...)...)
	list.Sort()
	var got []string
	for _, d := range list {
		got = append(got, fmt.Sprintf("%s %s", d.Span.String(), d.Code))
	}
	want := []string{
		"a.aion:2:19 unknown-property", "a.aion:3:59 bad-default", "a.aion:4:3 missing-comma",
		"a.aion:5:14 repeated-tool", "a.aion:5:49 wrong-arrow", "a.aion:6:21 wrong-quotes", "a.aion:7:3 wrong-comment",
	}
	if d := gocmp.Diff(want, got[:min(len(got), len(want))]); d != "" {
		t.Error(d)
	}
	if !slices.IsSortedFunc(list, func(a, b *diag.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Span.File, b.Span.File), cmp.Compare(a.Span.Start.Offset, b.Span.Start.Offset))
	}) {
		t.Errorf("out of order: %q", got)
	}
}

// TestRelated checks that a diagnostic about something that is given twice has both positions.
func TestRelated(t *testing.T) {
	for _, src := range []string{
		"[\n{ name --> \"A\", function --> \"F\" --> {} },\n{ name --> \"A\", function --> \"F\" --> {} } ]",
		"[\n{ name --> \"A\",\n name --> \"B\", function --> \"F\" --> {} } ]",
		"[\n{ name --> \"A\", function --> \"F\" --> { arg-1 --> \"int\",\n arg-1 --> \"int\" } } ]",
		"[\n{ name --> \"A\", function --> \"F\" --> {}, args_schema --> { a --> \"int\",\n a --> \"int\" } } ]",
		"[\nsystem_prompt --> \"a\",\nsystem_prompt --> \"b\" ]",
		"[\nrules --> [],\nrules --> [] ]",
		"[\n]\n{ name --> \"A\", function --> \"F\" --> {} }",
	} {
		doc, list := Parse("a", []byte(src))
		list = append(list, Check(doc)...)
		if len(list) != 1 || len(list[0].Related) != 1 {
			t.Errorf("%s\n%v", src, list)
			continue
		}
		if first, second := list[0].Related[0].Span.Start.Line, list[0].Span.Start.Line; first != 2 || second != 3 {
			t.Errorf("%s\nthe first is in line %d, the second in line %d", src, first, second)
		}
	}
}

// TestSamples parses and formats the files of the example.
func TestSamples(t *testing.T) {
	files, err := filepath.Glob("../example/tools/*.aion")
	if err != nil || len(files) < 3 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := checkFormat(t, src); string(got) != string(src) {
			t.Errorf("%s is not formatted", file)
		}
	}
}

// TestLinear counts the allocations of Parse, which must grow linearly with the number of elements.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long with the race detector; the full suite runs it")
	}
	allocs := func(n int) float64 {
		src, _ := manyElements(n)
		return testing.AllocsPerRun(1, func() { Parse("a", src) })
	}
	few, many := allocs(1000), allocs(10_000)
	if many > 10.5*few {
		t.Errorf("%v allocations for 1,000 elements, %v for 10,000", few, many)
	}
}
