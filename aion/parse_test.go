package aion

import (
	"errors"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/aion/diag"
)

// parse parses a text that must be valid.
func parse(t *testing.T, src string) *Document {
	t.Helper()
	doc, list := Parse("test.aion", []byte(src))
	for _, d := range list {
		t.Errorf("%v\nin %s", d, src)
	}
	return doc
}

// codes parses a text and returns the codes of its faults.
func codes(src string) string {
	doc, list := Parse("test.aion", []byte(src))
	list = append(list, Check(doc)...)
	var codes []string
	for _, d := range list {
		codes = append(codes, string(d.Code))
	}
	return strings.Join(codes, " ")
}

// element returns a valid file of one element with the given properties, which must include a function
// or link.
func element(properties string) string { return `[ { name --> "A", ` + properties + ` } ]` }

const anyFunction = `function --> "F" --> {}`

func TestElement(t *testing.T) {
	doc := parse(t, `[
  {
    name --> "FindUser",
    function --> "lambda user: find(user)" --> {
      return-1 --> "dict (what was found)",
      arg-2 --> "int | default=10 | rows",
      arg-1 --> "The user to find"
    },
    args_schema --> "pkg.Args",
    link --> "[docs](https://example.com/a//b)",
    description --> "Finds."
  }
]`)
	e := doc.Elements[0]
	note := func(e Entry) string {
		return strings.Join([]string{e.Name.Value, e.Note.Type, e.Note.Description}, "/")
	}
	got := []string{
		e.Name.Value, e.Function.Text.Value, e.Schema.Name.Value, e.Link.Value, e.Description.Value,
		note(e.Function.Args[0]), note(e.Function.Args[1]), note(e.Function.Returns[0]),
		e.Span.String(), e.Name.Span.String(), e.Name.Key.String(), e.Function.Block.String(),
	}
	want := []string{
		"FindUser", "lambda user: find(user)", "pkg.Args", "https://example.com/a//b", "Finds.",
		"arg-1//The user to find", "arg-2/int/rows", "return-1/dict/what was found",
		"test.aion:2:3", "test.aion:3:14", "test.aion:3:5", "test.aion:4:48",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if e.Faulty {
		t.Error("the element is faulty")
	}
}

// TestSound parses unusual texts that the notation allows.
func TestSound(t *testing.T) {
	for _, src := range []string{
		"[]", "[ ]", "[\n]", "\ufeff[]", "// nothing\n[] // at all",
		`[{name-->"A",function-->"F"-->{arg-1-->"int"}}]`,
		"[{name\n-->\n\"A\",function -->\t\"F\" --> { }\r\n}]",
		element(`function --> "F" --> { arg-1 --> "int", }, `),
		`[ system_prompt --> "a", ` + element(anyFunction)[2:],
		element(`link --> "https://example.com", description --> "d"`),
		element(`link --> "https://example.com", ` + anyFunction),
		element(anyFunction + `, args_schema --> {}`),
		element(anyFunction + `, args_schema --> "Page[int]"`),
		element(anyFunction + ` // "a" } ] comment` + "\n"),
		element(`// name --> "x",` + "\n" + anyFunction),
		`[ rules --> [] ]`, `[ rules --> [ "a", """b""", ] ]`,
		`[ { name --> "_-9", ` + anyFunction + `} ]`,
		`[ { name --> "` + strings.Repeat("a", 64) + `", ` + anyFunction + `} ]`,
		element(anyFunction + `, args_schema --> { a- --> "int", my-name --> "str", user_id --> "int", userId --> "int", user-id --> "int" }`),
		element(anyFunction + `, args_schema --> { a--->"int" }`),
	} {
		parse(t, src)
		checkFormat(t, []byte(src))
	}
}

// TestFaults checks the diagnostics for mistakes that have no golden file, and that there are no
// follow-up errors.
func TestFaults(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{``, "empty-file"},
		{`[`, "unclosed-bracket"},
		{`]`, "missing-array"},
		{`}`, "extra-bracket missing-array"},
		{`[ "text" ]`, "unexpected-text"},
		{`[ [] ]`, "nested-array"},
		{`[ { } ]`, "missing-function missing-name"},
		{element(`Name --> "B", ` + anyFunction), "unknown-property"},
		{element(`NAME --> "B", ` + anyFunction), "unknown-property"},
		{element(`my-system_prompt --> "B", ` + anyFunction), "unknown-property"},
		{element(`function --> "F"`), "missing-block"},
		{element(`function --> "F", link --> "https://example.com"`), "missing-block"},
		{element(`function --> "F" -->`), "missing-block"},
		{element(`function --> "" --> {}`), "empty-text"},
		{element(anyFunction + `, ` + anyFunction), "repeated-property"},
		{element(anyFunction + `, args_schema --> { first_name --> "str", first_name --> "str" }`), "repeated-property"},
		{element(anyFunction + `, args_schema --> { a --> { b --> "str" } }`), "wrong-value"},
		{element(anyFunction + `, args_schema --> { a --> "none" }`), "misplaced-none"},
		{element(anyFunction + `, args_schema --> "*T"`), "bad-type-name"},
		{element(anyFunction + `, args_schema --> ""`), "empty-text"},
		{element(`args_schema --> { hyperlink --> "str" }`), "missing-function"},
		{element(`function --> "F" --> { arg-99999999999999999999 --> "int" }`), "bad-number"},
		{element(`link --> "http://", description --> "d"`), "bad-url"},
		{element(`link --> "https://a b", description --> "d"`), "bad-url"},
		{element(`link --> "%zz", description --> "d"`), "bad-url"},
		{"\xff\xfe[\x00]\x00", "not-utf8"},
		{"[ \xff\xff {name --> \"A\", " + anyFunction + "} ]", "not-utf8"},
		{`[ system_prompt --> "` + strings.Repeat("na\xefve ", 11) + `, rubbish`, "not-utf8"},
		{"[" + strings.Repeat("\x00a", 11), "not-utf8"},
		{`[ system_prompt --> "a" ] x`, "text-after-array"},
		{`[ rules --> [ "a", "b" `, "unclosed-bracket"},
		{`[ rules --> [ "a", "b" }, ` + element(anyFunction)[2:], "unclosed-bracket extra-bracket"},
		{`[ rules --> [ "a" ] { name --> "A", ` + anyFunction + ` } ]`, "missing-comma"},
		{element(`description --> "x """hi""" y", ` + anyFunction), "quote-in-text"},
		{`[ { name --> "X", ` + anyFunction + `, { name --> "A", ` + anyFunction + ` } } ]`, "nested-element"},
		{`[ ` + `{ name --> "A", function --> "F" --> arg-1 --> "int" } } ]`, "missing-brace"},
		{`[ { name --> "A", args_schema --> a --> "int", b --> "str" }, ` + anyFunction + ` } ]`, "missing-brace"},
		{`[ rules --> [ "a", "b", system_prompt --> "x", { name --> "A", ` + anyFunction + ` } ]`, "unclosed-bracket"},
		{`[ wrapped_query --> "x" { name --> "A", ` + anyFunction + ` } ]`, "missing-comma"},
		{element(`desc --> "d", description --> "d", ` + anyFunction), "unknown-property"},
		{element(`desc --> "d", link --> "https://example.com"`), "unknown-property"},
		{element(`description --> Says hi", ` + anyFunction), "missing-quote"},
		{element(`description -- "Says hi", ` + anyFunction), "wrong-arrow"},
		{`[ { name ---> "A", ` + anyFunction + ` } ]`, "wrong-arrow"},
	} {
		if got := codes(test.src); got != test.want {
			t.Errorf("%q\n got %s\nwant %s", test.src, got, test.want)
		}
	}
}

