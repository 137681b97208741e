package aion

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/participle/v2/lexer"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/syntax"
)

// sameDocument compares the content of two documents. It ignores spans, and comments, which may move
// with the parts that they belong to.
var sameDocument = cmp.Options{
	cmpopts.IgnoreTypes(diag.Span{}),
	cmpopts.IgnoreFields(Document{}, "Comments"),
	cmpopts.IgnoreUnexported(Text{}, Note{}),
	cmpopts.EquateEmpty(),
}

func TestFormat(t *testing.T) {
	files, err := filepath.Glob("testdata/format/*.aion")
	if err != nil || len(files) == 0 {
		t.Fatal("no test data", err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got := checkFormat(t, src)
		compareGolden(t, file[:len(file)-len(".aion")]+".want", got)
	}
}

// checkFormat formats a valid text and checks the promises of Format.
func checkFormat(t *testing.T, src []byte) []byte {
	t.Helper()
	doc := parse(t, string(src))
	once, err := Format(doc)
	if err != nil && bytes.Contains(src, []byte("\r")) {
		t.Skip(err) // only CRs at unusual places lead to this text
	}
	if err != nil {
		t.Fatal(err)
	}
	again, list := Parse("test.aion", once)
	if list.Err() != nil {
		t.Fatalf("%v in\n%s", list.Err(), once)
	}
	if d := cmp.Diff(doc, again, sameDocument); d != "" {
		t.Errorf("the document is another (-before +after):\n%s", d)
	}
	if len(doc.Comments) != len(again.Comments) {
		t.Errorf("%d comments became %d", len(doc.Comments), len(again.Comments))
	}
	twice, err := Format(again)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(once), string(twice)); d != "" {
		t.Errorf("formatting is not stable:\n%s", d)
	}
	return once
}

// TestFormatSpacing puts line breaks and comments between all tokens of files.
func TestFormatSpacing(t *testing.T) {
	files, _ := filepath.Glob("testdata/format/*.aion")
	random := rand.New(rand.NewPCG(1, 2))
	wrong := regexp.MustCompile(`\n\n\n|[\[{]\n\n|\n\n *[\]}]|^\n|\n\n$`)
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		scanner, err := syntax.Notation{}.Lex("", bytes.NewReader(src))
		if err != nil {
			t.Fatal(err)
		}
		tokens, err := lexer.ConsumeAll(scanner)
		if err != nil {
			t.Fatal(err)
		}
		for range 50 {
			var b strings.Builder
			for _, token := range tokens {
				for range random.IntN(3) {
					b.WriteString([]string{"\n", "\n\n\n", " // a comment\n", "\r\n\t"}[random.IntN(4)])
				}
				b.WriteString(token.Value)
			}
			if got := checkFormat(t, []byte(b.String())); wrong.Match(got) {
				t.Errorf("a blank line too many in\n%s", got)
			}
			if t.Failed() {
				t.Fatal(b.String())
			}
		}
	}
}

