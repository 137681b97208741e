package syntax_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/syntax"
)

// readTokens returns the tokens of a file without its end.
func readTokens(t *testing.T, src []byte) []syntax.Token {
	t.Helper()
	scanner, err := syntax.Notation{}.Lex("x.aion", bytes.NewReader(src))
	if err != nil {
		t.Fatal(err)
	}
	all, err := lexer.ConsumeAll(scanner)
	if err != nil {
		t.Fatal(err)
	}
	return all[:len(all)-1]
}

func TestTokens(t *testing.T) {
	src := "\ufeff[ // tools\r\n  { name --> \"é\",\n    link --> \"\"\"a\n\tb\"\"\" } ; ]"
	letters := map[lexer.TokenType]byte{
		syntax.IdentToken: 'n', syntax.TextToken: 't', syntax.ArrowToken: 'a', syntax.MarkToken: 'm', syntax.JunkToken: 'w',
	}
	var kinds, texts strings.Builder
	for _, token := range readTokens(t, []byte(src)) {
		kinds.WriteByte(letters[token.Type])
		texts.WriteString(token.Value + "|")
		if before := src[:token.Pos.Offset]; strings.Count(before, "\n")+1 != token.Pos.Line || token.Pos.Column != token.Pos.Offset-strings.LastIndexByte(before, '\n') {
			t.Errorf("%q starts at %v", token.Value, token.Pos)
		}
	}
	if want := "mmnatmnatmmm"; kinds.String() != want {
		t.Errorf("kinds %s, want %s", kinds.String(), want)
	}
	if want := "[|{|name|-->|\"é\"|,|link|-->|\"\"\"a\n\tb\"\"\"|}|;|]|"; texts.String() != want {
		t.Errorf("texts %s, want %s", texts.String(), want)
	}
}

// FuzzTokens checks that tokens do not overlap and have the texts of the file.
func FuzzTokens(f *testing.F) {
	files, _ := filepath.Glob("../../testdata/bad/*.aion")
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		end := 0
		for _, token := range readTokens(t, src) {
			start := token.Pos.Offset
			if start < end || token.Value == "" || !bytes.HasPrefix(src[start:], []byte(token.Value)) {
				t.Errorf("the token %q at %v is out of place", token.Value, token.Pos)
			}
			end = start + len(token.Value)
		}
	})
}

// TestTidy checks which items remain of a list with mistakes in punctuation.
func TestTidy(t *testing.T) {
	for _, tt := range []struct{ src, want, code string }{
		{`[ a --> "1", b --> "2" ]`, `a "1"; b "2"`, ""},
		{`[ a --> "1" b --> "2" ]`, `a "1"; b "2"`, "missing-comma"},
		{`[ a --> "1",, b --> "2" ]`, `a "1"; b "2"`, "extra-comma"},
		{`[ a: "1" ]`, `a "1"`, "wrong-arrow"},
		{`[ "a" --> "1" ]`, `a "1"`, "quoted-name"},
		{`[ 'a': "1" ]`, `a "1"`, "quoted-name"},
		{`[ a --> "1", “b” --> "2" ]`, `a "1"; b "2"`, "quoted-name"},
		{`[ a --> one two ]`, `a one two`, "unquoted-text"},
		{`[ a --> "1", ; ]`, `a "1"`, "unexpected-text"},
		{`[ a --> "1"`, `a "1"`, "unclosed-bracket"},
	} {
		r := syntax.Read("x.aion", []byte(tt.src))
		items, _ := r.ReadArray()
		var got []string
		for _, it := range r.CompleteItems(items) {
			got = append(got, it.Key.Value+" "+it.Text.Value)
		}
		if got := strings.Join(got, "; "); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.src, got, tt.want)
		}
		if code := r.List; tt.code == "" && len(code) > 0 || tt.code != "" && (len(code) != 1 || string(code[0].Code) != tt.code) {
			t.Errorf("%s: %v, want %s", tt.src, code, tt.code)
		}
	}
}

// TestIndex looks up where each byte of a value is in the raw text.
func TestIndex(t *testing.T) {
	for _, raw := range []string{`"a b"`, "\"a\r\nb\"", "\"\"\"a\n    b\n      c\n\"\"\"", "\"\"\"\n\n  x \n\n\ty\r\n\"\"\""} {
		value := syntax.TextValue(raw)
		start := diag.Pos{Offset: 7, Line: 3, Column: 5}
		x := syntax.NewIndex(start, raw)
		for i := range len(value) {
			at := x.Pos(i)
			if value[i] != '\n' && raw[at.Offset-7] != value[i] || at != syntax.AdvancePos(start, raw[:at.Offset-7]) {
				t.Errorf("%q: byte %d of %q at %v", raw, i, value, at)
			}
		}
		if end := x.Pos(len(value) + 1); end != syntax.AdvancePos(start, raw) {
			t.Errorf("%q ends at %v", raw, end)
		}
	}
}
