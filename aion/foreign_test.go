package aion

import (
	"strings"
	"testing"
)

// TestFixConstructs fixes constructs that other notations put around texts and files. Each must be
// one error whose edits fix it completely, so that a second round finds nothing.
func TestFixConstructs(t *testing.T) {
	const tool = "{ name --> \"a\", link --> \"https://e.com\", description --> \"d\" }"
	text := func(description string) string {
		return "[ { name --> \"a\", link --> \"https://e.com\", description --> " + description + " } ]"
	}
	for _, tt := range []struct{ name, text, want string }{
		{"triple quotes", text("'''Sends it.\nMore of it.'''"), text("\"\"\"Sends it.\nMore of it.\"\"\"")},
		{"triple quotes on a line", text("'''Sends it.'''"), text(`"""Sends it."""`)},
		{"triple quotes with quotes inside", text("'''It's a \"test\", isn't it?'''"), text(`"""It's a "test", isn't it?"""`)},
		{"triple quotes with a quote at the end", text("'''Say \"it\"'''"), text("\"\"\"Say \"it\"\n\"\"\"")},
		{"triple quotes with brackets", text("'''a }, b ] --> c'''"), text(`"""a }, b ] --> c"""`)},
		{"triple quotes in CRLF", strings.ReplaceAll(text("'''a\nb'''"), "\n", "\r\n"), strings.ReplaceAll(text(`"""a`+"\n"+`b"""`), "\n", "\r\n")},
		{"triple quotes with a prefix", text("r'''a\\d'''"), text(`"""a\d"""`)},
		{"triple quotes of an f-string", text("f'''a b'''"), text(`"""a b"""`)},
		{"triple quotes in a list", "[ rules --> [ '''a''', '''b''' ], " + tool + " ]", `[ rules --> [ """a""", """b""" ], ` + tool + " ]"},
		{"triple quotes in a block", `[ { name --> '''a''', function --> '''F''' --> { arg-1 --> '''int''' } } ]`, `[ { name --> """a""", function --> """F""" --> { arg-1 --> """int""" } } ]`},
		{"backticks in threes", text("```a\nb```"), text("\"\"\"a\nb\"\"\"")},
		{"a prefix", text(`r"a b"`), text(`"a b"`)},
		{"a prefix of a block", text(`u"""a b"""`), text(`"""a b"""`)},
		{"a prefix before other quotes", text(`b'a b'`), text(`"a b"`)},
		{"an apostrophe", text(`'it's fine'`), text(`"it's fine"`)},
		{"an apostrophe with a backslash", text(`'it\'s, "fine"'`), text(`"""it's, "fine"
"""`)},
		{"triple quotes with backslashes", text(`'''it\'s \"fine\" \d'''`), text(`"""it's "fine" \d"""`)},
		{"a backslash without a meaning", text(`'\d'`), text(`"\d"`)},
		{"a raw text with escapes", text(`r'a\nb'`), text(`"a\nb"`)},
		{"lines in backticks", text("`a\nb`"), text("\"a\nb\"")},
		{"a fence", "```aion\n[ " + tool + " ]\n```\n", "[ " + tool + " ]\n"},
		{"a fence without a language", "```\n[ " + tool + " ]\n```", "[ " + tool + " ]\n"},
		{"a fence of tildes", "~~~aion\n[ " + tool + " ]\n~~~\n", "[ " + tool + " ]\n"},
		{"a longer fence", "````aion\n[ " + tool + " ]\n````\n", "[ " + tool + " ]\n"},
		{"a fence and blank lines", "\n\n```aion\n[ " + tool + " ]\n\n```\n\n", "\n\n[ " + tool + " ]\n\n\n"},
		{"a fence in CRLF", "```aion\r\n[ " + tool + " ]\r\n```\r\n", "[ " + tool + " ]\r\n"},
		{"a fence and a byte order mark", "\ufeff```aion\n[ " + tool + " ]\n```\n", "\ufeff[ " + tool + " ]\n"},
		{"a fence without an end", "```aion\n[ " + tool + " ]\n", "[ " + tool + " ]\n"},
		{"the end of a fence", "[ " + tool + " ]\n```\n", "[ " + tool + " ]\n"},
		{"a fence after prose", "Here is the file:\n\n```aion\n[ " + tool + " ]\n```\n", "// Here is the file:\n[ " + tool + " ]\n"},
		{"a fence after a heading", "## Title\n```aion\n[ " + tool + " ]\n```\n", "// Title\n[ " + tool + " ]\n"},
		{"a fence before prose", "```aion\n[ " + tool + " ]\n```\nThat is\nall.\n", "[ " + tool + " ]\n// That is\n// all.\n"},
		{"an HTML comment", "<!-- a\n  b -->\n[ " + tool + " ]", "// a\n// b\n[ " + tool + " ]"},
		{"a comment before something on its line", "[ <!-- a --> " + tool + " ]", "[ // a\n" + tool + " ]"},
		{"a comment of SQL", "-- a\n[ " + tool + " ]", "// a\n[ " + tool + " ]"},
		{"a docstring", "\"\"\"Tools.\"\"\" [ " + tool + " ]", "// Tools.\n [ " + tool + " ]"},
		{"an assignment", "tools = [ " + tool + " ]", "[ " + tool + " ]"},
		{"an object around the array", "{ \"tools\": [ " + tool + " ] }", "[ " + tool + " ]"},
		{"texts on lines of their own", text("\"a \"\n  \"b\""), text(`"a b"`)},
		{"texts in parentheses", text("(\"a \" \"b\")"), text(`"a b"`)},
		{"a text in parentheses", text("(\"a\")"), text(`"a"`)},
		{"a null", "[ { name --> \"a\", function --> \"F\" --> {}, link --> null, description --> \"d\" } ]", "[ { name --> \"a\", function --> \"F\" --> {}, description --> \"d\" } ]"},
		{"a bullet", "[ * " + tool + " ]", "[ " + tool + " ]"},
		{"brackets for a block", `[ { name --> "a", function --> "F" --> [ arg-1 --> "int" ] } ]`, `[ { name --> "a", function --> "F" --> { arg-1 --> "int" } } ]`},
		{"arguments by name", `[ { name --> "a", function --> "F" --> { x --> "int" } } ]`, `[ { name --> "a", function --> "F" --> {}, args_schema --> { x --> "int" } } ]`},
		{"a JSON Schema", `[ { name --> "a", function --> "F" --> {}, args_schema --> { "type": "object", "properties": { "x": { "type": "integer", "minimum": 1, "description": "what" }, "y": { "type": "array", "items": { "type": "string" } } }, "required": ["x"] } } ]`,
			"[ { name --> \"a\", function --> \"F\" --> {}, args_schema --> {\n  x --> \"int (what) | min=1\",\n  y --> \"list[string]?\"\n} } ]"},
		{"a JSON Schema of a value", `[ { name --> "a", function --> "F" --> { arg-1 --> { type --> "string", enum --> ["a", "b c"] } } } ]`, `[ { name --> "a", function --> "F" --> { arg-1 --> "string | enum='a','b c'" } } ]`},
		{"a property of other tools", `[ { type --> "function", name --> "a", function --> "F" --> {} } ]`, `[ { name --> "a", function --> "F" --> {} } ]`},
		{"prose before the array", "Here is the file:\nIt's short.\n\n[ " + tool + " ]", "// Here is the file:\n// It's short.\n\n[ " + tool + " ]"},
		{"prose after the array", "[ " + tool + " ]\n\nThat is all.\n**Notes:**\n* one\n", "[ " + tool + " ]\n\n// That is all.\n// **Notes:**\n// one\n"},
		{"a constant of JavaScript", "const tools = [ " + tool + " ]", "[ " + tool + " ]"},
		{"a typed constant", "export const tools: Tool[] = [ " + tool + " ]", "[ " + tool + " ]"},
		{"a default export", "export default [ " + tool + " ]", "[ " + tool + " ]"},
		{"a typed variable", "tools: list[dict] = [ " + tool + " ]", "[ " + tool + " ]"},
		{"quotes before a block", `[ { name --> "a", function --> "lambda s: \"{}\".format(s)" --> {} } ]`, "[ { name --> \"a\", function --> \"\"\"lambda s: \"{}\".format(s)\"\"\" --> {} } ]"},
		{"types in capitals", `[ { name --> "a", function --> "F" --> {}, args_schema --> { type --> "OBJECT", properties --> { x --> { type --> "STRING" }, y --> { type --> ["INTEGER", "null"], exclusiveMinimum --> 0 } } } } ]`,
			"[ { name --> \"a\", function --> \"F\" --> {}, args_schema --> {\n  x --> \"string?\",\n  y --> \"int? | min=1\"\n} } ]"},
		{"fences in a text", text("\"\"\"\n```\na\n```\n\"\"\""), text("\"\"\"\n```\na\n```\n\"\"\"")},
	} {
		_, list := Parse("a.aion", []byte(tt.text))
		want := 1
		if strings.Contains(tt.name, "triple quotes in a") {
			want = strings.Count(tt.text, "'''") / 2
		} else if tt.text == tt.want {
			want = 0
		}
		if len(list) != want {
			t.Errorf("%s: %d errors, want %d: %v", tt.name, len(list), want, list)
		}
		fixed, complete := ApplyFixes("a.aion", []byte(tt.text), certainFixes(list))
		if string(fixed) != tt.want || !complete {
			t.Errorf("%s:\n%q\nwant\n%q", tt.name, fixed, tt.want)
		}
		if _, left := Parse("a.aion", fixed); len(left) > 0 {
			t.Errorf("%s: left is %v", tt.name, left)
		}
	}
}

