package notes

import (
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
)

// ReadHead reads the first part of a note, `type`, `type?` or `type (description)`. It
// is not ok if the part does not have that form.
func ReadHead(part string) (typ string, optional bool, description string, ok bool) {
	end, ok := TypeEnd(part)
	if !ok || IsLiteralType(part) {
		return "", false, "", false
	}
	rest, optional := strings.CutPrefix(part[end:], "?")
	rest = strings.TrimLeft(rest, blanks)
	if inner, open := strings.CutPrefix(rest, "("); open && strings.HasSuffix(inner, ")") {
		description = strings.Trim(strings.TrimSuffix(inner, ")"), blanks)
	} else if rest != "" {
		return "", false, "", false
	}
	return part[:end], optional, description, true
}

// HelpWithHead says how a note begins that has options behind what is no type.
func HelpWithHead(d *diag.Diagnostic, note string) {
	parts := Split(note)
	head, options := parts[0], parts[1:]
	if BarInParenthesis(head, options) {
		HelpWithBar(d, note)
		return
	}
	meant := []string{Meant(head.Text)}
	for _, option := range options {
		meant = append(meant, option.Text)
	}
	if meant[0] == "" {
		meant[0] = "string"
		meant = append(meant, head.Text)
	}
	d.WithHelp("write a type first: %q", strings.Join(meant, " | "))
}

// HelpWithBar says how a description with a bar is written.
func HelpWithBar(d *diag.Diagnostic, note string) {
	d.WithHelp("a bar ends the parenthesis: write %q, or put the description behind the options", withoutBar(note))
}

// HelpWithType says what to write for a word that cannot be a type.
func HelpWithType(d *diag.Diagnostic, word string) {
	element, array := strings.CutSuffix(word, "[]")
	generic := strings.NewReplacer("<", "[", ">", "]").Replace(word)
	switch {
	case array && IsType(element):
		d.WithHelp("write %q", "list["+element+"]")
	case generic != word && IsType(generic):
		d.WithHelp("write %q", generic)
	case strings.HasPrefix(word, "interface"):
		d.WithHelp(`write "any", or the name of a Go type`)
	case IsLiteralType(word):
		d.WithHelp("a note cannot hold a literal type: give the type a name in Go, and write that")
	default:
		d.WithHelp("a single word is always a type: string, int, list[string], a Go type …\nprose has more than one word")
	}
}