// TestFormatEdited changes single parts of parsed documents and formats them.
func TestFormatEdited(t *testing.T) {
	const src = `// the head
[
  system_prompt --> "a",

  // about A
  {
    name --> "a",
    function --> "A" --> {
      arg-1 --> "int | how many | min=1" // the first
    },
    link --> "[the manual](https://example.com/a)"
  },

  // about B
  {
    name --> "b",
    function --> "B" --> {}
  },
  rules --> [
    "one"
  ]
]
`
	added := func(name string) *Element {
		return &Element{Name: *text(name), Function: &Function{Text: *text("New")}}
	}
	const c = "  {\n    name --> \"c\",\n    function --> \"New\" --> {}\n  }"
	for _, test := range []struct {
		name     string
		edit     func(*Document)
		old, new string
	}{
		{"nothing", func(*Document) {}, "", ""},
		{"description", func(d *Document) { d.Elements[0].Function.Args[0].Note.Description = "new" }, "int | how many | min=1", "int (new) | min=1"},
		{"type", func(d *Document) { d.Elements[0].Function.Args[0].Note.Type = "str" }, "int | how many | min=1", "str (how many) | min=1"},
		{"option", func(d *Document) { d.Elements[0].Function.Args[0].Note.Optional = true }, "int | how many | min=1", "int? (how many) | min=1"},
		{"paths", func(d *Document) {
			n := &d.Elements[0].Function.Args[0].Note
			n.Required, n.Shape = true, []Shaping{{"omit", []Path{{Names: []string{"a", "b.c"}}, {Names: []string{"d"}, Anywhere: true}}}}
		}, "int | how many | min=1", "int (how many) | min=1 | required | omit=a.'b.c',*.d"},
		{"no enum", func(d *Document) { d.Elements[0].Function.Args[0].Note.Enum = []Literal{} }, "", ""},
		{"note", func(d *Document) { d.Elements[0].Function.Args[0].Note = note(t, "bool") }, "int | how many | min=1", "bool"},
		{"name", func(d *Document) { d.Elements[1].Name.Value = "new" }, `"b"`, `"new"`},
		{"url", func(d *Document) { d.Elements[0].Link.Value = "https://example.com/new" }, "[the manual](https://example.com/a)", "https://example.com/new"},
		{"rule", func(d *Document) { d.Rules.Texts = append(d.Rules.Texts, *text("two")) }, `"one"`, "\"one\",\n    \"two\""},
		{"argument", func(d *Document) {
			f := d.Elements[0].Function
			f.Args = append(f.Args, Entry{*text("arg-2"), note(t, "bool")})
		}, `min=1" // the first`, "min=1\", // the first\n      arg-2 --> \"bool\""},
		{"first", func(d *Document) { d.Elements = slices.Insert(d.Elements, 0, added("c")) }, "\n  // about A", c + ",\n\n  // about A"},
		{"last", func(d *Document) { d.Elements = append(d.Elements, added("c")) }, "    \"one\"\n  ]", "    \"one\"\n  ],\n" + c},
		{"between", func(d *Document) { d.Elements = slices.Insert(d.Elements, 1, added("c")) }, "\n\n  // about B", "\n" + c + ",\n\n  // about B"},
		{"of another file", func(d *Document) {
			other, _ := Parse("other.aion", []byte(`[{ name --> "c", function --> "New" --> {} }]`))
			d.Elements = append(d.Elements, other.Elements...)
		}, "    \"one\"\n  ]", "    \"one\"\n  ],\n" + c},
		{"comment", func(d *Document) { d.Comments = append(d.Comments, Comment{Text: "// the end"}) }, "// about B", "// about B\n  // the end"},
		{"head", func(d *Document) { d.Comments = slices.Insert(d.Comments, 0, Comment{Text: "// new"}) }, "// the head", "// new\n// the head"},
	} {
		doc := parse(t, src)
		test.edit(doc)
		got, err := Format(doc)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if d := cmp.Diff(strings.Replace(src, test.old, test.new, 1), string(got)); d != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, d)
		}
	}
	doc := parse(t, src)
	slices.Reverse(doc.Elements)
	got, err := Format(doc)
	if err != nil || len(parse(t, string(got)).Comments) != len(doc.Comments) || bytes.Index(got, []byte("// about B")) > bytes.Index(got, []byte("// about A")) {
		t.Errorf("in the other order: %v\n%s", err, got)
	}
}

// TestNothing passes nil documents.
func TestNothing(t *testing.T) {
	for _, doc := range []*Document{nil, {Elements: []*Element{nil}}} {
		if out, err := Format(doc); err == nil {
			t.Errorf("there is nothing to format, but %s", out)
		}
		if list := Check(doc, doc); len(list) > 0 {
			t.Error(list)
		}
	}
	doc := parse(t, `[{ name --> "a", function --> "F" --> {} }]`)
	if at := doc.Elements[0].Name.Pos(-1); at != doc.Elements[0].Name.Pos(0) {
		t.Errorf("the place before a text is %v", at)
	}
}

func text(value string) *Text { return &Text{Value: value} }

func note(t *testing.T, text string) Note {
	t.Helper()
	n, list := ParseNote(text)
	if len(list) > 0 {
		t.Fatal(list)
	}
	return n
}

// TestFormatMade formats documents that were created in Go, with notes as texts and in parts.
func TestFormatMade(t *testing.T) {
	number := func(text string) *Literal { return &Literal{Text: text} }
	entry := func(name string, n Note) Entry { return Entry{Name: *text(name), Note: n} }
	doc := &Document{
		SystemPrompt: text(`Say "please".`),
		Rules:        &Rules{Texts: []Text{*text("One line."), *text("No end.")}},
		Elements: []*Element{{
			Name:        *text("find"),
			Description: text("Find users."),
			Link:        text("https://example.com"),
			Function: &Function{
				Text: *text("(*Store).Find"),
				Args: []Entry{
					entry("arg-1", note(t, "string (its name)")),
					entry("arg-2", Note{Type: "int", Description: "how many", Default: number("5"), Min: number("1"), Max: number("9")}),
					entry("arg-3", Note{Type: "str", Enum: []Literal{{Text: "a"}, {Text: "b|c", Quoted: true}}, Open: true, Optional: true}),
					entry("arg-4", Note{Type: "any", Description: "this | or that"}),
					entry("arg-5", Note{Description: "The one who asks"}),
				},
				Returns: []Entry{entry("return-1", Note{Type: "list[string]", Description: "names"})},
			},
		}, {
			Name:     *text("get"),
			Function: &Function{Text: *text("Get")},
			Schema:   &Schema{Fields: []Entry{entry("user_id", Note{Type: "int"})}},
		}, {
			Name:     *text("put"),
			Function: &Function{Text: *text("Put")},
			Schema:   &Schema{Name: text("User")},
		}},
	}
	const want = `[
  system_prompt --> """
    Say "please".
  """,
  rules --> [
    "One line.",
    "No end."
  ],
  {
    name --> "find",
    function --> "(*Store).Find" --> {
      arg-1 --> "string (its name)",
      arg-2 --> "int (how many) | default=5 | min=1 | max=9",
      arg-3 --> "str? | enum=a,'b|c' | open",
      arg-4 --> "any | this | or that",
      arg-5 --> "The one who asks",
      return-1 --> "list[string] (names)"
    },
    link --> "https://example.com",
    description --> "Find users."
  },
  {
    name --> "get",
    function --> "Get" --> {},
    args_schema --> {
      user_id --> "int"
    }
  },
  {
    name --> "put",
    function --> "Put" --> {},
    args_schema --> "User"
  }
]
`
	got, err := Format(doc)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, string(got)); d != "" {
		t.Fatal(d)
	}
	doc.Elements[0].Function.Args[1].Note.Optional = true // the default implies it
	ofParts := cmp.Options{sameDocument, cmpopts.IgnoreFields(Document{}, "Name")}
	if d := cmp.Diff(doc, parse(t, string(got)), ofParts); d != "" {
		t.Errorf("the document is another (-made +read):\n%s", d)
	}
}

