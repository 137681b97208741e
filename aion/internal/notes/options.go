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

// foreignOptions maps options of JSON Schema, struct tags and others, in lower case, to
// options of notes.
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

// taggedOptions maps options that notes do not have to those of struct tags.
var taggedOptions = map[string]string{
	"pattern": "pattern", "regex": "pattern", "regexp": "pattern", "format": "format", "example": "example", "examples": "example",
	"multipleof": "multipleOf", "uniqueitems": "uniqueItems",
}

// A Doubtful is a part of a description that begins with a word, as an option does.
type Doubtful struct {
	text, name, sign string
	Value            string // what follows the word
	option           string // the option that was likely meant: one of [values.Options], or as in foreignOptions
}

var optionForm = lazyregexp.Regexp{Text: `(?s)^([A-Za-z][\w-]*)[ \t\r\n]*([=:]?)[ \t\r\n]*(.*)$`}

// ParseDoubtful parses a part of a description, if it has the form of an option.
func ParseDoubtful(part Part) (p Doubtful, ok bool) {
	m := optionForm.Get().FindStringSubmatch(part.Text)
	if m == nil {
		return p, false
	}
	p = Doubtful{text: part.Text, name: m[1], sign: m[2], Value: m[3]}
	p.option = p.guessOption()
	return p, true
}

// normalName returns the name in lower case without dashes and underscores.
func (p *Doubtful) normalName() string {
	return withoutDashes.Replace(strings.ToLower(p.name))
}

var withoutDashes = strings.NewReplacer("-", "", "_", "")

// guessOption returns the option that the name was most likely meant to be, or "".
func (p *Doubtful) guessOption() string {
	if option := foreignOptions[p.normalName()]; option != "" {
		return option
	}
	for _, word := range bareOptions {
		if words.Distance(strings.ToLower(p.name), word) <= len(word)/8 { // one mistake, but none in short words
			return word
		}
	}
	if near := words.Nearest(p.name+"=", valuedOptions); near != "" && taggedOptions[p.normalName()] == "" {
		return near
	}
	return ""
}

// bareOptions are the options without a value, and valuedOptions those with one, whose
// misspellings are recognized.
var bareOptions, valuedOptions = guessableForms()

func guessableForms() (bare, valued []string) {
	for _, o := range values.Options {
		if o.GuessAlone {
			bare = append(bare, o.Name)
		}
		if o.GuessValue {
			valued = append(valued, o.Name+"=")
		}
	}
	return bare, valued
}

// IsOption reports whether the part looks more like an option than like prose. After "=", it
// nearly always is an option; after ":" and a blank, prose is as likely. Literal says that
// the value is not a plain word.
func (p *Doubtful) IsOption(literal bool) bool {
	word := !strings.ContainsAny(p.Value, blanks)
	switch {
	case p.sign == "=" && strings.HasPrefix(p.Value, "="), p.Value == "" && p.sign != "":
		return false
	case p.sign == "=":
		return p.option != "" || taggedOptions[p.normalName()] != "" || !strings.ContainsAny(p.text, blanks)
	case p.option == "min= and max=" && p.sign == ":":
		return rangeForm.Get().MatchString(p.Value)
	case p.sign == ":":
		return p.option == "enum=" || p.option != "" && word
	case p.Value == "":
		return slices.Contains(bareOptions, p.option) || p.name == "only"
	}
	valued := []string{"default", "min", "max", "minimum", "maximum"}
	return slices.Contains(valued, p.normalName()) && literal
}

// IsKnown reports whether the meaning of the name is certain, because another notation or a note
// has an option with that name.
func (p *Doubtful) IsKnown() bool {
	return foreignOptions[p.normalName()] != "" || isMark(p.name)
}

