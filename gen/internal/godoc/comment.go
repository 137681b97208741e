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
	return docText(blocksOf(g))
}

// blocksOf are the paragraphs and lists of a comment, without markers, and without the
// brackets of links such as [Writer] or [io.Writer], which lead a model nowhere.
func blocksOf(g *ast.CommentGroup) []comment.Block {
	parser := comment.Parser{LookupSym: func(recv, name string) bool { return recv != "" || len(name) > 1 }} // [N] is a length
	return parser.Parse(withoutMarkers(g.Text())).Content
}

// marker is a line that is written for a generator of code: +optional, or
// +kubebuilder:default=1.
var marker = lazyregexp.Regexp{Text: `^\+[a-z][\w-][^\s=]*(=.*)?$`}

// withoutMarkers leaves out the markers in front of a paragraph of a comment and
// behind it. What looks like one in the middle is prose.
func withoutMarkers(text string) string {
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
