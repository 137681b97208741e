package words

import (
	"strconv"
	"strings"
)

// What was expected where a value is wrong, in generated code and by schemas alike.
const (
	Value           = "a value" // of what is missing
	Nothing         = "nothing" // what there is then
	EachKey         = "each key once"
	EachElement     = "each element once"
	AnotherKey      = "another key"
	IntegerKey      = "an integer that fits as the key"
	SmallerExponent = "a number with a smaller exponent"
	Truth           = "true or false"
	InBase64        = "a string in base64"
	WithTime        = "a string with a date and time"
	Time            = "a date and time such as 2006-01-02T15:04:05Z"
	Zone            = "a time zone, Z or one such as +02:00, at the end of the date and time"
	WithDuration    = "a string with a duration such as PT1H30M"
	Duration        = "a duration such as PT1H30M"
	Reference       = "a URI or a relative reference"
	UUID            = "a UUID such as 123e4567-e89b-12d3-a456-426614174000"
)

// Count is a count with its unit: 1 character, 2 characters.
func Count(n int, unit string) string {
	if n != 1 {
		unit += "s"
	}
	return strconv.Itoa(n) + " " + unit
}

// OrString says that a string was expected, too, where another kind was.
func OrString(expected string) string {
	switch expected {
	case Truth, "a number":
		return expected + " or a string"
	case "an integer", "an array", "an object":
		return "a string or " + expected
	}
	return expected
}

// Key says which of the known keys could stand in the place of an unknown one.
func Key(unknown string, known []string) string {
	if len(known) == 0 {
		return "no keys"
	}
	if near := Near(unknown, known); len(near) > 0 {
		return "the key " + List(near, " or ")
	}
	if len(known) == 1 {
		return "only the key " + List(known, "")
	}
	return "one of the " + strconv.Itoa(len(known)) + " keys " + List(known, ", ")
}

// OneOf says that one of several texts was expected.
func OneOf(texts []string) string { return oneOf + List(texts, ", ") }

// Quoted says that what was expected is to be in a string, as of the tag option
// ",string". One of a few is so by its text.
func Quoted(expected string) string {
	switch {
	case expected == Truth:
		return OneOf([]string{"true", "false"})
	case strings.HasPrefix(expected, oneOf):
		return expected
	}
	return expected + " in a string"
}

const oneOf = "one of "

// OneKey says that one of several keys was.
func OneKey(keys []string) string { return "one of the keys " + List(keys, ", ") }
