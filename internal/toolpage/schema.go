package toolpage

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// Limits of a table.
const (
	maxRows   = 500
	maxLevels = 12
	maxSteps  = 50_000 // visits of schemas; a schema may be visited many times
	maxValues = 40
	maxValue  = 200 // bytes of a value, a type or a limit
)

// Table describes the values of a JSON Schema, with their members and elements at all levels.
type Table struct {
	Label string
	Mark  string // the word that marks members that must be present, such as "required"
	Whole Row    // the value itself
	Rows  []Row  // its members and elements
	Cut   bool   // some rows are missing because there are too many
}

// Row describes a member or an element of a value.
type Row struct {
	Parent      string // path of the enclosing value, such as "orders[]."
	Name        string
	Alternative bool // the row describes one of several alternatives for the enclosing value
	Required    bool
	Type        string
	Description string
	Values      []string // the only values, as JSON
	Limits      []string
}

// tableReader reads a schema into a table.
type tableReader struct {
	Table
	root *jsontext.Node
	open []*jsontext.Node // schemas that are being described, to stop at recursive ones

	steps int
}

// takeStep counts a visit of a schema and reports whether it is within the limit.
func (r *tableReader) takeStep() bool {
	r.steps++
	r.Cut = r.Cut || r.steps > maxSteps
	return r.steps <= maxSteps
}

// newTable describes a schema. The table of a text that is not a JSON Schema is empty.
func newTable(label, mark string, text json.RawMessage) Table {
	r := &tableReader{Table: Table{Label: label, Mark: mark}}
	root, err := jsontext.Parse(string(text), jsontext.Depth)
	if err != nil {
		return r.Table
	}
	r.root = root
	r.Whole = r.describe(root)
	r.addParts(root, "")
	return r.Table
}

// resolve follows references inside the document.
func (r *tableReader) resolve(s *jsontext.Node) *jsontext.Node {
	for range maxLevels {
		pointer, inside := jsonschema.LocalPointer(s.Member("$ref").Str())
		if s.Member("$ref") == nil || !inside || r.root.At(pointer) == nil {
			return s
		}
		s = r.root.At(pointer)
	}
	return s
}

// addParts adds the members or elements of a value, whose path is parent.
func (r *tableReader) addParts(s *jsontext.Node, parent string) {
	s = r.resolve(s)
	if slices.Contains(r.open, s) || len(r.open) >= maxLevels || !r.takeStep() {
		return
	}
	r.open = append(r.open, s)
	defer func() { r.open = r.open[:len(r.open)-1] }()

	required := map[string]bool{}
	for _, name := range elements(s, "required") {
		required[name.Str()] = true
	}
	prefix := parent
	if parent != "" {
		prefix += "."
	}
	for _, p := range members(s, "properties") {
		r.addRow(p, prefix, p.Name(), required[p.Name()])
	}
	if more := s.Member("additionalProperties"); more.Is(jsontext.Object) {
		r.addRow(more, prefix, "*", false)
	}
	if items := s.Member("items"); items != nil {
		r.addParts(items, parent+"[]")
	}
	for i, item := range elements(s, "prefixItems") {
		r.addRow(item, parent, "["+strconv.Itoa(i)+"]", false)
	}
	for _, all := range elements(s, "allOf") {
		r.addParts(all, parent)
	}
	r.addAlternatives(s, parent)
}

// addAlternatives adds the alternatives for a value that a schema lists in anyOf or oneOf.
func (r *tableReader) addAlternatives(s *jsontext.Node, parent string) {
	forms := alternatives(s)
	for i, form := range forms {
		if len(forms) > 1 && r.hasParts(form) {
			row := r.describe(form)
			row.Parent, row.Alternative = parent, true
			row.Name = "form " + strconv.Itoa(i+1)
			if title := r.resolve(form).Member("title").Str(); title != "" {
				row.Name += ": " + words.Cut(title, maxValue)
			}
			r.appendRow(row)
		}
		r.addParts(form, parent)
	}
}

// hasParts reports whether a schema describes members or elements.
func (r *tableReader) hasParts(s *jsontext.Node) bool {
	s = r.resolve(s)
	return s.Member("properties") != nil || s.Member("items") != nil || s.Member("additionalProperties").Is(jsontext.Object)
}

// addRow adds a row for a member or an element, and rows for its own members and elements.
func (r *tableReader) addRow(s *jsontext.Node, parent, name string, required bool) {
	row := r.describe(s)
	row.Parent, row.Name, row.Required = parent, name, required
	if !r.appendRow(row) {
		return
	}
	r.addParts(s, parent+name)
}

// appendRow adds a row. It returns false if there are too many rows.
func (r *tableReader) appendRow(row Row) bool {
	if len(r.Rows) >= maxRows {
		r.Cut = true
		return false
	}
	r.Rows = append(r.Rows, row)
	return true
}

