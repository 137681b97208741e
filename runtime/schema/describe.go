package schema

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Describe describes tools in a compact form, for prompts of models without tool calls. For each tool it shows
// the name, the type of the result, the description, and the arguments with their types and descriptions.
// Optional arguments have a question mark. It adds an example call to the first tool with arguments and to each
// tool with an Example. A type that several tools return, such as T1 below, gets a name where it first occurs.
//
//	find_ticket -> list[T1 = {id: integer, title: string}]
//	  Finds tickets by words in their titles.
//	  - words: string (what to look for)
//	  - status?: open|closed
//	  - limit?: integer = 10 (how many at most)
//	  {"name":"find_ticket","arguments":{"words":"printer"}}
//
//	get_ticket(id: integer) -> T1
//	  Gets a ticket.
func Describe(definitions []tool.Definition) string {
	var b strings.Builder
	results := newTypeNames(definitions, resultDepth)
	example := false
	for i, d := range definitions {
		if i > 0 {
			b.WriteByte('\n')
		}
		input := parseInputSchema(d.Input)
		input.withMeanings = true
		b.WriteString(d.Name)
		writeArguments(&b, d.Description, input.listProperties(), results.describeResult(d))
		if d.Example != nil || !example && (len(input.listProperties()) > 0 || len(definitions) == 1) {
			if arguments := sampleArguments(d, input); arguments != nil {
				b.WriteString("  " + `{"name":` + jsontext.Quote(d.Name) + `,"arguments":` + string(arguments) + "}\n")
				example = true
			}
		}
	}
	return b.String()
}

// writeArguments writes the text after the name of a tool. If no argument has a description, it writes the
// arguments on the same line, and otherwise each on its own line.
func writeArguments(b *strings.Builder, description string, arguments []property, result string) {
	bare := !slices.ContainsFunc(arguments, func(p property) bool { return p.fullMeaning() != "" })
	if bare {
		b.WriteString("(" + joinTexts(arguments, ", ", func(p property) string { return p.shortText(argumentDepth) }) + ")")
	}
	b.WriteString(result + "\n")
	for line := range strings.Lines(description) {
		b.WriteString(strings.TrimRight("  "+line, " \r\n") + "\n")
	}
	if bare {
		return
	}
	for _, p := range arguments {
		b.WriteString("  - " + p.shortText(argumentDepth) + "\n")
	}
}

// The levels of nested objects whose properties are written out. Deeper objects are written as "object".
const (
	argumentDepth = 2
	resultDepth   = 1
)

func (p property) shortText(depth int) string {
	text := quoteUnlessWord(p.name)
	if !p.required {
		text += "?"
	}
	text += ": " + p.schema.shortForm(depth)
	if value := p.schema.Member("default"); value != nil {
		text += " = " + value.String()
	}
	if meaning := p.fullMeaning(); meaning != "" {
		text += " (" + meaning + ")"
	}
	return text
}

// fullMeaning returns the description of a property on one line, with its bounds if withBounds is set.
func (p property) fullMeaning() string {
	if !p.schema.withMeanings {
		return ""
	}
	text := ""
	for line := range strings.Lines(p.schema.textMember("description")) {
		line = strings.Join(strings.Fields(line), " ")
		switch {
		case line == "" || text == "":
		case isValueLine(line) && !strings.ContainsRune(".;:,!?", rune(text[len(text)-1])):
			text += "; "
		default:
			text += " "
		}
		text += line
	}
	if bounds := p.schema.describeBounds(); bounds != "" && p.schema.withBounds {
		text = strings.TrimPrefix(text+"; "+bounds, "; ")
	}
	return text
}

// isValueLine reports whether a line explains one value, as in "open: nobody works on it".
func isValueLine(line string) bool {
	value, _, found := strings.Cut(line, ": ")
	return found && !strings.ContainsRune(value, ' ')
}