// TestManyFaults parses a file with more errors than the limit, of which the first are reported,
// and one with many warnings.
func TestManyFaults(t *testing.T) {
	const maxFaults = 1000
	doc, list := Parse("a", []byte("["+strings.Repeat(`{ "name": "A" }, `, 10_000)+"]"))
	last := list[len(list)-1]
	if len(list) != 10_001 || last.Code != "too-many-faults" || !strings.HasPrefix(last.Message, "too many errors") || !doc.Faulty {
		t.Errorf("%d faults, the last is %v", len(list), last)
	}
	if short := list.Short(); len(short) != maxFaults+1 || short[maxFaults] != last {
		t.Errorf("%d faults are shown", len(short))
	}
	_, list = Parse("a", []byte("["+strings.Repeat(`{ "name": "A" }, `, maxFaults)+"]"))
	if short := list.Short(); len(short) != maxFaults+1 || !strings.HasPrefix(short[maxFaults].Message, "too many errors: 1000 more") {
		t.Errorf("%d faults are shown, the last is %v", len(short), short[len(short)-1])
	}
	note := `arg-1 --> "int | defualt=5"`
	doc, list = Parse("a", []byte("["+strings.Repeat(`{ name --> "A", function --> "F" --> { `+note+` } }, `, maxFaults+1)+"]"))
	if len(list) != maxFaults+1 || list.Err() != nil || doc.Faulty {
		t.Errorf("warnings became an error: %v", list.Err())
	}
}

