package callform

import (
	"fmt"
	"net/url"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// Input is a field as a template shows it.
type Input struct {
	ID          string // of the element
	Name        string // of the element
	Label       string
	Kind        Kind
	Description string
	Required    bool
	Value       string
	Options     []Option // of a Choice
	ModeName    string   // of the element for the mode
	Modes       []Option // at least two, or none
	Fault       string   // what is wrong with the value
	Members     []Input  // of a Group
}

// Option is one of the values of a select element.
type Option struct {
	Value, Label string
	Selected     bool
}

// Inputs returns the fields of the form, filled with the values that were sent.
func (f *Form) Inputs(values url.Values, faults []Fault) []Input {
	number := 0
	return f.inputsOf(f.root.members, values, faults, &number)
}

// inputsOf numbers the fields to make their IDs. Names and pointers are unsuitable, because an ID must not contain
// spaces.
func (f *Form) inputsOf(fields []*field, values url.Values, faults []Fault, number *int) []Input {
	inputs := make([]Input, 0, len(fields))
	for _, x := range fields {
		*number++
		in := Input{
			ID: fmt.Sprintf("%sfield-%d", f.prefix, *number), Name: f.valueName(x), ModeName: f.modeName(x), Label: x.name, Kind: x.kind,
			Description: x.description, Required: x.required, Value: values.Get(f.valueName(x)),
			Members: f.inputsOf(x.members, values, faults, number),
		}
		in.Options = selectOption(x.options(), in.Value)
		in.Modes = selectOption(x.modes(), values.Get(in.ModeName))
		for _, fault := range faults {
			if fault.Pointer == x.pointer {
				in.Fault = fault.Message
			}
		}
		inputs = append(inputs, in)
	}
	return inputs
}

func selectOption(options []Option, value string) []Option {
	for i := range options {
		options[i].Selected = options[i].Value == value
	}
	return options
}

// options returns the options of a choice. Strings are shown without quotes, unless they would look like other
// JSON, such as a number.
func (x *field) options() []Option {
	if x.kind != Choice {
		return nil
	}
	first := "(leave out)"
	if x.required {
		first = "(choose)"
	}
	options := []Option{{Label: first}}
	for _, choice := range x.choices {
		label := choice
		if n, err := jsontext.Parse(choice, maxDepth); err == nil && n.Str() != "" {
			if _, err := jsontext.Parse(n.Str(), maxDepth); err != nil {
				label = n.Str()
			}
		}
		options = append(options, Option{Value: choice, Label: label})
	}
	return options
}

// modes returns the modes of a field, if there is more than one.
func (x *field) modes() []Option {
	leftOut := "leave out if empty"
	var modes []Option
	add := func(m Mode, label string) { modes = append(modes, Option{Value: string(m), Label: label}) }
	switch {
	case x.kind == Choice || x.kind == JSON:
		return nil
	case x.required || x.kind == Number:
		leftOut = "as entered"
	}
	add(AsEntered, leftOut)
	if !x.required && x.kind != Number {
		add(Empty, map[Kind]string{Text: "send empty text", Lines: "send empty list", Group: "send even if empty"}[x.kind])
	}
	if x.nullable {
		add(Null, "send null")
	}
	if x.kind == Lines {
		add(AsJSON, "read as a JSON array")
	}
	if len(modes) < 2 {
		return nil
	}
	return modes
}