// describe returns what a schema says about a value itself. If the schema of a list has no
// description or no values, describe uses those of its elements.
func (r *tableReader) describe(s *jsontext.Node) Row {
	target := r.resolve(s)
	row := Row{
		Type:        words.Cut(r.typeOf(s, 0), maxValue),
		Description: cmp.Or(s.Member("description").Str(), target.Member("description").Str()),
		Values:      values(target),
		Limits:      limits(target),
	}
	if items := target.Member("items"); items != nil {
		each := r.resolve(items)
		row.Description = cmp.Or(row.Description, items.Member("description").Str(), each.Member("description").Str())
		if row.Values == nil {
			row.Values = values(each)
		}
		for _, limit := range limits(each) {
			row.Limits = append(row.Limits, "each: "+limit)
		}
	}
	return row
}

// values returns the only values that a schema allows, if it lists them.
func values(s *jsontext.Node) (texts []string) {
	all := slices.Clone(elements(s, "enum"))
	if value := s.Member("const"); value != nil {
		all = append(all, value)
	}
	for _, v := range all[:min(len(all), maxValues)] {
		texts = append(texts, words.Cut(v.String(), maxValue))
	}
	return words.First(texts, len(all))
}

// typeOf describes the type of a value in a few words.
func (r *tableReader) typeOf(s *jsontext.Node, level int) string {
	if !r.takeStep() {
		return "any"
	}
	recursive := slices.Contains(r.open, r.resolve(s))
	name := s.Member("$ref").Str()
	s = r.resolve(s)
	if forms := alternatives(s); len(forms) > 0 && level < maxLevels {
		var all []string
		for _, form := range forms[:min(len(forms), maxLevels)] {
			if text := r.typeOf(form, level+1); !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
		return strings.Join(words.First(all, len(all)+max(0, len(forms)-maxLevels)), " or ")
	}
	text := strings.Join(typeNames(s), " or ")
	items, more := s.Member("items"), s.Member("additionalProperties")
	switch {
	case level >= maxLevels:
	case text == "array" && items != nil:
		return "list of " + r.typeOf(items, level+1)
	case text == "object" && more.Is(jsontext.Object) && s.Member("properties") == nil:
		return "map of " + r.typeOf(more, level+1)
	case recursive:
		return text + " (" + name[strings.LastIndexByte(name, '/')+1:] + ", as above)"
	}
	return text
}

// typeNames returns the names of the types that a schema allows.
func typeNames(s *jsontext.Node) []string {
	var names []string
	for _, t := range append(slices.Clone(elements(s, "type")), s.Member("type")) {
		if name := t.Str(); name != "" {
			names = append(names, name)
		}
	}
	switch {
	case len(names) > 0:
		return names
	case s.Member("properties") != nil:
		return []string{"object"}
	case s.Member("enum") != nil || s.Member("const") != nil:
		return []string{"value"}
	}
	return []string{"any"}
}

// alternatives returns the schemas in anyOf and oneOf, one of which a value must match.
func alternatives(s *jsontext.Node) []*jsontext.Node {
	return append(slices.Clone(elements(s, "anyOf")), elements(s, "oneOf")...)
}

// limitWords are the keywords that limit values, with the words for them.
var limitWords = []struct{ keyword, words string }{
	{"format", "format "}, {"contentEncoding", "encoded in "}, {"pattern", "pattern "},
	{"minimum", "at least "}, {"exclusiveMinimum", "more than "},
	{"maximum", "at most "}, {"exclusiveMaximum", "less than "}, {"multipleOf", "multiple of "},
	{"minLength", "length: at least "}, {"maxLength", "length: at most "},
	{"minItems", "elements: at least "}, {"maxItems", "elements: at most "},
	{"minProperties", "members: at least "}, {"maxProperties", "members: at most "},
	{"default", "default "},
}

// limits returns the limits of a value in words.
func limits(s *jsontext.Node) []string {
	var all []string
	for _, l := range limitWords {
		value := s.Member(l.keyword)
		if value == nil {
			continue
		}
		text := value.String()
		if value.Is(jsontext.String) && l.keyword != "default" {
			text = value.Str()
		}
		all = append(all, l.words+words.Cut(text, maxValue))
	}
	if unique := s.Member("uniqueItems"); unique.Is(jsontext.Bool) && unique.Text == "true" {
		all = append(all, "elements differ")
	}
	return all
}

// elements returns the elements of an array in a schema.
func elements(s *jsontext.Node, name string) []*jsontext.Node {
	if n := s.Member(name); n.Is(jsontext.Array) {
		return n.Items
	}
	return nil
}

// members returns the members of an object in a schema.
func members(s *jsontext.Node, name string) []*jsontext.Node {
	if n := s.Member(name); n.Is(jsontext.Object) {
		return n.Items
	}
	return nil
}