func TestText(t *testing.T) {
	for _, test := range []struct{ raw, want string }{
		{`" a "`, " a "},
		{`"C:\"`, `C:\`},
		{"\"a\r\n  b\rc\"", "a\n  b\rc"},
		{`"{ } [ ] --> // , **b** 👍"`, "{ } [ ] --> // , **b** 👍"},
		{`""""""`, ""},
		{`"""He said "hi" twice."""`, `He said "hi" twice.`},
		{"\"\"\"\n    a\n      b\n  \n    c\n  \"\"\"", "a\n  b\n\nc"},
		{"\"\"\"a\r\n\tb\r\n\t\r\n\t\tc\"\"\"", "a\nb\n\n\tc"},
		{"\"\"\"  a\n\tb\n  c\"\"\"", "a\n\tb\n  c"},
		{`"""rules --> [ "x" ]"""`, `rules --> [ "x" ]`},
	} {
		doc := parse(t, `[ system_prompt --> `+test.raw+`, { name --> "A", `+anyFunction+` } ]`)
		if got := doc.SystemPrompt.Value; got != test.want || len(doc.Elements) != 1 {
			t.Errorf("%s: got %q, want %q", test.raw, got, test.want)
		}
	}
}

func TestRules(t *testing.T) {
	doc := parse(t, `[ rules --> [ "a ], b", "c ]}", """say "no" """, "\" ] ]`)
	var got []string
	for _, rule := range doc.Rules.Texts {
		got = append(got, rule.Value)
	}
	if d := cmp.Diff([]string{"a ], b", "c ]}", `say "no"`, `\`}, got); d != "" {
		t.Error(d)
	}
}

// TestRecovery checks which elements are still valid next to a faulty one, X.
func TestRecovery(t *testing.T) {
	const a, b = `{ name --> "A", function --> "F" --> {} }`, `{ name --> "B", function --> "F" --> {} }`
	for _, test := range []struct{ src, sound, codes string }{
		{"[ { name --> \"X\", function --> \"F\" --> {}, description --> \"no end\n}, " + a + ", " + b + " ]", "AB", "unclosed-string"},
		{"[ { name --> \"X\", function --> \"F\" --> {}, description --> \"no end\n},\n" + a + ",\n" + b + "\n]", "AB", "unclosed-string"},
		{"[ { name --> \"X,\nfunction --> \"F\" --> {} }, " + a + ", " + b + " ]", "AB", "unclosed-string"},
		{`[ { name --> "X", function --> "F" --> { arg-1 --> "int", description --> "d" }, ` + a + `, ` + b + ` ]`, "AB", "unclosed-bracket"},
		{`[ { name --> "X", function --> "F" --> {}, ` + a + `, ` + b + ` ]`, "AB", "unclosed-bracket"},
		{`[ { name --> "X", function --> "F" --> {} ` + a + `, ` + b + ` ]`, "AB", "unclosed-bracket"},
		{`[ { name --> "X", desc --> "d", ` + anyFunction + ` }, ` + a + `, ` + b + ` ]`, "XAB", "unknown-property"},
		{`[ { name --> "X", args_schema --> {} }, ` + anyFunction + ` }, ` + a + `, ` + b + ` ]`, "AB", "extra-brace"},
		{`[ 42 { name --> "X", 42, ` + anyFunction + ` } ` + a + ` ` + b + ` ]`, "AB", "unexpected-text unexpected-text missing-comma missing-comma"},
		{`[ ` + a + `, ` + b + `, { name --> "X", "`, "AB", "unclosed-string"},
		{`[ ` + a + `, { name --> "X", function --> "F" --> { arg-1 --> int (x } }, ` + b + ` ]`, "AB", "unquoted-text"},
		{a + ` ` + b, "AB", "missing-array missing-comma"},
		{`[ ` + a + ` ], ` + b, "AB", "text-after-array"},
	} {
		doc, list := Parse("test.aion", []byte(test.src))
		var sound string
		for _, e := range doc.Elements {
			if !e.Faulty {
				sound += e.Name.Value
			}
		}
		if got := codes(test.src); sound != test.sound || got != test.codes {
			t.Errorf("%s\nsound: %q, codes: %q, faults: %v", test.src, sound, got, list.Err())
		}
	}
}

// TestDeletion deletes each character of a valid file in turn. One deletion should cause one fault,
// and never more than a few.
func TestDeletion(t *testing.T) {
	src, err := os.ReadFile("testdata/format/desk.aion")
	if err != nil {
		t.Fatal(err)
	}
	several := 0
	for i := range src {
		wrong := slices.Concat(src[:i], src[i+1:])
		_, list := Parse("test.aion", wrong)
		if len(list) > 1 {
			several++
		}
		if len(list) > 4 {
			t.Errorf("%d faults without the %q of %q: %v", len(list), src[i], src[max(0, i-20):i], list.Err())
		}
	}
	if several > len(src)/100 {
		t.Errorf("of %d deletions, %d are reported more than once", len(src), several)
	}
}

func TestErrorsAs(t *testing.T) {
	_, list := Parse("a.aion", []byte(`[ { name --> "", desc --> "d", function --> "F" --> { args --> "x" } } ]`))
	var property *PropertyError
	if err := list.Err(); !errors.As(err, &property) || property.Property != "desc" || property.Nearest != "description" {
		t.Errorf("no PropertyError in %v", err)
	}
	for _, src := range []string{
		`[ { name --> "a", temperature --> "d", function --> "F" --> {} } ]`,
		`[ { name --> "a", function --> "F" --> { arg-1 --> "string", whatever --> "x" } } ]`,
		`[ timeout --> "5s" ]`,
	} {
		if _, list := Parse("a.aion", []byte(src)); !errors.As(list.Err(), &property) || property.Nearest != "" || strings.Contains(property.Error(), "closest") {
			t.Errorf("%s: no PropertyError without a near property in %v", src, list.Err())
		}
	}
	var syntax *ParseError
	if err := list.Err(); !errors.As(err, &syntax) || syntax.Span.String() != "a.aion:1:14" {
		t.Errorf("no ParseError in %v", err)
	}
	const want = `a.aion:1:14: the name is empty`
	if syntax.Error() != want {
		t.Errorf("got %q, want %q", syntax.Error(), want)
	}
}

func TestCheck(t *testing.T) {
	var docs []*Document
	for _, name := range []string{"a", "b"} {
		doc, list := Parse(name+".aion", []byte(`[ system_prompt --> "`+name+`", { name --> "A", function --> "F" --> {} } ]`))
		if len(list) > 0 {
			t.Error(list)
		}
		docs = append(docs, doc)
	}
	var faults []string
	for _, d := range Check(docs...) {
		faults = append(faults, string(d.Code)+" "+d.Span.String()+" "+d.Related[0].Span.String())
	}
	if d := cmp.Diff([]string{"repeated-prompt b.aion:1:3 a.aion:1:3", "repeated-tool b.aion:1:37 a.aion:1:37"}, faults); d != "" {
		t.Error(d)
	}
}

// TestLarge parses extremely large files. Each must have few faults. Parsing in more than linear time
// would exceed the limit of go test.
func TestLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long with the race detector; the full suite runs it")
	}
	elements, _ := manyElements(10_000)
	doc, list := Parse("a", elements)
	if len(doc.Elements) != 10_000 || len(list) > 0 {
		t.Errorf("%d elements, %d faults", len(doc.Elements), len(list))
	}
	long := strings.Repeat("a } line,\n", 1<<20/10)
	doc = parse(t, element(anyFunction+`, description --> "`+long+`"`))
	if got := doc.Elements[0].Description.Value; got != long {
		t.Errorf("of %d bytes in a string, %d are left", len(long), len(got))
	}
	const n = 1 << 14
	for _, test := range []struct {
		src    string
		faults int
	}{
		{strings.Repeat("{", n), 2},
		{strings.Repeat("[", n), 1},
		{strings.Repeat("}", n), 2},
		{"[" + strings.Repeat(",", n) + "]", 1},
		{"[ { name --> " + strings.Repeat("x ", n) + " } ]", 2},
		{"[ { name --> " + strings.Repeat(`"a"b`, 1000) + " } ]", -1},
		{"[ { name --> " + strings.Repeat(`"a" //`, n) + " } ]", -1},
		{strings.Repeat(`“ `, n), -1},
		{strings.Repeat(": ", n), 2},
		{strings.Repeat("a:", n), -1},
		{strings.Repeat("\x00", n), -1},
		{strings.Repeat("\xff", n), -1},
		{`[ { name --> "A", function --> "F" --> { arg-1 --> "` + strings.Repeat("*", n) + `" } } ]`, 1},
		{`[ { name --> "A", function --> "F" --> { arg-1 --> "` + strings.Repeat("list[", n) + `" } } ]`, 1},
		{`[ { name --> "A", function --> "F" --> { arg-1 --> "int ` + strings.Repeat("| x ", n) + `" } } ]`, 0},
		{strings.Repeat(" ", MaxSource+1), 1},
	} {
		_, list := Parse("a", []byte(test.src))
		if test.faults >= 0 && len(list) != test.faults {
			t.Errorf("%.40s… has %d faults, not %d: %v", test.src, len(list), test.faults, list[:min(len(list), 3)])
		}
	}
}

// TestSpans checks that spans contain the text that their comments describe.
func TestSpans(t *testing.T) {
	src := "[\r\n  // é\r\n  { name --> \"A\", function --> \"é\r\nb\" --> { arg-1 --> \"\"\"x y\"\"\" } }\r\n]"
	doc := parse(t, src)
	e := doc.Elements[0]
	cut := func(s diag.Span) string { return src[s.Start.Offset:s.End.Offset] }
	got := []string{cut(e.Name.Span), cut(e.Name.Key), cut(e.Function.Text.Span), cut(e.Function.Block), cut(e.Function.Args[0].Note.Span), cut(doc.Comments[0].Span)}
	want := []string{`"A"`, "name", "\"é\r\nb\"", `{ arg-1 --> """x y""" }`, `"""x y"""`, "// é"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if end := e.Function.Text.Span.End; end.Line != 4 || end.Column != 3 {
		t.Errorf("the text ends at %+v", end)
	}
}

// TestTextPos checks the positions in the source of words in texts.
func TestTextPos(t *testing.T) {
	for _, tt := range []struct{ text, mark string }{
		{`"find"`, "find"},
		{`"find"`, "nd"},
		{`"ü find"`, "find"},
		{"\"a\n  find\"", "find"},
		{"\"a\r\n\tfind\"", "find"},
		{"\"a\rfind\"", "find"},
		{`"""find"""`, "find"},
		{`"""  find """`, "find"},
		{"\"\"\"\n    one\n      find\n    \"\"\"", "find"},
		{"\"\"\"\n    one\n      find\n    \"\"\"", "one"},
		{"\"\"\" one\n    two\n\n   find\n\"\"\"", "find"},
		{"\"\"\"\r\n\r\n\t\tone\r\n\t\t\tfind\r\n\"\"\"", "find"},
	} {
		src := element(anyFunction + ",\n description --> " + tt.text)
		text := parse(t, src).Elements[0].Description
		begin := strings.Index(text.Value, tt.mark)
		at := strings.Index(src, tt.text) + strings.LastIndex(tt.text, tt.mark)
		for _, n := range []int{0, len(tt.mark)} {
			before := src[:at+n]
			want := diag.Pos{Offset: at + n, Line: 1 + strings.Count(before, "\n"), Column: at + n - strings.LastIndexByte(before, '\n')}
			if got := text.Pos(begin + n); got != want {
				t.Errorf("%d behind %q in %q: got %+v, want %+v", n, tt.mark, tt.text, got, want)
			}
		}
	}
}