// TestFixNotCertain checks that constructs are left unchanged if the edits might lose a part of their
// meaning.
func TestFixNotCertain(t *testing.T) {
	for _, text := range []string{
		"[ { name --> \"a\", link --> \"https://e.com\", description --> f'''{x}''' } ]",
		"[ { name --> \"a\", link --> \"https://e.com\", description --> f\"{x}\" } ]",
		"[ { name --> \"a\", link --> \"https://e.com\", description --> '''a\n } ]",
		"[ { name --> \"a\", link --> \"https://e.com\", description --> '''a\\nb''' } ]",
		"[ { name --> \"a\", link --> \"https://e.com\", description --> 'a\\tb' } ]",
		"[ { name --> \"a\", link --> \"https://e.com\", description --> u\"a\\nb\" } ]",
		"[ { name --> \"a\", link --> \"https://e.com\", description --> \"say \\\"it\\\" in\\n lines\" } ]",
		"[ { name --> \"a\", link --> \"https://e.com\", description --> 'a' 'b' } ]",
		"[ { name --> \"a\", link --> \"https://e.com\", description --> 'a' + 'b' } ]",
	} {
		_, list := Parse("a.aion", []byte(text))
		if len(list) != 1 {
			t.Errorf("%q: %v", text, list)
		}
		if fixed, _ := ApplyFixes("a.aion", []byte(text), certainFixes(list)); string(fixed) != text {
			t.Errorf("%q became %q", text, fixed)
		}
	}
}

