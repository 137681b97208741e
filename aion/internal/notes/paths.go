package notes

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
)

// A Path is one of the paths in the value of an option, such as b.c in "omit=a,b.c".
type Path struct {
	Part
	Names    []string
	Anywhere bool   // it starts with *. and applies at every depth
	Problem  string // why the path is invalid, or ""
}

// SplitPaths splits the value of an option into paths at its commas, and the paths into names
// at their dots. at is the offset of the value in the text of the option.
func SplitPaths(option Part, at int) (paths []Path) {
	text := option.Text
	for ; ; at++ {
		start := skipBlanks(text, at)
		p := Path{}
		for at = start; ; at++ {
			end := itemEnd(text, at, ",.")
			p.addName(strings.Trim(text[at:end], blanks))
			if at = end; at == len(text) || text[at] == ',' {
				break
			}
		}
		p.Part = Part{strings.TrimRight(text[start:max(start, at)], blanks), option.At + start}
		if len(p.Names) == 0 && p.Problem == "" {
			p.Problem = "names no field"
		}
		paths = append(paths, p)
		if at >= len(text) {
			return paths
		}
	}
}

// CutDescription splits an option such as "describe=a.b:the text" at its colon: paths is the part
// before the colon. at is the offset of the value in the text of the option. If the value is
// invalid, problem says why.
func CutDescription(option Part, at int) (paths Part, description, problem string) {
	colon := itemsEnd(option.Text, at, ",.", ":")
	if colon == len(option.Text) {
		return paths, "", "has no colon and description after its path"
	}
	description = strings.Trim(option.Text[colon+1:], blanks)
	if isQuoted(description) {
		description = description[1 : len(description)-1]
	}
	if description == "" {
		return paths, "", "has no description after the colon"
	}
	return Part{option.Text[:colon], option.At}, description, ""
}

// QuoteText returns a description in the form that CutDescription reads, in quotes if necessary.
func QuoteText(text string) string {
	if strings.Contains(text, "|") || isQuoted(text) || text != strings.Trim(text, blanks) {
		return "'" + text + "'"
	}
	return text
}

// isQuoted reports whether a text is enclosed in a pair of quotes and contains no other quote.
func isQuoted(text string) bool {
	return len(text) >= 2 && text[0] == '\'' && strings.IndexByte(text[1:], '\'') == len(text)-2
}

// maxNames limits the number of names in a path.
const maxNames = 100

// addName adds the next name of a path. The name may be in quotes.
func (p *Path) addName(name string) {
	switch first := len(p.Names) == 0 && !p.Anywhere; {
	case p.Problem != "":
	case len(p.Names) == maxNames:
		p.Problem = fmt.Sprintf("has more than %d names", maxNames)
	case strings.HasPrefix(name, "'"):
		p.addQuoted(name[1:])
	case name == "*" && first:
		p.Anywhere = true
	case name == "" && first:
		p.Problem = "is missing"
	case name == "":
		p.Problem = "has an empty name"
	case name == "*":
		p.Problem = "has a * that is not at its start"
	case name == "$" && first || strings.ContainsAny(name, "[]=/"):
		p.Problem = "is not made of names and dots"
	default:
		p.Names = append(p.Names, name)
	}
}

// addQuoted adds a name in quotes. The text begins after the opening quote.
func (p *Path) addQuoted(text string) {
	name, rest, closed := strings.Cut(text, "'")
	switch {
	case !closed:
		p.Problem = "has a quote that is not closed"
	case rest != "":
		p.Problem = "continues after a closing quote"
	case name == "":
		p.Problem = "has an empty name"
	}
	p.Names = append(p.Names, name)
}

// Help adds help about an invalid path of an option. It returns the text that should replace the
// part old, or "" if a person must decide. row is the result of [SeparateOptions] for the option.
func (p *Path) Help(d *diag.Diagnostic, option Part, row string) (text string, old Part) {
	name, _, _ := strings.Cut(option.Text, "=")
	if row != "" {
		d.WithHelp("a bar ends the value of an option: write %q", row)
		return row, option
	}
	if dotted := dottedPath(p.Text); dotted != "" {
		d.WithHelp("separate the names of a path with dots alone, also for lists: write %q", name+"="+dotted)
		if strings.HasPrefix(p.Text, option.Text) { // the path is the whole option
			dotted = name + "=" + dotted
		}
		return dotted, p.Part
	}
	d.WithHelp(`a path is names separated by dots, as in %q; quote a name with other characters: 'a.b'`, name+"=labels.name")
	return "", option
}

// FormatPath writes a path from its names.
func FormatPath(anywhere bool, names []string) string {
	var parts []string
	if anywhere {
		parts = append(parts, "*")
	}
	for _, name := range names {
		if name != strings.Trim(name, blanks) || name == "" || name == "*" || name == "$" || strings.ContainsAny(name, ".,|[]=/:") || truthWords[strings.ToLower(name)] != "" {
			name = "'" + name + "'"
		}
		parts = append(parts, name)
	}
	return strings.Join(parts, ".")
}

// dottedPath converts a path in another notation, such as /a/0/b, $.a.b or a[0].b, to names and
// dots, such as a.b. It returns "" for other texts.
func dottedPath(path string) string {
	var names []string
	for _, name := range strings.FieldsFunc(path, func(c rune) bool { return strings.ContainsRune("/.[]", c) }) {
		if _, err := strconv.Atoi(name); err != nil && name != "*" && name != "$" {
			names = append(names, strings.Trim(name, `'"`))
		}
	}
	if dotted := strings.Join(names, "."); !strings.ContainsAny(dotted, "=' ") && strings.ContainsAny(path, "/[]$") {
		return dotted
	}
	return ""
}
