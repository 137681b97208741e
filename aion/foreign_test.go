package aion

import (
	"strings"
	"testing"
)

// TestMendConstructs mends what other notations put around texts and files: each is one
// error, whose edits mend all of it, so that nothing is left for a second time.
func TestMendConstructs(t *testing.T) {
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
		mended, complete := Mend("a.aion", []byte(tt.text), certain(list))
		if string(mended) != tt.want || !complete {
			t.Errorf("%s:\n%q\nwant\n%q", tt.name, mended, tt.want)
		}
		if _, left := Parse("a.aion", mended); len(left) > 0 {
			t.Errorf("%s: left is %v", tt.name, left)
		}
	}
}

// TestMendNotCertain leaves alone what may mean more than its edits would keep.
func TestMendNotCertain(t *testing.T) {
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
		"# Title\n\n```aion\n[]\n```\n",
		"Here is the file:\n```aion\n[]\n```\n",
		"```aion\n[]\n```\nThat is all.\n",
	} {
		_, list := Parse("a.aion", []byte(text))
		if len(list) != 1 {
			t.Errorf("%q: %v", text, list)
		}
		if mended, _ := Mend("a.aion", []byte(text), certain(list)); string(mended) != text {
			t.Errorf("%q became %q", text, mended)
		}
	}
}

// TestMendStrayFences leaves alone the fences of several files and of quoted ones.
func TestMendStrayFences(t *testing.T) {
	for _, text := range []string{
		"```aion\n[]\n```\n\n```aion\n[]\n```\n",
		"Two files:\n```aion\n[]\n```\nand\n```aion\n[]\n```\n",
		"> ```aion\n> []\n> ```\n",
		"'''\n[]\n'''\n",
		"'''aion\n[]\n'''\n",
	} {
		_, list := Parse("a.aion", []byte(text))
		if mended, _ := Mend("a.aion", []byte(text), certain(list)); strings.Contains(string(mended), `"""`) {
			t.Errorf("%q became %q", text, mended)
		}
	}
}

// TestCertainNames fixes keys that can have been meant in one way only, and no others.
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
			text, _ = Mend("a.aion", text, certain(list))
		}
		if string(text) != tt.want {
			t.Errorf("%s\nbecame\n%s\nwant\n%s", tt.text, text, tt.want)
		}
	}
}

// TestBadNameHelp proposes a spelling only of names that have one in ASCII.
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

// TestQuotedNameSpan underlines a name with its quotes.
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
