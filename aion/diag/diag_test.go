package diag

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func spanAt(file string, line, column, endLine, endColumn int) Span {
	return Span{file, Pos{Line: line, Column: column}, Pos{Line: endLine, Column: endColumn}}
}

func TestSpanString(t *testing.T) {
	for want, span := range map[string]Span{
		"a.go:3:7": spanAt("a.go", 3, 7, 3, 8),
		"3:7":      spanAt("", 3, 7, 3, 8),
		"a.go":     {File: "a.go"},
		"":         {},
	} {
		if got := span.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestErr(t *testing.T) {
	var list List
	list.Warnf("w", Span{}, "only a warning")
	list.Notef("n", Span{}, "only a note")
	if err := list.Err(); err != nil {
		t.Errorf("a warning or a note is an error: %v", err)
	}
	list.Errorf("a", spanAt("x", 1, 2, 1, 3), "first %d", 1).WithCause(fs.ErrNotExist)
	if err := list.Err(); err.Error() != "x:1:2: error: first 1 [a]" {
		t.Error(err)
	}
	list.Errorf("b", Span{}, "second")
	err := list.Err()
	if got := err.Error(); got != "x:1:2: error: first 1 [a] (and 1 more)" {
		t.Error(got)
	}
	var d *Diagnostic
	if !errors.As(err, &d) || d.Code != "a" || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v does not unwrap to its diagnostics", err)
	}
}

func TestSplitMessage(t *testing.T) {
	for _, tt := range []struct {
		message, want string
		help          []string
	}{
		{"one line", "one line", nil},
		{"one line\n", "one line", nil},
		{"not enough arguments\n\thave ()\n\twant (int)", "not enough arguments", []string{"have ()\nwant (int)"}},
		{"no module; to add it:\n\tgo get x", "no module; to add it:", []string{"go get x"}},
	} {
		var list List
		d := list.Errorf("c", Span{}, "%s", tt.message).SplitMessage()
		if d.Message != tt.want || !slices.Equal(d.Help, tt.help) {
			t.Errorf("%q: message %q, help %q", tt.message, d.Message, d.Help)
		}
	}
}

func TestSort(t *testing.T) {
	var list List
	list.Errorf("z", spanAt("b", 1, 1, 1, 2), "5")
	list.Errorf("z", spanAt("a", 2, 1, 2, 2), "3")
	list.Errorf("z", spanAt("a", 10, 1, 10, 2), "4")
	list.Errorf("z", spanAt("a", 1, 9, 1, 10), "2")
	list.Errorf("b", spanAt("a", 1, 9, 1, 10), "1")
	list.Errorf("z", spanAt("a", 1, 9, 1, 10), "2")
	list.Sort()
	var got string
	for _, d := range list {
		got += d.Message
	}
	if got != "12345" {
		t.Error(got)
	}
}

// TestSnippet checks that carets are below the characters that they mark.
func TestSnippet(t *testing.T) {
	long := strings.Repeat("a", 200)
	for _, test := range []struct {
		name, src string
		span      Span
		want      string
	}{
		{"plain", "abc def\n", spanAt("f", 1, 5, 1, 8), "  1 | abc def\n    |     ^^^\n"},
		{"tabs", "\ta\tb\n", spanAt("f", 1, 4, 1, 5), "  1 |     a    b\n    |          ^\n"},
		{"wide", "用户 x", spanAt("f", 1, 4, 1, 9), "  1 | 用户 x\n    |   ^^^^\n"},
		{"emoji", "👍é́ x", spanAt("f", 1, 10, 1, 11), "  1 | 👍é́ x\n    |     ^\n"},
		{"controls", "a\x1b[31mb\x00", spanAt("f", 1, 7, 1, 9), "  1 | a\\x1b[31mb\\x00\n    |          ^^^^^\n"},
		{"direction", "a\u202eb", spanAt("f", 1, 5, 1, 6), "  1 | a\\u202eb\n    |        ^\n"},
		{"not UTF-8", "a\xffb", spanAt("f", 1, 3, 1, 4), "  1 | a\\xffb\n    |      ^\n"},
		{"byte order mark", "\ufeffab", spanAt("f", 1, 5, 1, 6), "  1 | ab\n    |  ^\n"},
		{"carriage return", "ab\r\ncd", spanAt("f", 1, 1, 2, 2), "  1 | ab\n    | ^^\n"},
		{"several lines", "ab\ncd\n", spanAt("f", 1, 2, 2, 3), "  1 | ab\n    |  ^\n"},
		{"empty span", "ab", spanAt("f", 1, 2, 1, 2), "  1 | ab\n    |  ^\n"},
		{"no end", "ab", spanAt("f", 1, 2, 0, 0), "  1 | ab\n    |  ^\n"},
		{"end of line", "ab", spanAt("f", 1, 3, 1, 3), "  1 | ab\n    |   ^\n"},
		{"end of file", "ab\n", spanAt("f", 2, 1, 2, 1), "  2 |\n    | ^\n"},
		{"empty file", "", spanAt("f", 1, 1, 1, 1), "  1 |\n    | ^\n"},
		{"column too large", "ab", spanAt("f", 1, 99, 1, 100), "  1 | ab\n    |   ^\n"},
		{"line too large", "ab", spanAt("f", 9, 1, 9, 2), ""},
		{"unknown place", "ab", Span{File: "f"}, ""},
		{"cut behind", long + "b", spanAt("f", 1, 1, 1, 3),
			"  1 | " + long[:100] + "…\n    | ^^\n"},
		{"cut before", long + "bc", spanAt("f", 1, 201, 1, 203),
			"  1 | …" + long[:98] + "bc\n    | " + strings.Repeat(" ", 99) + "^^\n"},
		{"cut both", long + "b" + long, spanAt("f", 1, 201, 1, 202),
			"  1 | …" + long[:40] + "b" + long[:59] + "…\n    | " + strings.Repeat(" ", 41) + "^\n"},
		{"far in a long line", strings.Repeat("用", 9999) + "b" + strings.Repeat("用", 9999), spanAt("f", 1, 3*9999+1, 1, 3*9999+2),
			"  1 | …" + strings.Repeat("用", 20) + "b" + strings.Repeat("用", 29) + "…\n    | " + strings.Repeat(" ", 41) + "^\n"},
		{"longer than the window", "b" + long, spanAt("f", 1, 1, 1, 202),
			"  1 | b" + long[:99] + "…\n    | " + strings.Repeat("^", 100) + "\n"},
	} {
		var list List
		list.Errorf("code", test.span, "message")
		got := printList(t, list, test.src)
		_, got, _ = strings.Cut(got, "\n")
		if d := cmp.Diff(test.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, d)
		}
	}
}