// TestFixEscapes checks that the fixes of a file in JSON write the characters for which escapes stand.
func TestFixEscapes(t *testing.T) {
	for literal, want := range map[string]string{
		`"Z\u00e4hlt.\nAlle\/manche \ud83d\ude00."`: "\"Zählt.\nAlle/manche 😀.\"",
		`"C:\\temp\\new"`:        `"C:\temp\new"`,
		`"say \"it\" \\n twice"`: `"""say "it" \n twice"""`,
		`"plain"`:                `"plain"`,
		`"not JSON: \d"`:         `"not JSON: \d"`,
	} {
		text := []byte(`[ { "name": "a", "link": "https://e.com", "description": ` + literal + ` } ]`)
		for range 3 {
			_, list := Parse("a.aion", text)
			text, _ = ApplyFixes("a.aion", text, certainFixes(list))
		}
		if want := `[ { name --> "a", link --> "https://e.com", description --> ` + want + ` } ]`; string(text) != want {
			t.Errorf("%s:\n%s\nwant\n%s", literal, text, want)
		}
	}
}

// TestUnwrapFunction moves the properties of a tool out of its function, as OpenAI writes them.
func TestUnwrapFunction(t *testing.T) {
	const text = `[ { function --> { "name": "a", "description": "d", "parameters": { "type": "object", "properties": {} }, "strict": true }, link --> "https://e.com" } ]`
	const want = "[ { name --> \"a\",\ndescription --> \"d\", link --> \"https://e.com\" } ]"
	_, list := Parse("a.aion", []byte(text))
	if fixed, _ := ApplyFixes("a.aion", []byte(text), certainFixes(list)); string(fixed) != want {
		t.Errorf("%s\nwant\n%s", fixed, want)
	}
}

// TestFixKeepsWords checks that no fix makes words a name or a text unless that is certain.
func TestFixKeepsWords(t *testing.T) {
	element := func(properties string) string { return `[ { name --> "a", ` + properties + ` } ]` }
	for _, tt := range []struct{ text, kept string }{
		{element(`function --> lambda s: 'Hello, ' + s --> { arg-1 --> "string" }`), "lambda s"},
		{element("function --> \"F\" --> {}, description --> 'Counts.\nIt isn't slow.\n\nReally \"fast\".'"), `Really "fast".'`},
		{";; tools\n[ " + element(`link --> "https://e.com"`) + " ]", ";; tools\n["},
		{"% comment\n" + element(`link --> "https://e.com", description --> "d"`), "% comment\n["},
		{`[ { name --> "&quot;a&quot;", link --> "https://e.com", description --> "d" } ]`, `"&quot;a&quot;"`},
		{`[ { id --> 1, link --> "https://e.com", description --> "d" } ]`, `1`},
		{"const tools [ { } ]", "const tools ["},
	} {
		text := []byte(tt.text)
		for range 3 {
			_, list := Parse("a.aion", text)
			text, _ = ApplyFixes("a.aion", text, certainFixes(list))
		}
		if !strings.Contains(string(text), tt.kept) || strings.Contains(string(text), "_1") {
			t.Errorf("%s\nbecame\n%s", tt.text, text)
		}
	}
}

