package source

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

// commentText returns a comment as prose, without markers and directives, with each
// paragraph on one line.
func commentText(g *ast.CommentGroup) string {
	text := g.Text()
	if prose, ok := plainText(text); ok {
		return prose
	}
	return joinBlocks(parseBlocks(text))
}

// plainText returns a comment that is a single paragraph of plain words, the common case,
// without parsing it. It reports false for other comments.
func plainText(text string) (prose string, ok bool) {
	lineStart := true
	for i := range len(text) {
		switch c := text[i]; {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
			lineStart = false
		case lineStart: // a blank line, an indented line or a list item
			return "", false
		case c == '\n':
			lineStart = true
		case '0' <= c && c <= '9' || strings.IndexByte(" ,.;!?()", c) >= 0:
		default:
			return "", false
		}
	}
	return strings.Join(strings.Fields(text), " "), true
}

// parseBlocks returns the paragraphs and lists of a comment without markers. Links such as
// [Writer] or [io.Writer] lose their brackets, because a model cannot follow them.
func parseBlocks(text string) []comment.Block {
	parser := comment.Parser{LookupSym: func(recv, name string) bool { return recv != "" || len(name) > 1 }} // [N] is the length of an array
	return parser.Parse(trimMarkers(text)).Content
}

// markerLine matches a line for code generators, such as +optional or
// +kubebuilder:default=1.
var markerLine = lazyregexp.Regexp{Text: `^\+[a-z][\w-][^\s=]*(=.*)?$`}

// trimMarkers removes markers before and after paragraphs. Lines within a paragraph that
// look like markers are prose.
func trimMarkers(text string) string {
	if !strings.HasPrefix(text, "+") && !strings.Contains(text, "\n+") {
		return text
	}
	lines := strings.Split(text, "\n")
	blank := func(i int) bool { return i < 0 || i == len(lines) || lines[i] == "" }
	var prose []string
	for i := 0; i < len(lines); i++ {
		end := i
		for end < len(lines) && markerLine.Get().MatchString(lines[end]) {
			end++
		}
		if end > i && (blank(i-1) || blank(end)) {
			i = end - 1
			continue
		}
		prose = append(prose, lines[i])
	}
	return strings.Join(prose, "\n")
}

// FirstParagraph returns the first paragraph of a comment. It adds a short list that the paragraph
// introduces, such as a list of values, and a sentence that says that a value is required. It omits
// headings and examples, and a last sentence that introduces something omitted, such as "For example:".
func FirstParagraph(text string) string {
	first, list, required := "", "", ""
	inList := false
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case line == "":
		case line[0] == ' ':
			if inList {
				list += "\n" + line
			}
		case line[0] == '\t', strings.HasPrefix(line, "# "):
			inList = false
		case first == "":
			first, inList = line, strings.HasSuffix(line, ":")
		default:
			inList = false
			if StatesRequired(line) && len(line) < maxRequired {
				required = line
			}
		}
	}
	if list == "" || len(first)+len(list) > maxListed {
		return strings.TrimSpace(dropLeadIn(first) + " " + required)
	}
	return strings.TrimSpace(first + list + "\n" + required)
}

// maxListed is the maximum length of a paragraph with its list, in bytes.
const maxListed = 400

// maxRequired is the maximum length of a paragraph that says that a value is required, in bytes.
const maxRequired = 40

// requiredSentence matches the sentences by which generators of API clients mark required values: those of
// AWS, Google and Azure.
var requiredSentence = lazyregexp.Regexp{Text: `(?:^|\s)This (?:member|field|parameter|property) is (?:required|mandatory)\.(?:\s|$)|(?:^|\n|[.!?:]\s+)(?:(?:Required|REQUIRED|Mandatory)\.|REQUIRED;)(?:\s|$)`}

// StatesRequired reports whether a comment contains a sentence by which generators of API clients mark
// required values.
func StatesRequired(text string) bool { return requiredSentence.Get().MatchString(text) }

// dropLeadIn removes a last sentence that ends with a colon, because what it introduces is omitted.
func dropLeadIn(paragraph string) string {
	text, leads := strings.CutSuffix(paragraph, ":")
	if !leads {
		return paragraph
	}
	if end := strings.LastIndex(text, ". "); end >= 0 {
		return text[:end+1]
	}
	return text + "."
}

func joinBlocks(blocks []comment.Block) string {
	unwrapped := comment.Printer{TextWidth: -1}
	return strings.TrimSpace(string(unwrapped.Text(&comment.Doc{Content: blocks})))
}
