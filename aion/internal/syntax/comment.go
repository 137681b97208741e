package syntax

import (
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
)

// blockComments has the marks of comments with several lines. It maps the opening mark to the closing one.
var blockComments = map[string]string{"/*": "*/", "<!--": "-->"}

// scanForeignComment reports a comment of another notation, and skips it.
func (s *scanner) scanForeignComment(rest string) {
	mark := rest[:1]
	for _, start := range []string{"/*", "<!--", "--"} {
		if strings.HasPrefix(rest, start) {
			mark = start
		}
	}
	width, end := -1, blockComments[mark]
	if end != "" {
		width = s.findText(end, s.off+len(mark)) + len(end) - s.off
	}
	if width < len(mark) { // the comment ends with the line
		width = len(firstLine(rest))
	}
	d := s.Errorf("wrong-comment", s.nextSpan(width), "comments start with //, not with %s", mark)
	d.WithFix(s.commentEdit(width, mark))
	s.advanceTo(s.off + width)
}

// startsDashComment reports whether a line starts with a comment of SQL: two dashes and a
// blank that do not belong to a broken arrow.
func (s *scanner) startsDashComment(rest string) bool {
	if !strings.HasPrefix(rest, "-- ") || s.previousType == IdentToken || s.previousType == TextToken {
		return false
	}
	return skipBlank(s.src[:s.off], s.lineStart) == s.off && !strings.HasPrefix(strings.TrimLeft(rest[:min(len(rest), maxSearch)], "- \t"), ">")
}

// maxIndent limits the indentation of the lines that a fix inserts.
const maxIndent = 100

// commentEdit returns the edit that makes each line of a comment start with //.
func (s *scanner) commentEdit(width int, mark string) diag.Edit {
	end := blockComments[mark]
	if end == "" {
		return diag.Edit{Span: s.nextSpan(len(mark)), Text: "//"}
	}
	text := strings.TrimSuffix(s.src[s.off+len(mark):s.off+width], end)
	line := s.src[s.lineStart:min(s.off, s.lineStart+maxIndent)]
	indent := "\n" + line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	comment := CommentLines(text, indent)
	if next := skipBlank(s.src, s.off+width); next < len(s.src) && !strings.Contains(s.src[s.off+width:next], "\n") {
		return diag.Edit{Span: s.byteSpan(s.off, next), Text: comment + indent}
	}
	return diag.Edit{Span: s.nextSpan(width), Text: comment}
}

// CommentLines turns each line of a text into a // comment, and joins the comments with sep.
func CommentLines(text, sep string) string {
	var lines []string
	for line := range strings.SplitSeq(strings.Trim(text, " \t\r\n"), "\n") {
		line = strings.Trim(line, " \t\r")
		if marks := strings.TrimLeft(line, "*#"); marks == "" || marks[0] == ' ' { // a Markdown heading, or a line of a block comment
			line = strings.TrimLeft(marks, " ")
		}
		lines = append(lines, strings.TrimRight("// "+line, " "))
	}
	return strings.Join(lines, sep)
}

// scanForeignBlanks reports characters that only look like white space, and skips them.
func (s *scanner) scanForeignBlanks(rest string) {
	width, visible := 0, false
	for blank := foreignBlank(rest); blank != ""; blank = foreignBlank(rest[width:]) {
		visible = visible || !strings.Contains("\u200b\u200c\u200d\u2060\ufeff", blank)
		width += len(blank)
	}
	text := ""
	if visible {
		text = " "
	}
	s.Errorf("unexpected-text", s.nextSpan(width), "unexpected %+q, which only looks like white space", foreignBlank(rest)).
		WithHelp("write a blank, or delete it").WithFix(diag.Edit{Span: s.nextSpan(width), Text: text})
	s.advanceTo(s.off + width)
}
