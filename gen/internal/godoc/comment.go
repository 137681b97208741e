package godoc

import (
	"go/ast"
	"go/doc/comment"
	"strings"
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
	var parser comment.Parser
	return docText(parser.Parse(g.Text()).Content)
}

func docText(blocks []comment.Block) string {
	unwrapped := comment.Printer{TextWidth: -1}
	return strings.TrimSpace(string(unwrapped.Text(&comment.Doc{Content: blocks})))
}
