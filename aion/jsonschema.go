package aion

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/syntax"
	"github.com/aiongen/aiongen/internal/values"
)

// A schemaMember is a member of a JSON Schema in a file. Its value is a text, a block or a list.
type schemaMember struct {
	name  string
	text  *syntax.Token // a text, or a word such as 1 or true
	bare  bool          // text is a word, without quotes
	block *syntax.Group
	list  *syntax.Group
}

// schemaMembers returns the members of a block that is written as in AIONS, JSON or Python.
// It returns false if an item is not a member.
func schemaMembers(b *syntax.Group) (members []schemaMember, ok bool) {
	items := b.Items
	for i := 0; i < len(items); i++ {
		it := items[i]
		m := schemaMember{text: it.Text, block: it.Block, list: it.List}
		switch {
		case it.Key != nil && it.Arrow != nil:
			m.name = it.Key.Value
		case it.Key == nil && it.Junk == nil && it.Text != nil && it.BlockArrow != nil:
			m.name, m.text = syntax.UnquoteName(it.Text.Value), nil
		default:
			return nil, false
		}
		if m.text == nil && m.block == nil && m.list == nil {
			if i++; it.Comma != nil || i == len(items) {
				return nil, false
			}
			if !m.setValue(items[i]) {
				return nil, false
			}
		}
		members = append(members, m)
	}
	return members, true
}

// setValue sets the value of the member to an item. It returns false if the item is not a
// value.
func (m *schemaMember) setValue(value *syntax.Item) bool {
	m.text, m.block, m.list = value.Text, value.Block, value.List
	if value.Key != nil || value.Junk != nil {
		m.text, m.bare = value.FirstToken(), true
		return value.Arrow == nil && value.Text == nil && m.block == nil && m.list == nil
	}
	return value.Arrow == nil && value.BlockArrow == nil
}