// TestFormatRefuses formats documents that no text can represent, or whose text would be invalid.
func TestFormatRefuses(t *testing.T) {
	made := func(change func(*Element)) *Document {
		e := &Element{Name: *text("a"), Function: &Function{Text: *text("A")}}
		change(e)
		return &Document{Elements: []*Element{e}}
	}
	arg := func(name string, n Note) *Document {
		return made(func(e *Element) { e.Function.Args = []Entry{{Name: *text(name), Note: n}} })
	}
	faulty, _ := Parse("a", []byte("[ 5 ]"))
	for _, test := range []struct {
		doc  *Document
		want string
	}{
		{faulty, "a: the document has errors"},
		{&Document{SystemPrompt: text(`"""`)}, "neither a string nor a text block can hold"},
		{&Document{SystemPrompt: text(` "`)}, "neither a string nor a text block can hold"},
		{&Document{SystemPrompt: text("\n\"")}, "neither a string nor a text block can hold"},
		{&Document{SystemPrompt: text("a\"\n \n")}, "neither a string nor a text block can hold"},
		{&Document{SystemPrompt: text("a\r\nb")}, "neither a string nor a text block can hold"},
		{&Document{SystemPrompt: text("a\xff")}, "neither a string nor a text block can hold"},
		{&Document{SystemPrompt: text("a\x00")}, "nul-byte"},
		{&Document{Comments: []Comment{{Text: "# a"}}}, "is not a comment"},
		{&Document{Comments: []Comment{{Text: "// a\n]"}}}, "is not a comment"},
		{made(func(e *Element) { e.Name.Value = "" }), "bad-name"},
		{made(func(e *Element) { e.Function = nil }), "missing-function"},
		{made(func(e *Element) { e.Link = text("ftp://example.com") }), "bad-url"},
		{made(func(e *Element) { e.Link = text(" https://example.com") }), "would have another meaning"},
		{made(func(e *Element) {
			e.Schema = &Schema{Name: text("T"), Fields: []Entry{{Name: *text("a"), Note: Note{Type: "int"}}}}
		}), "would have another meaning"},
		{arg("arg-1", Note{}), "would be read with another meaning"},
		{arg("arg-1", Note{Type: "struct{}"}), "would be read with another meaning"},
		{arg("arg-1", Note{Type: "int | default=5"}), "would be read with another meaning"},
		{arg("arg-1", Note{Type: "int", Description: " spaces "}), "would be read with another meaning"},
		{arg("arg-1", Note{Type: "str", Description: "x | optional"}), "would be read with another meaning"},
		{arg("arg-1", Note{Type: "str", Enum: []Literal{{Text: "a,b"}}}), "would be read with another meaning"},
		{arg("arg-1", Note{Type: "int", Default: &Literal{Text: "five"}}), "would be read with another meaning"},
		{arg("arg-1", Note{Description: "word"}), "would be read with another meaning"},
		{arg("arg-2", Note{Type: "int"}), "missing-number"},
		{arg("return-1", Note{Type: "int"}), "would have another meaning"},
		{arg("", Note{Type: "int"}), `"" is not a name`},
		{arg("arg-1 --> \"int\",\n      arg-2", Note{Type: "int"}), "is not a name"},
	} {
		out, err := Format(test.doc)
		var refused *diag.Diagnostic
		if !errors.As(err, &refused) || refused.Code != "unformattable" || !strings.Contains(refused.Span.String()+": "+refused.Message, test.want) || out != nil {
			t.Errorf("got %s and the error %v, want %s", out, err, test.want)
		}
	}
}

func FuzzFormat(f *testing.F) {
	files, _ := filepath.Glob("testdata/format/*.aion")
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if _, list := Parse("fuzz.aion", src); len(list) == 0 {
			checkFormat(t, src)
		}
	})
}
