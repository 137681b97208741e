package words_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/internal/words"
)

func Example() {
	known := []string{"find_user", "find_users", "delete_user"}
	fmt.Println("did you mean " + words.List(words.Near("finduser", known), " or ") + "?")
	fmt.Println(words.Join(known, " and ", 2))
	fmt.Println(words.First([]string{"/a: expected text", "/b: expected a number"}, 5))
	fmt.Println(words.Cut("a long story", 6))
	// Output:
	// did you mean find_user or find_users?
	// find_user, find_users and 1 more
	// [/a: expected text /b: expected a number and 3 more]
	// a long…
}

func TestNearest(t *testing.T) {
	names := []string{"name", "function", "args_schema", "link", "description", "FindUser"}
	for name, want := range map[string]string{
		"desc": "description", "descripton": "description", "fucntion": "function", "LINK": "link",
		"nmae": "name", "funktoin": "function", "args": "args_schema", "FindUsr": "FindUser",
		"finduser": "FindUser", "x": "", "zzzz": "", "": "", "na": "", "fi": "",
		"FindUserByEmail": "FindUser", "link_text": "link", "LinkText": "link", "linking": "", "names": "name",
		strings.Repeat("x", 1000): "",
	} {
		if got := words.Nearest(name, names); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	if got := words.Nearest("a", nil); got != "" {
		t.Errorf("got %q out of nothing", got)
	}
}

func TestNear(t *testing.T) {
	known := []string{"get", "git", "Got", "gut", "find_user", strings.Repeat("x", 70)}
	for name, want := range map[string][]string{
		"got": {"Got", "get", "git"}, "GIT": {"git", "Got", "get"}, "fnid_user": {"find_user"},
		"": nil, "delete": nil, strings.Repeat("x", 70): nil,
	} {
		if got := words.Near(name, known); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"abc", "abc", 0}, {"abc", "", 3}, {"abc", "abxc", 1}, {"abc", "ac", 1}, {"abc", "axc", 1},
		{"abc", "acb", 1}, {"ca", "abc", 3}, {"übung", "ubung", 1}, {strings.Repeat("a", 300), "b", 300},
	} {
		if got := words.Distance(tt.a, tt.b); got != tt.want {
			t.Errorf("from %.10q to %.10q: got %d, want %d", tt.a, tt.b, got, tt.want)
		}
		if got := words.Distance(tt.b, tt.a); got != tt.want {
			t.Errorf("from %.10q to %.10q: got %d, want %d", tt.b, tt.a, got, tt.want)
		}
	}
}

func TestList(t *testing.T) {
	many := strings.Fields(strings.Repeat("a ", 18))
	for _, tt := range []struct {
		words []string
		want  string
	}{
		{nil, ""},
		{[]string{"a"}, "a"},
		{[]string{"a", "b"}, "a or b"},
		{[]string{"a", "b", "c"}, "a, b or c"},
		{[]string{"", "b c", `d"`, "e,f"}, `"", "b c", "d\"" or "e,f"`},
		{[]string{strings.Repeat("x", 70)}, strings.Repeat("x", 64) + "…"},
		{many, strings.Repeat("a, ", 15) + "a and 2 more"},
	} {
		if got := words.List(tt.words, " or "); got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.words, got, tt.want)
		}
	}
	if got := words.Join([]string{`"a b"`, `""`, "c"}, " and ", 3); got != `"a b", "" and c` {
		t.Errorf("got %s", got)
	}
}

func TestCut(t *testing.T) {
	for _, tt := range []struct {
		text  string
		limit int
		want  string
	}{
		{"abc", 3, "abc"}, {"abcd", 3, "abc…"}, {"aüb", 2, "a…"}, {"aüb", 3, "aü…"}, {"", 0, ""}, {"ü", 0, "…"},
		{"\x80\x80\x80\x80\x80\x80\x80\x80", 6, "\x80\x80…"},
	} {
		if got := words.Cut(tt.text, tt.limit); got != tt.want {
			t.Errorf("%q to %d: got %q, want %q", tt.text, tt.limit, got, tt.want)
		}
	}
}

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"a b\n\tc": "a b\n c", "\x1b[2Jx\r": " [2Jx ", "a\u202eb\u200bc\u00a0d": "a b c d", "größe कि": "größe कि", "می\u200cخواهم": "می\u200cخواهم", "a\xffb": "a\uFFFDb", "": "",
	} {
		if got := words.Visible(text, "\n"); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestFoldName(t *testing.T) {
	for name, want := range map[string]string{
		"userId": "userid", "user_id": "userid", "User ID": "userid", "$user.id": "userid", "user id": "userid", "user​id": "userid",
		"größe": "größe", "कि": "कि", "x2": "x2", "$": "$", "_": "_", "": "",
	} {
		if got := words.FoldName(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}
