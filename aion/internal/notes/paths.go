package notes

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
)

// A Path is one of those that an option lists.
type Path struct {
	Part
	Names    []string
	Anywhere bool   // it begins with *., and holds at every depth
	Problem  string // with the path, which is none then
}

// SplitPaths splits the value of an option, which begins at an offset of its part, at
// its commas, and the paths at their dots.
func SplitPaths(option Part, at int) (paths []Path) {
	text := option.Text
	for ; ; at++ {
		start := skipBlanks(text, at)
		p := Path{}
		for at = start; ; at++ {
			end := itemEnd(text, at, ",.")
			p.add(strings.Trim(text[at:end], blanks))
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

// maxNames limits the names of a path. Nobody nests structs as deep.
const maxNames = 100

// add takes the next name of a path, as it is written.
func (p *Path) add(name string) {
	switch first := len(p.Names) == 0 && !p.Anywhere; {
	case p.Problem != "":
	case len(p.Names) == maxNames:
		p.Problem = fmt.Sprintf("has more than %d names", maxNames)
	case strings.HasPrefix(name, "'"):
		content, behind, closed := strings.Cut(name[1:], "'")
		switch {
		case !closed:
			p.Problem = "has a quote that is not closed"
		case behind != "":
			p.Problem = "goes on behind a closing quote"
		case content == "":
			p.Problem = "has an empty name"
		}
		p.Names = append(p.Names, content)
	case name == "*" && first:
		p.Anywhere = true
	case name == "" && first:
		p.Problem = "is missing"
	case name == "":
		p.Problem = "has an empty name"
	case name == "*":
		p.Problem = "has a * that is not at its front"
	case name == "$" && first || strings.ContainsAny(name, "[]=/"):
		p.Problem = "is not made of names and dots"
	default:
		p.Names = append(p.Names, name)
	}
}

// Help says how a path of an option is written, and returns what to write in the place
// of which part; "" if it is for a person to say. Row is the option as [Barred] returns it.
func (p *Path) Help(d *diag.Diagnostic, option Part, row string) (text string, of Part) {
	name, _, _ := strings.Cut(option.Text, "=")
	if row != "" {
		d.WithHelp("a bar ends the value of an option: write %q", row)
		return row, option
	}
	if dotted := dotted(p.Text); dotted != "" {
		d.WithHelp("lists need no sign: write %q", name+"="+dotted)
		if strings.HasPrefix(p.Text, option.Text) { // it is all of the option
			dotted = name + "=" + dotted
		}
		return dotted, p.Part
	}
	d.WithHelp(`a path is names with dots between, as in %q; a name with other signs stands in quotes: 'a.b'`, name+"=labels.name")
	return "", option
}

// NamePath writes a path of some names.
func NamePath(anywhere bool, names []string) string {
	var parts []string
	if anywhere {
		parts = append(parts, "*")
	}
	for _, name := range names {
		if name != strings.Trim(name, blanks) || name == "" || name == "*" || name == "$" || strings.ContainsAny(name, ".,|[]=/") || truth[strings.ToLower(name)] != "" {
			name = "'" + name + "'"
		}
		parts = append(parts, name)
	}
	return strings.Join(parts, ".")
}

// dotted is a path that JSON Pointer, JSONPath or brackets of lists were meant as, in
// names and dots; "" if that is none.
func dotted(path string) string {
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
