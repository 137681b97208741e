package notes

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/values"
)

// BarInParenthesis reports whether a note's first part opens a parenthesis behind a
// type, which a later part closes.
func BarInParenthesis(head Part, more []Part) bool {
	_, rest, ok := typeInWords(head.Text, false)
	opened := ok && strings.HasPrefix(strings.Trim(rest, "? \t\r\n"), "(") && !strings.Contains(rest, ")")
	return opened && slices.ContainsFunc(more, func(p Part) bool { return strings.Contains(p.Text, ")") })
}

// withoutBar is a note whose description has a bar in it, written without.
func withoutBar(note string) string {
	note = strings.Trim(note, blanks)
	end := strings.IndexByte(note, ')') + 1
	inside := strings.Join(strings.FieldsFunc(note[:end], func(c rune) bool { return c == '|' }), "/")
	return inside + note[end:]
}

// Meant returns the first part of the note that prose was most likely meant to
// be, or nothing: prose that begins with a type, as people write it in other
// notations.
func Meant(prose string) string {
	typ, rest, ok := typeInWords(prose, false)
	if !ok {
		return ""
	}
	said := strings.HasPrefix(prose, typ)
	rest, optional := strings.CutPrefix(rest, "?")
	blank := strings.TrimLeft(rest, blanks) != rest
	rest = strings.TrimSpace(rest)
	sentence := strings.ContainsAny(rest, blanks) && !optional && !strings.ContainsAny(typ, "[*")
	if inner, open := strings.CutPrefix(rest, "("); open {
		rest = strings.Join(strings.Fields(strings.Replace(inner, ")", " ", 1)), " ")
	} else if behind, colon := strings.CutPrefix(rest, ":"); colon {
		rest = behind
	} else if behind, dash := cutDash(rest); dash && blank {
		rest = behind
	} else if behind, comma := cutComma(rest); comma && said && !isEnglish(typ) {
		rest = behind
	} else if said && sentence || !said && rest != "" {
		return "" // "number of rows to return", "list of numbers to add"
	}
	if rest = strings.Trim(rest, blanks); !strings.Contains(rest, "(") {
		rest = strings.TrimSuffix(rest, ")")
	}
	if rest == "required" {
		return typ + " | required"
	}
	if rest == "optional" {
		optional, rest = true, ""
	}
	if optional {
		typ += "?"
	}
	if rest != "" {
		typ += " (" + rest + ")"
	}
	return typ
}

// cutComma removes a comma or semicolon, unless types go on behind it, as in "string,
// int or bool".
func cutComma(text string) (behind string, ok bool) {
	if text == "" || text[0] != ',' && text[0] != ';' {
		return text, false
	}
	behind = strings.Trim(text[1:], blanks)
	_, _, types := typeInWords(behind, true)
	return behind, behind != "" && !types
}

// isEnglish reports whether a type word is a noun of plain English, which may begin a
// sentence: "number, street and city".
func isEnglish(typ string) bool {
	return typ == "number" || typ == "list" || typ == "array" || typ == "object"
}

// cutDash removes a dash with a blank behind it.
func cutDash(text string) (behind string, ok bool) {
	for _, dash := range []string{"- ", "– ", "— "} {
		if behind, ok = strings.CutPrefix(text, dash); ok {
			return behind, true
		}
	}
	return text, false
}

// typeInWords reads the type that a text begins with: a type word in lower case,
// "list of strings" for list[string], or the expression of a Go type that is no name.
// Words that begin sentences do not count: any, none, null and object. Plural says
// that "strings" stands for string.
func typeInWords(text string, plural bool) (typ, rest string, ok bool) {
	return typeAtDepth(text, plural, 0)
}

func typeAtDepth(text string, plural bool, depth int) (typ, rest string, ok bool) {
	if depth > maxTypeDepth {
		return "", "", false
	}
	end, ok := TypeEnd(text)
	if !ok {
		return "", "", false
	}
	typ, rest = text[:end], text[end:]
	if one, many := strings.CutSuffix(typ, "s"); plural && many && values.WordOf(one).Kind != 0 {
		typ = one
	}
	switch kind := values.WordOf(typ).Kind; {
	case kind == 0:
		pointer := strings.HasPrefix(typ, "*") && !strings.Contains(text[1:], "*") // and no *emphasis*
		return typ, rest, strings.HasPrefix(typ, "[]") || pointer || strings.HasPrefix(typ, "map[")
	case kind == values.AnyKind || kind == values.NoneKind || strings.HasPrefix(typ, "object"):
		return "", "", false
	case typ == "list" || typ == "array" || typ == "dict":
		if elem, behind, of := elementInWords(rest, kind, depth+1); of {
			return typ + "[" + elem + "]", behind, true
		}
	}
	return typ, rest, true
}

// elementInWords reads what a list or dict is of: " of strings", " of string to int".
func elementInWords(text string, container values.Kind, depth int) (elem, rest string, ok bool) {
	after, of := strings.CutPrefix(text, " of ")
	if !of {
		return "", "", false
	}
	elem, rest, ok = typeAtDepth(after, true, depth)
	if !ok || container != values.DictKind {
		return elem, rest, ok
	}
	after, _ = strings.CutPrefix(rest, " to ")
	if value, behind, two := typeAtDepth(after, true, depth); two {
		return elem + ", " + value, behind, true
	}
	return "string, " + elem, rest, true
}
