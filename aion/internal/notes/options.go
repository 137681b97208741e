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

// foreignOptions maps the names that options have in JSON Schema, struct tags and similar
// notations, in lower case, to options of notes.
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

// Some options exist only in struct tags. taggedOptions maps what people call them to their names there.
var taggedOptions = map[string]string{
	"pattern": "pattern", "regex": "pattern", "regexp": "pattern", "format": "format", "example": "example", "examples": "example",
	"multipleof": "multipleOf", "uniqueitems": "uniqueItems",
}

// A Candidate is a part of a description that may be a misspelled option, because it begins
// with a word, as in "minimum: 5".
type Candidate struct {
	text, name, sign string // sign is "=", ":" or ""
	Value            string // the text after the sign
	option           string // the option that was likely meant, in the form of the values of foreignOptions, or ""
}

var optionForm = lazyregexp.Regexp{Text: `(?s)^([A-Za-z][\w-]*)[ \t\r\n]*([=:]?)[ \t\r\n]*(.*)$`}

// ParseCandidate parses a part of a description. It returns false if the part does not begin
// with a word.
func ParseCandidate(part Part) (p Candidate, ok bool) {
	m := optionForm.Get().FindStringSubmatch(part.Text)
	if m == nil {
		return p, false
	}
	p = Candidate{text: part.Text, name: m[1], sign: m[2], Value: m[3]}
	p.option = p.guessOption()
	return p, true
}

// normalName returns the name in lower case without dashes and underscores.
func (p *Candidate) normalName() string {
	return withoutDashes.Replace(strings.ToLower(p.name))
}

var withoutDashes = strings.NewReplacer("-", "", "_", "")

// guessOption returns the option that the name was most likely meant to be, or "".
func (p *Candidate) guessOption() string {
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

// bareOptions and valuedOptions are the options whose misspellings are recognized, without and
// with a value.
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

// IsOption reports whether the part looks more like an option than like prose. A word before "="
// nearly always is an option; before ":" or a blank, it may also be prose. literal is true if
// the value is a number or a quoted text.
func (p *Candidate) IsOption(literal bool) bool {
	oneWord := !strings.ContainsAny(p.Value, blanks)
	switch {
	case p.sign == "=" && strings.HasPrefix(p.Value, "="), p.Value == "" && p.sign != "":
		return false
	case p.sign == "=":
		return p.option != "" || taggedOptions[p.normalName()] != "" || !strings.ContainsAny(p.text, blanks)
	case p.option == "min= and max=" && p.sign == ":":
		return rangeForm.Get().MatchString(p.Value)
	case p.sign == ":":
		return p.option == "enum=" || p.option != "" && oneWord
	case p.Value == "":
		return slices.Contains(bareOptions, p.option) || p.name == "only"
	}
	valued := []string{"default", "min", "max", "minimum", "maximum"}
	return slices.Contains(valued, p.normalName()) && literal
}

// IsKnown reports whether the meaning of the name is certain, because another notation or a note
// has an option with that name.
func (p *Candidate) IsKnown() bool {
	return foreignOptions[p.normalName()] != "" || isFlag(p.name)
}

// replacement returns the text that should replace the part, or "" if the part should be
// deleted. It returns false if a person must decide.
func (p *Candidate) replacement() (text string, ok bool) {
	if truthWords[strings.ToLower(p.Value)] == "no" {
		if text, ok := p.opposite(); ok {
			return text, true
		}
	}
	switch {
	case isFlag(p.name) && p.Value != "" && (foreignOptions[p.normalName()] == "" || p.option == p.name):
		return p.name, true
	case slices.Contains(bareOptions, p.option):
		return p.option, true
	case p.Value == "" && p.name == "only":
		return "", false
	case p.option == "min= and max=":
		lower, upper := parseBounds(p.Value)
		return "min=" + lower + " | max=" + upper, lower != "…"
	case p.option == "enum=":
		return p.option + strings.Join(strings.FieldsFunc(p.Value, func(c rune) bool { return strings.ContainsRune("[](), ", c) }), ","), true
	case p.option != "" && !p.isExclusiveBound():
		return cmp.Or(SeparateOptions(p.text), p.option+p.Value), true
	}
	return "", false
}

// opposite returns the text to write instead of an option whose value is false: "optional" for required=false.
// The text is "" if the option should be deleted. It returns false if the option always has a value, as
// min does.
func (p *Candidate) opposite() (text string, ok bool) {
	switch {
	case p.option == "required":
		return "optional", true
	case p.option == "optional":
		return "required", true
	}
	return "", isFlag(p.name)
}

// isExclusiveBound reports whether the part is a bound that the value must not reach. Notes have no
// option for such bounds.
func (p *Candidate) isExclusiveBound() bool {
	name := p.normalName()
	return strings.HasPrefix(name, "exclusive") || name == "gt" || name == "lt"
}

// Help adds help about the part. It returns the text that should replace it, or "" if the
// part should be deleted. It returns false if a person must decide.
func (p *Candidate) Help(d *diag.Diagnostic) (text string, ok bool) {
	text, ok = p.replacement()
	switch {
	case p.Value == "" && p.name == "only":
		d.WithHelp("write the fields to keep: %q", "only=id,name")
	case p.option == "min= and max=":
		lower, upper := parseBounds(p.Value)
		d.WithHelp("min= and max= limit numbers and the length of strings and lists: write %q", "min="+lower+" | max="+upper)
	case ok && text == "":
		d.WithHelp("delete it")
	case ok:
		d.WithHelp("write %q", text)
	case p.isExclusiveBound():
		d.WithHelp("a bound is itself an allowed value: write %s with the smallest or largest allowed value", p.option)
	default:
		if tag := taggedOptions[p.normalName()]; tag != "" {
			d.WithHelp("notes have no such option, but struct tags do: make the argument a struct whose field has the tag jsonschema:%q", tag+"="+p.Value)
		}
		d.WithHelp("the options are %s; put a description that looks like an option in parentheses: (%s)", words.List(optionForms(), " and "), p.text)
	}
	return text, ok
}

// optionForms returns the first form of each option, for help.
func optionForms() (forms []string) {
	for _, o := range values.Options {
		forms = append(forms, o.Forms()[0])
	}
	return forms
}

// parseBounds parses the bounds of a range: "1..10", "1-10", "1,10", or a single number.
func parseBounds(value string) (lower, upper string) {
	m := rangeForm.Get().FindStringSubmatch(value)
	if m == nil {
		return "…", "…"
	}
	return m[1], cmp.Or(m[2], m[1])
}

var rangeForm = lazyregexp.Regexp{Text: `^[[(]?\s*(-?\d+(?:\.\d+)?)(?:\s*(?:\.\.\.?|-|–|,|:|to)\s*(-?\d+(?:\.\d+)?))?\s*[])]?$`}

var nextOption = lazyregexp.Regexp{Text: `[,; \t\r\n]\s*([A-Za-z][\w-]*)\s*=`}

// SeparateOptions separates a row of options with the bars that a note needs: "min=1,max=5"
// becomes "min=1 | max=5". It returns "" if there is only one option.
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

// valuedOption returns the option that means the same as a name in a note or another notation, such as
// "min=" for minimum. It returns "" if there is no such option that takes a value.
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

// GuessEnum corrects an enum whose values seem to be separated by bars: "enum=a|b|c" becomes
// "enum=a,b,c". It returns the enum and the offset in the note at which the original ends, or ""
// if the parts do not begin with such an enum.
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