func printList(t *testing.T, list List, src string) string {
	t.Helper()
	var out bytes.Buffer
	if err := (Printer{Read: func(string) ([]byte, error) { return []byte(src), nil }}).Print(&out, list); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestPrint(t *testing.T) {
	var list List
	list.Errorf("code", spanAt("a\nb", 1, 1, 1, 2), "a \x1b[0m\nmessage").
		WithRelated(Span{}, "a note").
		WithHelp("do:\n  this\n  and \x1b that")
	list.Warnf("other", Span{}, "beware")
	want := strings.Join([]string{
		`a\nb:1:1: error: a \x1b[0m\nmessage [code]`,
		`  1 | x`,
		`    | ^`,
		`note: a note`,
		`help: do:`,
		`        this`,
		`        and \x1b that`,
		`warning: beware [other]`,
		``,
	}, "\n")
	if d := cmp.Diff(want, printList(t, list, "x")); d != "" {
		t.Error(d)
	}
}

// TestUnreadable prints a diagnostic whose source cannot be read.
func TestUnreadable(t *testing.T) {
	var list List
	list.Errorf("code", spanAt("a", 1, 1, 1, 2), "message")
	for _, p := range []Printer{{}, {Read: func(string) ([]byte, error) { return nil, fs.ErrNotExist }}} {
		var out bytes.Buffer
		if err := p.Print(&out, list); err != nil || out.String() != "a:1:1: error: message [code]\n" {
			t.Errorf("%v, %q", err, out.String())
		}
	}
}

func FuzzSnippet(f *testing.F) {
	f.Add([]byte("a\tb用\xff\x1b"), 2, 5)
	f.Fuzz(func(t *testing.T, line []byte, from, to int) {
		text, mark := underlineSpan(bytes.ReplaceAll(line, []byte("\n"), nil), from, to)
		if !strings.Contains(mark, "^") {
			t.Errorf("nothing is underlined in %q", text)
		}
		if strings.ContainsFunc(text, isControl) {
			t.Errorf("%q has a control character", text)
		}
	})
}
