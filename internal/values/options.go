package values

import (
	"slices"
	"strings"
)

// An Option is an option of a note. The parser, the printer, the checks of notes on results
// and the test of the documentation read the options from Options.
type Option struct {
	Name  string
	Alone bool      // the option may be written without a value; it then applies to the whole argument or result
	Value ValueForm // the form of the value after "="

	// ResultAlone and ResultValue report whether a note on a result may have the option without a value, and
	// with a value. Notes on arguments and fields may have all options except those with OnlyResult.
	ResultAlone, ResultValue bool
	OnlyResult               bool

	// GuessAlone and GuessValue report whether a similar word in a description counts as a misspelling of the
	// option: GuessAlone for a word without "=", and GuessValue for a word with "=", such as "enun=". They are
	// false for words that are common in descriptions, such as "text".
	GuessAlone, GuessValue bool

	Help string // description of the effect, as in docs/reference/notation.md
}

// A ValueForm is the form of the value of an option.
type ValueForm int

// The forms of values.
const (
	NoValue       ValueForm = iota
	OneLiteral              // default=5
	LiteralList             // enum=a,b
	NumberBound             // min=1
	PathsOfValue            // only=id,labels.name
	CountOfItems            // take=20
	PathsWithText           // describe=labels.name:what it means
)

// Options are the options of notes, in the order in which a note is printed.
var Options = []Option{
	{Name: "default", Value: OneLiteral, GuessValue: true, Help: "the value if the argument is left out, which makes the argument optional"},
	{Name: "enum", Value: LiteralList, GuessValue: true, Help: "the allowed values"},
	{Name: "min", Value: NumberBound, GuessValue: true, Help: "the lower bound of a number, or of the length of a text or list"},
	{Name: "max", Value: NumberBound, GuessValue: true, Help: "the upper bound of a number, or of the length of a text or list"},
	{Name: "open", Alone: true, Value: PathsOfValue, GuessAlone: true, Help: "an enum also allows other values"},
	{Name: "optional", Alone: true, Value: PathsOfValue, ResultAlone: true, GuessAlone: true, Help: "the argument may be left out"},
	{Name: "required", Alone: true, Value: PathsOfValue, GuessAlone: true, Help: "the argument must be present"},
	{Name: "take", Value: CountOfItems, ResultValue: true, OnlyResult: true, GuessValue: true, Help: "the maximum number of items in a result that is a sequence"},
	{Name: "fields", Alone: true, Value: PathsOfValue, ResultAlone: true, ResultValue: true, Help: "the json tags of a struct with its own JSON methods describe its JSON"},
	{Name: "only", Value: PathsOfValue, ResultValue: true, GuessValue: true, Help: "the model sees only these fields"},
	{Name: "omit", Alone: true, Value: PathsOfValue, ResultAlone: true, ResultValue: true, GuessAlone: true, GuessValue: true, Help: "the model does not see the value"},
	{Name: "ref", Alone: true, Value: PathsOfValue, ResultAlone: true, ResultValue: true, Help: "the value is passed by reference"},
	{Name: "text", Alone: true, Value: PathsOfValue, ResultAlone: true, ResultValue: true, Help: "the value is text"},
	{Name: "describe", Value: PathsWithText, ResultValue: true, Help: "the text after the colon describes the fields with these paths"},
}

// FindOption returns the option with a name, with or without "=".
func FindOption(name string) (o Option, ok bool) {
	name = strings.TrimSuffix(name, "=")
	i := slices.IndexFunc(Options, func(o Option) bool { return o.Name == name })
	if i < 0 {
		return o, false
	}
	return Options[i], true
}

// Forms returns the ways to write the option: "omit" without a value, and "omit=" before a value.
func (o Option) Forms() (forms []string) {
	if o.Alone {
		forms = append(forms, o.Name)
	}
	if o.Value != NoValue {
		forms = append(forms, o.Name+"=")
	}
	return forms
}

// OnResult reports whether a note on a result may have the option in one of its forms.
func (o Option) OnResult(form string) bool {
	if form == o.Name {
		return o.ResultAlone
	}
	return o.ResultValue
}
