package toolpage

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
)

// List is the content of the page that lists tools.
type List struct {
	Title    string // heading
	Intro    string // a sentence below the heading
	Query    string // what was searched for
	Action   string // URL of the search, which takes a parameter q; if empty, SearchScript searches in the browser
	Tools    []ListedTool
	Omitted  int       // number of further tools, which only a search shows
	Findings []Finding // about all tools together
}

// ListedTool is a tool in a list. Consecutive tools of a package share a heading.
type ListedTool struct {
	Tool
	URL string // of its page
}

// ListBody renders a list of tools in the given order.
func ListBody(l List) (template.HTML, error) { return render("list.html", l) }

// ToolGroup holds consecutive tools of a package.
type ToolGroup struct {
	Package string
	Tools   []ListedTool
}

// Groups returns the tools, grouped by package. Tools of a package that are not consecutive are in separate groups.
func (l List) Groups() []ToolGroup {
	var groups []ToolGroup
	for _, t := range l.Tools {
		if n := len(groups); n == 0 || groups[n-1].Package != t.Package {
			groups = append(groups, ToolGroup{Package: t.Package})
		}
		last := &groups[len(groups)-1]
		last.Tools = append(last.Tools, t)
	}
	return groups
}

// Count returns the number of tools as text, such as "3 tools".
func (l List) Count() string {
	if l.Omitted > 0 {
		return fmt.Sprintf("The first %d of %d tools. Search to find the others.", len(l.Tools), len(l.Tools)+l.Omitted)
	}
	return words.Count(len(l.Tools), "tool")
}

// maxSummary limits the description in a list, in bytes.
const maxSummary = 240

// Summary returns the first paragraph of the description, cut if it is long.
func (t ListedTool) Summary() string {
	first, _, _ := strings.Cut(strings.TrimSpace(t.Description), "\n\n")
	return words.Cut(strings.Join(strings.Fields(first), " "), maxSummary)
}

// maxArguments limits the number of arguments in a list.
const maxArguments = 12

// Signature lists the names of the arguments; optional ones have a question mark.
func (t ListedTool) Signature() string {
	var names []string
	count := 0
	for _, row := range t.Arguments().Rows {
		if row.Parent != "" || row.Alternative {
			continue
		}
		if count++; count > maxArguments {
			continue
		}
		name := words.Cut(row.Name, 64)
		if !row.Required {
			name += "?"
		}
		names = append(names, name)
	}
	return strings.Join(words.First(names, count), ", ")
}

// SearchText returns the text that a search examines: the names, the descriptions and the arguments.
func (t ListedTool) SearchText() string {
	return strings.Join([]string{t.Name, t.Title, t.Description, t.Signature(), t.Package}, "\n")
}

// Matches reports whether all words of a query occur in the SearchText of the tool, ignoring
// case. Every tool matches an empty query.
func (t ListedTool) Matches(query string) bool {
	text := strings.ToLower(t.SearchText())
	for word := range strings.FieldsSeq(strings.ToLower(query)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// Warnings returns the number of findings that are not notes.
func (t ListedTool) Warnings() (n int) {
	for _, f := range t.Findings {
		if f.Severity != "note" {
			n++
		}
	}
	return n
}
