package notes

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/lazyregexp"
	"github.com/aiongen/aiongen/internal/values"
)

// BarInParenthesis reports whether the note has a bar inside a parenthesis, as in
// "int (0|1)": the head opens the parenthesis after a type, and a later part closes it.
func BarInParenthesis(head Part, more []Part) bool {
	_, rest, ok := typeInWords(head.Text, false)
	opened := ok && strings.HasPrefix(strings.Trim(rest, "? \t\r\n"), "(") && !strings.Contains(rest, ")")
	return opened && slices.ContainsFunc(more, func(p Part) bool { return strings.Contains(p.Text, ")") })
}

// withoutBar replaces the bars in the parentheses of a note by slashes: int (0|1) becomes int (0/1).
func withoutBar(note string) string {
	note = strings.Trim(note, blanks)
	end := strings.IndexByte(note, ')') + 1
	inside := strings.Join(strings.FieldsFunc(note[:end], func(c rune) bool { return c == '|' }), "/")
	return inside + note[end:]
}

// GuessHead returns the head that the author of a text most likely meant. It recognizes texts that
// begin with a type in another notation: "int: rows" becomes "int (rows)". It returns "" for other
// texts.
func GuessHead(prose string) string {
	if generic := GenericType(prose); generic != "" {
		if end, ok := TypeEnd(generic); ok && end < len(generic) {
			return joinHead(generic[:end], strings.Trim(prose[len(prose)-len(generic)+end:], "() \t\r\n"), false)
		}
		return ""
	}
	typ, rest, ok := typeInWords(prose, false)
	if !ok {
		return ""
	}
	literal := strings.HasPrefix(prose, typ) // the type is written as in a note
	rest, optional := strings.CutPrefix(rest, "?")
	blank := strings.TrimLeft(rest, blanks) != rest
	rest = strings.TrimSpace(rest)
	if value, equal := strings.CutPrefix(rest, "="); equal {
		return headWithDefault(typ, value)
	}
	sentence := strings.ContainsAny(rest, blanks) && !optional && !strings.ContainsAny(typ, "[*")
	if after, found := cutSeparator(rest, blank, literal && !isEnglish(typ)); found {
		rest = after
	} else if literal && sentence || !literal && rest != "" {
		return "" // "number of rows to return", "list of numbers to add"
	}
	return joinHead(typ, rest, optional)
}

// cutSeparator removes a separator at the start of the text that follows a type: parentheses, a
// colon, a dash or a comma. A dash counts only after a blank, and a comma only if commaAllowed.
func cutSeparator(text string, blank, commaAllowed bool) (after string, found bool) {
	if inner, open := strings.CutPrefix(text, "("); open {
		return strings.Join(strings.Fields(strings.Replace(inner, ")", " ", 1)), " "), true
	}
	if after, found = strings.CutPrefix(text, ":"); found {
		return after, true
	}
	if after, found = cutDash(text); found && blank {
		return after, true
	}
	after, found = cutComma(text)
	return after, found && commaAllowed
}

// joinHead returns the head of a note from a type and the text after it: a description, or the
// word required or optional.
func joinHead(typ, rest string, optional bool) string {
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

// headWithDefault returns a note from a type and the value after an equals sign: "int = 10"
// becomes "int | default=10". It returns "" if the value does not have the type.
func headWithDefault(typ, value string) string {
	value = strings.Trim(value, blanks)
	if word := strings.ToLower(value); word == "true" || word == "false" || word == "none" {
		value = word
	}
	literal, problem := values.Parse(value)
	if problem != "" || !literal.Quoted && strings.ContainsAny(value, blanks+"=\"(") || values.Mismatch(literal, values.WordOf(typ).Kind) != "" {
		return ""
	}
	return typ + " | default=" + value
}

// cutComma removes a comma or semicolon, unless more types follow, as in "string, int or
// bool".
func cutComma(text string) (after string, ok bool) {
	if text == "" || text[0] != ',' && text[0] != ';' {
		return text, false
	}
	after = strings.Trim(text[1:], blanks)
	_, _, isType := typeInWords(after, true)
	return after, after != "" && !isType
}

// isEnglish reports whether a type word is also an English noun that can begin a sentence:
// "number, street and city".
func isEnglish(typ string) bool {
	return typ == "number" || typ == "list" || typ == "array" || typ == "object"
}

// isUnnamedGoType reports whether a type is a Go slice, map or pointer. If the type starts with
// a * and the text contains another one, it is *emphasis*, not a pointer.
func isUnnamedGoType(typ, rest string) bool {
	elem, pointer := strings.CutPrefix(typ, "*")
	return strings.HasPrefix(typ, "[]") || strings.HasPrefix(typ, "map[") || pointer && !strings.Contains(elem+rest, "*")
}

// cutDash removes a dash and the blank after it.
func cutDash(text string) (after string, ok bool) {
	for _, dash := range []string{"- ", "– ", "— "} {
		if after, ok = strings.CutPrefix(text, dash); ok {
			return after, true
		}
	}
	return text, false
}

// typeInWords parses the type that a text begins with: a type word in lower case, "list of
// strings" for list[string], or an unnamed Go type such as []T. It ignores words that often
// begin sentences: any, none, null and object. If plural is true, it accepts "strings" for
// string.
func typeInWords(text string, plural bool) (typ, rest string, ok bool) {
	return typeAtDepth(text, plural, 0)
}

// typeAtDepth is typeInWords for a type inside of other types. depth is the number of these types.
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
		return typ, rest, isUnnamedGoType(typ, rest)
	case kind == values.AnyKind || kind == values.NoneKind || strings.HasPrefix(typ, "object"):
		return "", "", false
	case typ == "list" || typ == "array" || typ == "dict":
		if elem, after, ok := elementInWords(rest, kind, depth+1); ok {
			return typ + "[" + elem + "]", after, true
		}
	}
	return typ, rest, true
}

// elementInWords parses the element type of a list or dict: " of strings", " of string to int".
func elementInWords(text string, container values.Kind, depth int) (elem, rest string, ok bool) {
	after, ok := strings.CutPrefix(text, " of ")
	if !ok {
		return "", "", false
	}
	elem, rest, ok = typeAtDepth(after, true, depth)
	if !ok || container != values.DictKind {
		return elem, rest, ok
	}
	after, _ = strings.CutPrefix(rest, " to ")
	if value, rest, ok := typeAtDepth(after, true, depth); ok {
		return elem + ", " + value, rest, true
	}
	return "string, " + elem, rest, true
}

// squareBrackets replaces angle brackets by square brackets.
var squareBrackets = strings.NewReplacer("<", "[", ">", "]")

// genericHead matches the start of a type with its arguments in angle brackets.
var genericHead = lazyregexp.Regexp{Text: `^[A-Za-z_][\w.]*<`}

// foreignContainer matches a TypeScript container whose angle bracket has been replaced.
var foreignContainer = lazyregexp.Regexp{Text: `\b(Array|Record)\[`}

// GenericType converts a text that starts with a TypeScript type to the notation of notes:
// Record<string, number> becomes dict[string, number]. It returns "" for other texts.
func GenericType(text string) string {
	if !genericHead.Get().MatchString(text) {
		return ""
	}
	return foreignContainer.Get().ReplaceAllStringFunc(squareBrackets.Replace(text), func(name string) string {
		return map[string]string{"Array[": "list[", "Record[": "dict["}[name]
	})
}
