package notes

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/values"
)

// ReadHead parses the head of a note: `type`, `type?` or `type (description)`. It returns false
// for other texts.
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

// HelpWithHead adds help for a note that has options but does not start with a type. It
// returns the fixed note. guess is true if the author may have meant something else: the note
// names no type, or [IsCertain] returns false for the fixed head.
func HelpWithHead(d *diag.Diagnostic, note string) (fixed string, guess bool) {
	parts := Split(note)
	head, options := parts[0], parts[1:]
	if BarInParenthesis(head, options) {
		return HelpWithBar(d, note), false
	}
	meant := []string{GuessHead(head.Text)}
	for _, option := range options {
		meant = append(meant, option.Text)
	}
	if guess = meant[0] == ""; guess {
		meant[0] = guessType(options)
		meant = append(meant, head.Text)
	}
	fixed = strings.Join(meant, " | ")
	d.WithHelp("write a type first: %q", fixed)
	return fixed, guess || !IsCertain(meant[0])
}

// IsCertain reports whether meant, a result of [GuessHead], is the only plausible fix. It returns
// false if the description may be an option without its bar, as in "int (min=1)", or a part of
// the type, as in "string ([])".
func IsCertain(meant string) bool {
	_, description, _ := strings.Cut(meant, " (")
	return !strings.ContainsAny(description, "=[]") && !strings.HasSuffix(description, "optional)") && !strings.HasSuffix(description, "required)")
}

// guessType returns the type of the value of default=, or "string" if there is no default.
func guessType(options []Part) string {
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

// HelpWithBar adds help for a description that contains a bar, and returns the fixed note.
func HelpWithBar(d *diag.Diagnostic, note string) (fixed string) {
	fixed = withoutBar(note)
	d.WithHelp("a bar starts an option, even inside parentheses: write %q, or move the description after the options", fixed)
	return fixed
}

// IsNone reports whether a text is None, null, undefined or nil, in any letter case.
func IsNone(text string) bool {
	return slices.Contains([]string{"none", "null", "nil", "undefined"}, strings.ToLower(text))
}

// IsTypeWord reports whether a text is a type word, such as int or list[int]. It returns false for type words
// that are also English nouns.
func IsTypeWord(text string) bool {
	return IsType(text) && values.WordOf(text).Kind != 0 && !isEnglish(text)
}

// HelpWithType adds help for a word that cannot be a type. It returns the type that was
// meant, or "".
func HelpWithType(d *diag.Diagnostic, word string) (meant string) {
	element, array := strings.CutSuffix(word, "[]")
	generic := GenericType(word)
	switch {
	case array && IsType(element):
		meant = "list[" + element + "]"
		d.WithHelp("write %q", meant)
	case IsType(generic):
		meant = generic
		d.WithHelp("write %q", meant)
	case strings.HasPrefix(word, "interface"):
		d.WithHelp(`write "any", or the name of a Go type`)
	case IsLiteralType(word):
		d.WithHelp("a note cannot contain a func, struct or interface type: define a named type in Go and write its name")
	default:
		d.WithHelp("a single word is always a type: string, int, list[string], a Go type …\na description has more than one word")
	}
	return meant
}
