package notes

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/internal/lazyregexp"
	"github.com/aiongen/aiongen/internal/values"
	"github.com/aiongen/aiongen/internal/words"
)

// foreignOptions are what JSON Schema, struct tags and others call an option, in
// lower case, with what a note has for it.
var foreignOptions = map[string]string{
	"minimum": "min=", "minlength": "min=", "minitems": "min=", "gte": "min=", "ge": "min=", "exclusiveminimum": "min=", "gt": "min=",
	"maximum": "max=", "maxlength": "max=", "maxitems": "max=", "lte": "max=", "le": "max=", "exclusivemaximum": "max=", "lt": "max=",
	"range": "min= and max=", "between": "min= and max=", "length": "min= and max=", "len": "min= and max=", "size": "min= and max=",
	"values": "enum=", "choices": "enum=", "oneof": "enum=", "allowed": "enum=", "const": "enum=",
	"nullable": "optional", "omitempty": "optional", "opt": "optional", "option": "optional",
	"required": "required", "req": "required", "mandatory": "required",
	"include": "only=", "fields": "only=", "select": "only=", "pick": "only=",
	"exclude": "omit=", "hide": "omit=", "drop": "omit=", "except": "omit=", "without": "omit=",
}

// taggedOptions are those that a note does not have, but the tag of a field.
var taggedOptions = map[string]string{
	"pattern": "pattern", "regex": "pattern", "regexp": "pattern", "format": "format", "example": "example", "examples": "example",
	"multipleof": "multipleOf", "uniqueitems": "uniqueItems",
}

// A Doubtful part is one that begins with a word, as an option does.
type Doubtful struct {
	text, name, sign string
	Value            string // what follows the word
	option           string // that was likely meant: one of [values.Options], or as in foreignOptions
}

var optionForm = lazyregexp.Regexp{Text: `(?s)^([A-Za-z][\w-]*)[ \t\r\n]*([=:]?)[ \t\r\n]*(.*)$`}

// Doubt takes a part of a description apart, if it has the form of an option.
func Doubt(part Part) (p Doubtful, ok bool) {
	m := optionForm.Get().FindStringSubmatch(part.Text)
	if m == nil {
		return p, false
	}
	p = Doubtful{text: part.Text, name: m[1], sign: m[2], Value: m[3]}
	p.option = p.meant()
	return p, true
}

// key is the name as other notations spell it in one way or another.
func (p *Doubtful) key() string {
	return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(p.name))
}

// meant is the option that the name was most likely meant to be.
func (p *Doubtful) meant() string {
	if option := foreignOptions[p.key()]; option != "" {
		return option
	}
	for _, word := range bareOptions {
		if words.Distance(strings.ToLower(p.name), word) <= len(word)/8 { // one slip, but in short words none
			return word
		}
	}
	if near := words.Nearest(p.name+"=", valuedOptions); near != "" && taggedOptions[p.key()] == "" {
		return near
	}
	return ""
}

// bareOptions are those that are hardly meant as a word of the description.
var bareOptions = []string{"optional", "required", "open", "omit"}

// valuedOptions are those that a value follows.
var valuedOptions = []string{"default=", "enum=", "min=", "max=", "only=", "omit="}

// IsOption reports whether the part is more like an option than like words. "=" is
// hardly anything else; behind ":" and a blank, prose is as likely. Literal says that
// the value is more than a word.
func (p *Doubtful) IsOption(literal bool) bool {
	word := !strings.ContainsAny(p.Value, blanks)
	switch {
	case p.sign == "=" && strings.HasPrefix(p.Value, "="), p.Value == "" && p.sign != "":
		return false
	case p.sign == "=":
		return p.option != "" || taggedOptions[p.key()] != "" || !strings.ContainsAny(p.text, blanks)
	case p.option == "min= and max=" && p.sign == ":":
		return rangeForm.Get().MatchString(p.Value)
	case p.sign == ":":
		return p.option == "enum=" || p.option != "" && word
	case p.Value == "":
		return slices.Contains(bareOptions, p.option) || p.name == "only"
	}
	valued := []string{"default", "min", "max", "minimum", "maximum"}
	return slices.Contains(valued, p.key()) && literal
}

// Known reports whether the option is what another notation calls it, so that nobody has
// to guess.
func (p *Doubtful) Known() bool {
	return foreignOptions[p.key()] != "" || slices.Contains(values.Marks, p.name)
}