// boundKeywords lists the keywords for bounds, with the format of the text for each.
var boundKeywords = []struct{ keyword, form string }{
	{"minimum", "at least %s"}, {"exclusiveMinimum", "more than %s"}, {"maximum", "at most %s"}, {"exclusiveMaximum", "less than %s"}, {"multipleOf", "a multiple of %s"},
	{"minLength", "at least %s characters"}, {"maxLength", "at most %s characters"}, {"minItems", "at least %s elements"}, {"maxItems", "at most %s elements"}, {"pattern", "matches %s"},
}

// describeBounds returns the bounds of values as text, such as "at least 1, at most 10".
func (s schema) describeBounds() string {
	var all []string
	for _, l := range boundKeywords {
		if n := s.Member(l.keyword); n != nil && len(n.Text) <= 64 && !s.isReference() {
			all = append(all, fmt.Sprintf(l.form, n.String()))
		}
	}
	return strings.Join(all, ", ")
}

// shortForm returns the type of values in short form, such as list[string]. It writes out the properties of
// objects down to the given depth.
func (s schema) shortForm(depth int) string {
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if all := s.arrayMember(keyword); all != nil {
			return joinAlternatives(all, func(n *jsontext.Node) string { return s.subschema(n).shortForm(depth) })
		}
	}
	switch {
	case s.isReference():
		return "<<var:name>>"
	case s.Member("const") != nil:
		return formatLiteral(s.Member("const"))
	case s.Member("enum") != nil:
		return joinAlternatives(s.arrayMember("enum"), formatLiteral)
	case s.Member("$ref") != nil:
		if to := s.referencedObject(); to.Node != nil && depth > 0 {
			return to.shortForm(depth)
		}
		return "object"
	case s.Member("type").Is(jsontext.Array):
		return joinAlternatives(s.arrayMember("type"), func(n *jsontext.Node) string { return s.shortType(formatLiteral(n), depth) })
	}
	return s.shortType(s.textMember("type"), depth)
}

func (s schema) shortType(name string, depth int) string {
	switch name {
	case "string":
		if format := cmp.Or(s.textMember("format"), s.textMember("contentEncoding")); format != "" {
			return format
		}
	case "array":
		return "list[" + s.subschema(s.Member("items")).shortForm(depth) + "]"
	case "object":
		return s.shortObject(depth)
	case "":
		return "any"
	}
	return name
}

func (s schema) shortObject(depth int) string {
	if properties := s.listProperties(); len(properties) > 0 && depth > 0 {
		shape := func() string {
			return "{" + joinTexts(properties, ", ", func(p property) string { return p.shortText(depth - 1) }) + "}"
		}
		if s.types != nil {
			return s.types.nameObject(s, shape)
		}
		return shape()
	}
	if values := s.subschema(s.Member("additionalProperties")); values.Is(jsontext.Object) {
		return "dict[string, " + values.shortForm(depth) + "]"
	}
	return "object"
}

func joinTexts[T any](all []T, between string, text func(T) string) string {
	texts := make([]string, len(all))
	for i, x := range all {
		texts[i] = text(x)
	}
	return strings.Join(texts, between)
}

// joinAlternatives joins the distinct texts of nodes with vertical bars.
func joinAlternatives(all []*jsontext.Node, text func(*jsontext.Node) string) string {
	var words []string
	for _, n := range all {
		if w := text(n); !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return strings.Join(words, "|")
}

// formatLiteral returns the JSON of a value, without quotes if it is a string that is a word.
func formatLiteral(n *jsontext.Node) string {
	if n.Is(jsontext.String) {
		return quoteUnlessWord(n.Str())
	}
	return n.String()
}

// quoteUnlessWord quotes a text, unless it is a word that cannot be mistaken for another JSON value.
func quoteUnlessWord(text string) string {
	for i, c := range []byte(text) {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
		inside := '0' <= c && c <= '9' || c == '-' || c == '.'
		if !letter && (i == 0 || !inside) {
			return jsontext.Quote(text)
		}
	}
	switch text {
	case "", "true", "false", "null":
		return `"` + text + `"`
	}
	return text
}
