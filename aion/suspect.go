package aion

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
)

// prose takes a note as prose, all of it description, and warns where it is more
// likely a slip: what the author takes for a type or an option would hold nothing.
func (n *noteReader) prose(head notePart, more []notePart) {
	n.Description = strings.Trim(n.text.Value, " \t\r\n")
	n.toWrite(n.Description, n.Span)
	if note := meantNote(head.text); note != "" || barInParenthesis(head, more) {
		d := n.list.Warnf("suspicious-note", n.place(head), "%q is read as prose, so no type is checked", head.text)
		if barInParenthesis(head, more) {
			n.helpWithBar(d)
			return
		}
		d.WithHelp("write %q; prose begins with another word", note)
	}
	for _, part := range more {
		n.suspectOption(part)
	}
}

// barInParenthesis reports whether a note's first part opens a parenthesis behind a
// type, which a later part closes.
func barInParenthesis(head notePart, more []notePart) bool {
	_, rest, ok := typeInWords(head.text, false)
	opened := ok && strings.HasPrefix(strings.Trim(rest, "? \t\r\n"), "(") && !strings.Contains(rest, ")")
	return opened && slices.ContainsFunc(more, func(p notePart) bool { return strings.Contains(p.text, ")") })
}

// helpWithBar says how a description with a bar is written.
func (n *noteReader) helpWithBar(d *diag.Diagnostic) {
	text := strings.Trim(n.text.Value, " \t\r\n")
	end := strings.IndexByte(text, ')') + 1
	inside := strings.Join(strings.FieldsFunc(text[:end], func(c rune) bool { return c == '|' }), "/")
	d.WithHelp("a bar ends the parenthesis: write %q, or put the description behind the options", inside+text[end:])
}

// meantNote returns the first part of the note that prose was most likely meant to
// be, or nothing: prose that begins with a type, as people write it in other
// notations.
func meantNote(prose string) string {
	typ, rest, ok := typeInWords(prose, false)
	if !ok {
		return ""
	}
	said := strings.HasPrefix(prose, typ)
	rest, optional := strings.CutPrefix(rest, "?")
	blank := rest != "" && isBlank(rest[0])
	rest = strings.Trim(rest, " \t\r\n")
	sentence := strings.ContainsAny(rest, " \t\r\n") && !optional && !strings.ContainsAny(typ, "[*")
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
	if rest = strings.Trim(rest, " \t\r\n"); !strings.Contains(rest, "(") {
		rest = strings.TrimSuffix(rest, ")")
	}
	if rest == "optional" || rest == "required" {
		optional, rest = optional || rest == "optional", ""
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
	behind = strings.Trim(text[1:], " \t\r\n")
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
	end, ok := typeEnd(text)
	if !ok {
		return "", "", false
	}
	typ, rest = text[:end], text[end:]
	if one, many := strings.CutSuffix(typ, "s"); plural && many && kinds[one] != 0 {
		typ = one
	}
	switch kind := WordOf(typ).Kind; {
	case kind == 0:
		pointer := strings.HasPrefix(typ, "*") && !strings.Contains(text[1:], "*") // and no *emphasis*
		return typ, rest, strings.HasPrefix(typ, "[]") || pointer || strings.HasPrefix(typ, "map[")
	case kind == AnyKind || kind == NoneKind || strings.HasPrefix(typ, "object"):
		return "", "", false
	case typ == "list" || typ == "array" || typ == "dict":
		if elem, behind, of := elementInWords(rest, kind); of {
			return typ + "[" + elem + "]", behind, true
		}
	}
	return typ, rest, true
}

// elementInWords reads what a list or dict is of: " of strings", " of string to int".
func elementInWords(text string, container Kind) (elem, rest string, ok bool) {
	after, of := strings.CutPrefix(text, " of ")
	if !of {
		return "", "", false
	}
	elem, rest, ok = typeInWords(after, true)
	if !ok || container != DictKind {
		return elem, rest, ok
	}
	after, _ = strings.CutPrefix(rest, " to ")
	if value, behind, two := typeInWords(after, true); two {
		return elem + ", " + value, behind, true
	}
	return "string, " + elem, rest, true
}