// replacement returns the text that should replace the part, or "" if the part should be
// deleted. It returns false if a person must decide.
func (p *Doubtful) replacement() (text string, ok bool) {
	if truthWords[strings.ToLower(p.Value)] == "no" {
		if text, ok := p.opposite(); ok {
			return text, true
		}
	}
	switch {
	case isMark(p.name) && p.Value != "" && (foreignOptions[p.normalName()] == "" || p.option == p.name):
		return p.name, true
	case slices.Contains(bareOptions, p.option):
		return p.option, true
	case p.Value == "" && p.name == "only":
		return "", false
	case p.option == "min= and max=":
		least, most := parseBounds(p.Value)
		return "min=" + least + " | max=" + most, least != "…"
	case p.option == "enum=":
		return p.option + strings.Join(strings.FieldsFunc(p.Value, func(c rune) bool { return strings.ContainsRune("[](), ", c) }), ","), true
	case p.option != "" && !p.isExclusiveBound():
		return cmp.Or(SeparateOptions(p.text), p.option+p.Value), true
	}
	return "", false
}

// opposite returns the text for a mark that is switched off, and whether the part is one.
func (p *Doubtful) opposite() (text string, ok bool) {
	switch {
	case p.option == "required":
		return "optional", true
	case p.option == "optional":
		return "required", true
	}
	return "", isMark(p.name)
}

// isExclusiveBound reports whether the part is a bound that the value must not reach. Notes have none.
func (p *Doubtful) isExclusiveBound() bool {
	name := p.normalName()
	return strings.HasPrefix(name, "exclusive") || name == "gt" || name == "lt"
}

// Help adds help about the part. It returns the text that should replace it, or "" if the
// part should be deleted. It returns false if a person must decide.
func (p *Doubtful) Help(d *diag.Diagnostic) (text string, ok bool) {
	text, ok = p.replacement()
	switch {
	case p.Value == "" && p.name == "only":
		d.WithHelp("write the fields to keep: %q", "only=id,name")
	case p.option == "min= and max=":
		least, most := parseBounds(p.Value)
		d.WithHelp("min= and max= limit numbers and the length of strings and lists: write %q", "min="+least+" | max="+most)
	case ok && text == "":
		d.WithHelp("delete it")
	case ok:
		d.WithHelp("write %q", text)
	case strings.HasPrefix(p.normalName(), "exclusive"), p.normalName() == "gt", p.normalName() == "lt":
		d.WithHelp("a bound is itself an allowed value: write %s with the smallest or largest allowed value", p.option)
	default:
		if tag := taggedOptions[p.normalName()]; tag != "" {
			d.WithHelp("notes have no such option, but fields of structs have: make the argument a struct whose field has the tag jsonschema:%q", tag+"="+p.Value)
		}
		d.WithHelp("the options are %s; put a description that looks like an option in parentheses: (%s)", words.List(optionForms(), " and "), p.text)
	}
	return text, ok
}

// optionForms returns how the options are written, one form of each.
func optionForms() (forms []string) {
	for _, o := range values.Options {
		forms = append(forms, o.Forms()[0])
	}
	return forms
}

// parseBounds parses the bounds of a range: "1..10", "1-10", "1,10", or a single number.
func parseBounds(value string) (least, most string) {
	m := rangeForm.Get().FindStringSubmatch(value)
	if m == nil {
		return "…", "…"
	}
	return m[1], cmp.Or(m[2], m[1])
}

var rangeForm = lazyregexp.Regexp{Text: `^[[(]?\s*(-?\d+(?:\.\d+)?)(?:\s*(?:\.\.\.?|-|–|,|:|to)\s*(-?\d+(?:\.\d+)?))?\s*[])]?$`}

var nextOption = lazyregexp.Regexp{Text: `[,; \t\r\n]\s*([A-Za-z][\w-]*)\s*=`}

// SeparateOptions returns a row of options, as in struct tags, with the bars that a note
// needs: "min=1 | max=5". It returns "" if there is only one option.
func SeparateOptions(text string) string {
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

// valuedOption returns the option with a value that corresponds to a name in a note or another
// notation. It returns "" if no option takes the same values.
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

// GuessEnum returns the enum that was likely meant, and its end, if its values seem to be
// separated by bars: the first part is an enum with one value, and words follow without
// blanks.
func GuessEnum(parts []Part) (enum string, end int) {
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