// written is what to write for the part: nothing, where it is left out. It is not ok where
// that is for a person to say.
func (p *Doubtful) written() (text string, ok bool) {
	no := truth[strings.ToLower(p.Value)] == "no"
	switch {
	case p.option == "required" && no:
		return "optional", true
	case p.option == "optional" && no:
		return "required", true
	case slices.Contains(values.Marks, p.name) && no:
		return "", true
	case slices.Contains(values.Marks, p.name) && p.Value != "":
		return p.name, true
	case slices.Contains(bareOptions, p.option):
		return p.option, true
	case p.Value == "" && p.name == "only":
		return "", false
	case p.option == "min= and max=":
		least, most := bounds(p.Value)
		return "min=" + least + " | max=" + most, least != "…"
	case p.option == "enum=":
		return p.option + strings.Join(strings.FieldsFunc(p.Value, func(c rune) bool { return strings.ContainsRune("[](), ", c) }), ","), true
	case strings.HasPrefix(p.key(), "exclusive"), p.key() == "gt", p.key() == "lt":
		return "", false
	case p.option != "":
		return cmp.Or(Barred(p.text), p.option+p.Value), true
	}
	return "", false
}

// Help says what to write, and returns that; "" where the part is left out. It is not ok
// where it is for a person to say.
func (p *Doubtful) Help(d *diag.Diagnostic) (text string, ok bool) {
	text, ok = p.written()
	switch {
	case p.Value == "" && p.name == "only":
		d.WithHelp("write the fields that are left: %q", "only=id,name")
	case p.option == "min= and max=":
		least, most := bounds(p.Value)
		d.WithHelp("min= and max= bound numbers and the length of strings and lists: write %q", "min="+least+" | max="+most)
	case ok && text == "":
		d.WithHelp("leave it out")
	case ok:
		d.WithHelp("write %q", text)
	case strings.HasPrefix(p.key(), "exclusive"), p.key() == "gt", p.key() == "lt":
		d.WithHelp("a bound is one of the values that it allows: write %s with the first or last of them", p.option)
	default:
		if tag := taggedOptions[p.key()]; tag != "" {
			d.WithHelp("a note has none, but the tag of a struct field has: jsonschema:%q", tag+"="+p.Value)
		}
		d.WithHelp("the options are %s; description that looks like one stands in parentheses: (%s)", words.List(values.Options, " and "), p.text)
	}
	return text, ok
}

// bounds are those that a range gives: "1..10", "1-10", "1,10", or one number alone.
func bounds(value string) (least, most string) {
	m := rangeForm.Get().FindStringSubmatch(value)
	if m == nil {
		return "…", "…"
	}
	return m[1], cmp.Or(m[2], m[1])
}

var rangeForm = lazyregexp.Regexp{Text: `^[[(]?\s*(-?\d+(?:\.\d+)?)(?:\s*(?:\.\.\.?|-|–|,|:|to)\s*(-?\d+(?:\.\d+)?))?\s*[])]?$`}

var nextOption = lazyregexp.Regexp{Text: `[,; \t\r\n]\s*([A-Za-z][\w-]*)\s*=`}

// Barred returns options that stand in a row, as in tags of struct fields, as a note
// has them, with bars: "min=1 | max=5". It is empty if there are not several.
func Barred(text string) string {
	var row []string
	start := 0
	for _, m := range nextOption.Get().FindAllStringSubmatchIndex(text, -1) {
		if valuedOption(text[m[2]:m[3]]) != "" {
			row = append(row, text[start:m[0]])
			start = m[2]
		}
	}
	row = append(row, text[start:])
	for i, option := range row {
		name, value, _ := strings.Cut(option, "=")
		name = valuedOption(strings.Trim(name, blanks))
		if name == "" || len(row) == 1 {
			return ""
		}
		row[i] = name + strings.Trim(value, blanks)
	}
	return strings.Join(row, " | ")
}

// valuedOption is the option with a value that a name means, in a note or elsewhere;
// empty if there is none that takes the same values.
func valuedOption(name string) string {
	key := strings.ToLower(name)
	option := foreignOptions[key]
	switch {
	case OptionName(name+"=") != "":
		return name + "="
	case strings.HasPrefix(key, "exclusive"), key == "gt", key == "lt", !slices.Contains(valuedOptions, option):
		return ""
	}
	return option
}

// MeantEnum returns the enum that was likely meant, if its values seem to have bars
// between them, and where that ends: the first of some parts has one value, and words
// follow without a blank.
func MeantEnum(parts []Part) (enum string, end int) {
	allowed, ok := strings.CutPrefix(parts[0].Text, "enum=")
	if !ok || strings.ContainsAny(allowed, ", '") {
		return "", 0
	}
	end = parts[0].At + len(parts[0].Text)
	row := []string{allowed}
	for _, p := range parts[1:] {
		if p.At != end+1 || IsOption(p) || p.Text == "" || strings.ContainsAny(p.Text, blanks) {
			break
		}
		row = append(row, p.Text)
		end = p.At + len(p.Text)
	}
	if len(row) == 1 {
		return "", 0
	}
	return "enum=" + strings.Join(row, ","), end
}