// content returns the text of the member without quotes, and false if it has another kind of
// value.
func (m schemaMember) content() (text string, ok bool) {
	switch {
	case m.text == nil || m.block != nil || m.list != nil || strings.Contains(m.text.Value, `\`):
		return "", false
	case m.bare:
		return m.text.Value, true
	}
	return syntax.UnquoteText(m.text.Value), true
}

// literal returns the text of the member as a literal of a note.
func (m schemaMember) literal() (l Literal, ok bool) {
	text, ok := m.content()
	return Literal{Text: text, Quoted: !m.bare}, ok
}

// jsonTypes maps the types of JSON Schema to type words.
var jsonTypes = map[string]string{"integer": "int", "number": "float", "boolean": "bool", "array": "list", "object": "dict"}

// fieldsOfSchema returns the fields that a JSON Schema of an object describes. If notes cannot
// express the schema, obstacle names the construct that they lack.
func fieldsOfSchema(b *syntax.Group) (fields []Entry, obstacle string) {
	members, ok := schemaMembers(b)
	if !ok {
		return nil, "the notation of this schema"
	}
	var required *syntax.Group
	for _, m := range members {
		text, _ := m.content()
		switch m.name {
		case "type":
			if !strings.EqualFold(text, "object") {
				return nil, "a type other than object"
			}
		case "properties":
			if fields, obstacle = fieldsOfProperties(m.block); obstacle != "" {
				return nil, obstacle
			}
		case "required":
			required = m.list
		case "additionalProperties":
			if !strings.EqualFold(text, "false") {
				return nil, strconv.Quote(m.name)
			}
		case "title", "$schema":
		default:
			return nil, strconv.Quote(m.name)
		}
	}
	setOptional(fields, required)
	return fields, ""
}

// setOptional makes all fields optional except those in the list of required fields, which may
// be nil.
func setOptional(fields []Entry, required *syntax.Group) {
	names := map[string]bool{}
	if required == nil {
		required = &syntax.Group{}
	}
	for _, it := range required.Items {
		if it.Text != nil {
			names[syntax.UnquoteText(it.Text.Value)] = true
		}
	}
	for i := range fields {
		fields[i].Note.Optional = fields[i].Note.Optional || !names[fields[i].Name.Value]
	}
}

// fieldsOfProperties returns the fields that the properties of a JSON Schema describe. See
// fieldsOfSchema for obstacle.
func fieldsOfProperties(b *syntax.Group) (fields []Entry, obstacle string) {
	if b == nil {
		return nil, `"properties" without a block`
	}
	properties, ok := schemaMembers(b)
	if !ok {
		return nil, "the notation of this schema"
	}
	for _, p := range properties {
		note, obstacle := noteOfSchema(p.block)
		if _, fits := noteText(note); obstacle == "" && !fits {
			obstacle = "a bar or a quote in a text"
		}
		switch {
		case !syntax.IsName(p.name):
			return nil, "the name " + strconv.Quote(p.name)
		case obstacle != "":
			return nil, fmt.Sprintf("%s of %q", obstacle, p.name)
		}
		fields = append(fields, Entry{Name: Text{Value: p.name}, Note: note})
	}
	return fields, ""
}

// noteOfSchema returns the note for the JSON Schema of a value. See fieldsOfSchema for obstacle.
func noteOfSchema(b *syntax.Group) (n Note, obstacle string) {
	if b == nil {
		return n, "the schema"
	}
	members, ok := schemaMembers(b)
	if !ok {
		return n, "the notation of the schema"
	}
	slices.SortStableFunc(members, func(a, b schemaMember) int { return cmp.Compare(keywordRank(a.name), keywordRank(b.name)) })
	for _, m := range members {
		if !n.addKeyword(m) {
			return n, strconv.Quote(m.name)
		}
	}
	if n.Type == "" {
		return n, "the missing type"
	}
	return n, ""
}

// keywordRank sorts the type before the keywords that depend on it.
func keywordRank(keyword string) int {
	if keyword == "type" {
		return 0
	}
	return 1
}

// addKeyword adds a keyword of JSON Schema to the note. It returns false if the note cannot
// express it.
func (n *Note) addKeyword(m schemaMember) (ok bool) {
	text, isText := m.content()
	switch m.name {
	case "type":
		if m.list != nil {
			return n.addTypes(m.list)
		}
		n.setType(text)
		return isText
	case "description":
		n.Description = strings.Join(strings.Fields(text), " ")
		return isText
	case "title":
		return true
	case "required": // a boolean, as in the first drafts of JSON Schema
		n.Optional = strings.EqualFold(text, "false")
		return n.Optional || strings.EqualFold(text, "true")
	case "items":
		element, obstacle := noteOfSchema(m.block)
		if obstacle != "" || n.Type != "list" || element.composeText() != element.Type {
			return false
		}
		n.Type = "list[" + element.Type + "]"
		return true
	case "enum":
		return n.addEnum(m.list)
	case "default":
		literal, ok := m.literal()
		n.Default, n.Optional = &literal, true
		return ok
	}
	return n.addBound(m)
}

// setType sets the type to the word for a type of JSON Schema. Some APIs write it in capitals.
func (n *Note) setType(text string) {
	n.Type = cmp.Or(jsonTypes[strings.ToLower(text)], text)
	if strings.EqualFold(text, "string") {
		n.Type = "string"
	}
}

// addTypes adds a list of types: one type and null, which makes the value optional.
func (n *Note) addTypes(l *syntax.Group) bool {
	for _, it := range l.Items {
		switch {
		case it.Text == nil || it.Key != nil || it.Junk != nil || it.Block != nil:
			return false
		case syntax.UnquoteText(it.Text.Value) == "null":
			n.Optional = true
		case n.Type != "":
			return false
		default:
			n.setType(syntax.UnquoteText(it.Text.Value))
		}
	}
	return n.Type != ""
}

// addEnum adds the values of an enum.
func (n *Note) addEnum(l *syntax.Group) bool {
	if l == nil {
		return false
	}
	for _, it := range l.Items {
		switch {
		case it.Text != nil && it.Key == nil && it.Junk == nil && it.Block == nil:
			n.Enum = append(n.Enum, Literal{Text: syntax.UnquoteText(it.Text.Value), Quoted: true})
		case it.Key != nil && it.Arrow == nil && it.Text == nil && it.Block == nil && it.List == nil:
			n.Enum = append(n.Enum, Literal{Text: it.Key.Value})
		default:
			return false
		}
	}
	return true
}

// addBound adds a bound. A note has the same words for the bounds of numbers and of lengths.
func (n *Note) addBound(m schemaMember) bool {
	bound, ok := m.literal()
	if !ok || values.FormOf(Literal{Text: bound.Text}) != values.NumberForm {
		return false
	}
	bound.Quoted = false
	switch m.name {
	case "minimum", "minLength", "minItems":
		n.Min = &bound
	case "maximum", "maxLength", "maxItems":
		n.Max = &bound
	case "exclusiveMinimum", "exclusiveMaximum":
		return n.addExclusive(m.name, bound)
	default:
		return false
	}
	return true
}

// addExclusive adds an exclusive bound of an integer: exclusiveMinimum 0 becomes min=1.
func (n *Note) addExclusive(keyword string, bound Literal) bool {
	number, err := strconv.ParseInt(bound.Text, 10, 32)
	if err != nil || n.Type != "int" {
		return false
	}
	if keyword == "exclusiveMinimum" {
		n.Min = &Literal{Text: strconv.FormatInt(number+1, 10)}
	} else {
		n.Max = &Literal{Text: strconv.FormatInt(number-1, 10)}
	}
	return true
}

// blockText returns the source text of a block of fields. noteText must accept each note.
func blockText(fields []Entry, indent string) string {
	var b strings.Builder
	b.WriteString("{")
	for i, f := range fields {
		quoted, _ := noteText(f.Note)
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(indent + "  " + f.Name.Value + " --> " + quoted)
	}
	b.WriteString(indent + "}")
	return b.String()
}

// noteText returns the source text of a note, or false if neither a string nor a text block can
// hold it.
func noteText(n Note) (quoted string, ok bool) {
	text, ok := n.text()
	if !ok {
		return "", false
	}
	return syntax.QuoteText(text.Value)
}

// reportJSONSchema reports args_schema if it is a JSON Schema: a block with a block of
// properties, or with "type": "object" as the only member. The fix replaces it by the fields.
func (r *reader) reportJSONSchema(b *syntax.Group, key diag.Span) bool {
	members, _ := schemaMembers(b)
	isSchema := func(m schemaMember) bool {
		text, _ := m.content()
		return m.name == "properties" && m.block != nil || m.name == "type" && strings.EqualFold(text, "object") && len(members) == 1
	}
	if !slices.ContainsFunc(members, isSchema) {
		return false
	}
	d := r.Errorf("wrong-value", key, `the value of "args_schema" must be the fields themselves, not a JSON Schema`)
	fields, obstacle := fieldsOfSchema(b)
	switch text := blockText(fields, r.LineIndent(b.Open)); {
	case obstacle != "":
		d.WithHelp("notes cannot express %s: write the other keywords as notes, args_schema --> { field --> \"int (what it is) | min=1\" },\nor the name of a Go struct type, whose tags have more keywords", obstacle)
	case len(fields) == 0:
		d.WithHelp("leave it out: the schema has no fields")
	default:
		d.WithHelp("write args_schema --> %s", text)
		if b.Close != nil {
			d.WithFix(diag.Edit{Span: r.SpanBetween(b.Open, b.Close), Text: text})
		}
	}
	return true
}

// fixSchemaNote adds help and a fix that replaces the JSON Schema of a value by a note. It
// returns false if the block is not such a schema.
func (r *reader) fixSchemaNote(d *diag.Diagnostic, b *syntax.Group) bool {
	note, obstacle := noteOfSchema(b)
	quoted, valid := noteText(note)
	if obstacle != "" || !valid || b.Close == nil {
		return false
	}
	d.WithHelp("write %s", quoted).WithFix(diag.Edit{Span: r.SpanBetween(b.Open, b.Close), Text: quoted})
	return true
}
