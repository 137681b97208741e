package godoc

import (
	"go/ast"
	"go/doc/comment"

	"strings"

	"github.com/aiongen/aiongen/internal/lazyregexp"
)

func firstText(groups ...*ast.CommentGroup) string {
	for _, g := range groups {
		if text := commentText(g); text != "" {
			return text
		}
	}
	return ""
}

// commentText is a comment as prose: without markers and directives, and each
// paragraph on a line of its own, since what wraps it here wraps it nowhere else.
func commentText(g *ast.CommentGroup) string {
	text := g.Text()
	if prose, ok := plain(text); ok {
		return prose
	}
	return docText(blocksOf(text))
}

// plain is a comment that is one paragraph of nothing but words as prose, which needs no
// parsing. Most are.
func plain(text string) (prose string, ok bool) {
	begins := true // a line
	for i := range len(text) {
		switch c := text[i]; {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
			begins = false
		case begins: // it is blank, indented, or one of a list
			return "", false
		case c == '\n':
			begins = true
		case '0' <= c && c <= '9' || strings.IndexByte(" ,.;!?()", c) >= 0:
		default:
			return "", false
		}
	}
	return strings.Join(strings.Fields(text), " "), true
}

// blocksOf are the paragraphs and lists of a comment, without markers, and without the
// brackets of links such as [Writer] or [io.Writer], which lead a model nowhere.
func blocksOf(text string) []comment.Block {
	parser := comment.Parser{LookupSym: func(recv, name string) bool { return recv != "" || len(name) > 1 }} // [N] is a length
	return parser.Parse(withoutMarkers(text)).Content
}

// marker is a line that is written for a generator of code: +optional, or
// +kubebuilder:default=1.
var marker = lazyregexp.Regexp{Text: `^\+[a-z][\w-][^\s=]*(=.*)?$`}

// withoutMarkers leaves out the markers in front of a paragraph of a comment and
// behind it. What looks like one in the middle is prose.
func withoutMarkers(text string) string {
	if !strings.HasPrefix(text, "+") && !strings.Contains(text, "\n+") {
		return text
	}
	lines := strings.Split(text, "\n")
	blank := func(i int) bool { return i < 0 || i == len(lines) || lines[i] == "" }
	var kept []string
	for i := 0; i < len(lines); i++ {
		end := i
		for end < len(lines) && marker.Get().MatchString(lines[end]) {
			end++
		}
		if end > i && (blank(i-1) || blank(end)) {
			i = end - 1
			continue
		}
		kept = append(kept, lines[i])
	}
	return strings.Join(kept, "\n")
}

func docText(blocks []comment.Block) string {
	unwrapped := comment.Printer{TextWidth: -1}
	return strings.TrimSpace(string(unwrapped.Text(&comment.Doc{Content: blocks})))
}
