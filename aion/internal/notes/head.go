package notes

import (
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/internal/jsontext"
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

// HelpWithHead says how a note begins that has options behind what is no type, and
// returns that note. It is a guess where the type has to be made up, or it is not [Sure].
func HelpWithHead(d *diag.Diagnostic, note string) (mended string, guess bool) {
	parts := Split(note)
	head, options := parts[0], parts[1:]
	if BarInParenthesis(head, options) {
		return HelpWithBar(d, note), false
	}
	meant := []string{Meant(head.Text)}
	for _, option := range options {
		meant = append(meant, option.Text)
	}
	if guess = meant[0] == ""; guess {
		meant[0] = typeOf(options)
		meant = append(meant, head.Text)
	}
	mended = strings.Join(meant, " | ")
	d.WithHelp("write a type first: %q", mended)
	return mended, guess || !Sure(meant[0])
}

// Sure reports whether what [Meant] has told is all that can have been meant: what it
// takes for a description may be an option without its bar, or belong to the type.
func Sure(meant string) bool {
	_, description, _ := strings.Cut(meant, " (")
	return !strings.ContainsAny(description, "=[]") && !strings.HasSuffix(description, "optional)") && !strings.HasSuffix(description, "required)")
}

// typeOf is the type that options are most likely said of.
func typeOf(options []Part) string {
	for _, option := range options {
		switch _, value, _ := strings.Cut(option.Text, "="); {
		case OptionName(option.Text) != "default=":
		case value == "true" || value == "false":
			return "bool"
		case jsontext.IsNumber(value) && strings.ContainsAny(value, ".eE"):
			return "float"
		case jsontext.IsNumber(value):
			return "int"
		}
	}
	return "string"
}

// HelpWithBar says how a description with a bar is written, and returns that note.
func HelpWithBar(d *diag.Diagnostic, note string) (mended string) {
	mended = withoutBar(note)
	d.WithHelp("a bar ends the parenthesis: write %q, or put the description behind the options", mended)
	return mended
}

// HelpWithType says what to write for a word that cannot be a type, and returns that; ""
// if there is no such word.
func HelpWithType(d *diag.Diagnostic, word string) (meant string) {
	element, array := strings.CutSuffix(word, "[]")
	generic := strings.NewReplacer("<", "[", ">", "]").Replace(word)
	switch {
	case array && IsType(element):
		meant = "list[" + element + "]"
		d.WithHelp("write %q", meant)
	case generic != word && IsType(generic):
		meant = generic
		d.WithHelp("write %q", meant)
	case strings.HasPrefix(word, "interface"):
		d.WithHelp(`write "any", or the name of a Go type`)
	case IsLiteralType(word):
		d.WithHelp("a note cannot hold a literal type: give the type a name in Go, and write that")
	default:
		d.WithHelp("a single word is always a type: string, int, list[string], a Go type …\nprose has more than one word")
	}
	return meant
}
