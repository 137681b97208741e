package shape

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/aiongen/aiongen/internal/words"
)

// A tagKeyword is a keyword of a jsonschema tag with its value.
type tagKeyword struct{ name, value string }

// A tagProblem describes a part of a tag that has no effect, or that only aiongen understands as intended.
type tagProblem struct {
	message, help string
	effective     bool // aiongen understands it as intended
}

// flagKeywords are the keywords that need no value.
var flagKeywords = []string{"-", "required", "nullable", "uniqueItems", "readOnly", "writeOnly", "deprecated"}

// textKeywords are the keywords whose values are texts, which may contain commas.
var textKeywords = []string{"title", "description", "pattern", "default", "example"}

// parseTag parses a jsonschema tag. Two dialects are in use: in google/jsonschema-go, the
// whole tag is a description; in invopop/jsonschema, it is a list of keywords. A tag is a
// list if it begins with a flag or with a word and an equals sign, which the first dialect
// rejects.
func parseTag(tag string) (keywords []tagKeyword, problems []tagProblem) {
	parts := splitTag(tag)
	if strings.Trim(tag, ", ") == "" {
		return nil, nil
	}
	if isDescription(parts[0]) {
		for _, part := range parts[1:] {
			if name, _, hasValue := strings.Cut(part, "="); isKeyword(name, hasValue) {
				problems = append(problems, tagProblem{
					message: fmt.Sprintf("%q has no effect, because the whole tag is a description", part),
					help:    "write description= at the beginning of the tag",
				})
			}
		}
		return []tagKeyword{{"description", strings.ReplaceAll(tag, `\,`, ",")}}, problems
	}
	for _, part := range parts {
		name, value, hasValue := strings.Cut(part, "=")
		if name = strings.TrimSpace(name); isKeyword(name, hasValue) {
			keywords = append(keywords, tagKeyword{name, value})
			continue
		}
		var problem tagProblem
		keywords, problem = addUnknownPart(keywords, part)
		problems = append(problems, problem)
	}
	return keywords, problems
}

// splitTag splits a tag at commas without a backslash before them.
func splitTag(tag string) (parts []string) {
	for part := range strings.SplitSeq(tag, ",") {
		if n := len(parts) - 1; n >= 0 && strings.HasSuffix(parts[n], `\`) {
			parts[n] = strings.TrimSuffix(parts[n], `\`) + "," + part
		} else if part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// isDescription reports whether a tag is a description, judged by its first part. A single word that is
// similar to a flag is not a description but a misspelled flag.
func isDescription(part string) bool {
	name, _, hasValue := strings.Cut(part, "=")
	if hasValue {
		return strings.ContainsFunc(name, unicode.IsSpace)
	}
	return nearestFlag(name) == ""
}

// nearestFlag returns the flag that a part equals or resembles, or "". A part that ends like a sentence is
// not a flag.
func nearestFlag(part string) string {
	part = strings.TrimSpace(part)
	if strings.ContainsFunc(part, unicode.IsSpace) || strings.HasSuffix(part, ".") || strings.HasSuffix(part, "!") || strings.HasSuffix(part, "?") {
		return ""
	}
	if slices.Contains(flagKeywords, part) {
		return part
	}
	return words.Nearest(part, flagKeywords[1:]) // without "-", which is near to every letter
}

// isKeyword reports whether name is a keyword that has a value or does not need one.
func isKeyword(name string, hasValue bool) bool {
	_, limits := limitKeywords[name]
	known := limits || ignoredKeywords[name] != "" || name == "enum" || slices.Contains(textKeywords, name)
	return slices.Contains(flagKeywords, name) || hasValue && known
}

// listKeywords returns the names of all keywords, sorted.
func listKeywords() []string {
	known := slices.Concat(flagKeywords, textKeywords, []string{"enum"})
	for name := range limitKeywords {
		known = append(known, name)
	}
	for name := range ignoredKeywords {
		known = append(known, name)
	}
	slices.Sort(known)
	return slices.Compact(known)
}

// addUnknownPart handles a part of a list that is not a keyword. Such a part often follows a comma in a
// text, or in the values of an enum, and is then added to the keyword before it.
func addUnknownPart(keywords []tagKeyword, part string) ([]tagKeyword, tagProblem) {
	name, _, hasValue := strings.Cut(part, "=")
	isWord := !strings.ContainsFunc(strings.TrimSpace(name), unicode.IsSpace)
	if isWord && (hasValue || nearestFlag(part) != "" || len(keywords) == 0) {
		return keywords, describeUnknown(name)
	}
	if n := len(keywords) - 1; n >= 0 && slices.Contains(textKeywords, keywords[n].name) {
		keywords[n].value += "," + part
		return keywords, tagProblem{
			message:   fmt.Sprintf("the value of %s contains a comma, at which other programs end the value", keywords[n].name),
			help:      `write \\, for a comma in a value`,
			effective: true,
		}
	} else if n >= 0 && keywords[n].name == "enum" {
		return append(keywords, tagKeyword{"enum", part}), tagProblem{
			message:   fmt.Sprintf("the enum value %q has no keyword", part),
			help:      "write enum= before each value",
			effective: true,
		}
	}
	return keywords, describeUnknown(part)
}

// describeUnknown returns the problem of an unknown keyword.
func describeUnknown(name string) tagProblem {
	p := tagProblem{message: fmt.Sprintf("unknown keyword %q", name)}
	known := listKeywords()
	switch near := nearestKeywords(name, known); {
	case slices.Contains(known, name):
		p.message, p.help = fmt.Sprintf("the keyword %s has no value", name), fmt.Sprintf("write %s= and the value", name)
	case near != nil:
		p.help = fmt.Sprintf("did you mean %s?", words.List(near, " or "))
	case strings.ContainsFunc(name, unicode.IsSpace):
		p.help = "write description= before a description that follows keywords"
	default:
		known = slices.DeleteFunc(known, func(name string) bool { return ignoredKeywords[name] != "" })
		p.help = "write description= before a description; types come from Go; the other keywords are " + strings.Join(slices.DeleteFunc(known, func(name string) bool { return name == "description" }), ", ")
	}
	return p
}

// nearestKeywords returns the keywords that begin with a name or, if there are not several of them, the
// keyword with the most similar spelling. It leaves out the keyword -, which is near to each single letter.
func nearestKeywords(name string, known []string) (near []string) {
	known = slices.DeleteFunc(slices.Clone(known), func(k string) bool { return k == "-" })
	for _, k := range known {
		if len(name) >= len("min") && len(k) > len(name) && strings.EqualFold(k[:len(name)], name) {
			near = append(near, k)
		}
	}
	if len(near) > 1 {
		return near
	}
	if nearest := words.Nearest(name, known); nearest != "" {
		return []string{nearest}
	}
	return near
}