// TestFixStrayFences checks that fences are left unchanged if there are several files or quoted
// fences.
func TestFixStrayFences(t *testing.T) {
	for _, text := range []string{
		"```aion\n[]\n```\n\n```aion\n[]\n```\n",
		"Two files:\n```aion\n[]\n```\nand\n```aion\n[]\n```\n",
		"> ```aion\n> []\n> ```\n",
		"'''\n[]\n'''\n",
		"'''aion\n[]\n'''\n",
	} {
		_, list := Parse("a.aion", []byte(text))
		if fixed, _ := ApplyFixes("a.aion", []byte(text), certainFixes(list)); strings.Contains(string(fixed), `"""`) {
			t.Errorf("%q became %q", text, fixed)
		}
	}
}

// TestCertainNames fixes keys that can have only one meaning, and no others.
func TestCertainNames(t *testing.T) {
	block := func(entries string) string { return `[ { name --> "a", function --> "A" --> { ` + entries + ` } } ]` }
	for _, tt := range []struct{ text, want string }{
		{block(`arg_1 --> "int"`), block(`arg-1 --> "int"`)},
		{block(`return_1 --> "int"`), block(`return-1 --> "int"`)},
		{block(`Arg-1 --> "int", args2 --> "int"`), block(`arg-1 --> "int", arg-2 --> "int"`)},
		{block(`arg-0 --> "int"`), block(`arg-1 --> "int"`)},
		{block(`arg-0 --> "int", arg-1 --> "str"`), block(`arg-1 --> "int", arg-2 --> "str"`)},
		{block(`arg_0 --> "int", arg_1 --> "str", return_0 --> "int"`), block(`arg-1 --> "int", arg-2 --> "str", return-1 --> "int"`)},
		{block(`arg-1 --> "int", arg_1 --> "str"`), block(`arg-1 --> "int", arg_1 --> "str"`)},
		{block(`arg-0 --> "int", arg-1 --> "int", arg-3 --> "int"`), block(`arg-0 --> "int", arg-1 --> "int", arg-3 --> "int"`)},
		{block(`arg-1 --> "int", arg-01 --> "int"`), block(`arg-1 --> "int", arg-01 --> "int"`)},
		{block(`arg_1 --> "int", arg1 --> "int"`), block(`arg-1 --> "int", arg1 --> "int"`)},
		{`[ { name --> "a", link --> "https://e.com", desc --> "d" } ]`, `[ { name --> "a", link --> "https://e.com", description --> "d" } ]`},
		{`[ { Name --> "a", link --> "https://e.com", description --> "d" } ]`, `[ { name --> "a", link --> "https://e.com", description --> "d" } ]`},
		{`[ { name --> "a", link --> "https://e.com", desc --> "d", description --> "e" } ]`, `[ { name --> "a", link --> "https://e.com", desc --> "d", description --> "e" } ]`},
		{`[ { name --> "a", "desc": "d", link --> "https://e.com" } ]`, `[ { name --> "a", description --> "d", link --> "https://e.com" } ]`},
	} {
		text := []byte(tt.text)
		for range 3 {
			_, list := Parse("a.aion", text)
			text, _ = ApplyFixes("a.aion", text, certainFixes(list))
		}
		if string(text) != tt.want {
			t.Errorf("%s\nbecame\n%s\nwant\n%s", tt.text, text, tt.want)
		}
	}
}

// TestBadNameHelp checks that a spelling is proposed only for names that can be spelled in ASCII.
func TestBadNameHelp(t *testing.T) {
	for name, want := range map[string]string{"größe": `"groesse"`, "größe_查询": "", "查询": "", "a b": `"a_b"`, "naïve café": `"naive_cafe"`} {
		_, list := Parse("a.aion", []byte(`[ { name --> "`+name+`", function --> "A" --> {} } ]`))
		got := ""
		if len(list) == 1 && len(list[0].Help) == 2 {
			got = strings.TrimPrefix(list[0].Help[1], "write ")
		}
		if got != want {
			t.Errorf("%s: got %s, want %s: %v", name, got, want, list)
		}
	}
}

// TestQuotedNameSpan checks that the span of a quoted name includes its quotes.
func TestQuotedNameSpan(t *testing.T) {
	_, list := Parse("a.aion", []byte(`[ { name --> "a", "function" --> "A" } ]`))
	for _, d := range list {
		if d.Span.Start.Column != 19 || d.Span.End.Column != 29 {
			t.Errorf("%v reaches from column %d to %d", d, d.Span.Start.Column, d.Span.End.Column)
		}
	}
	if len(list) != 2 || list[0].Code != "missing-block" {
		t.Errorf("%v", list)
	}
}
