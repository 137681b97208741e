package words

import (
	"strconv"
)

// These are descriptions of expected values, for the messages of generated code and of schemas.
const (
	Value           = "a value" // expected if a value is missing
	Nothing         = "nothing" // found if a value is missing
	EachKey         = "each key once"
	EachElement     = "each element once"
	IntegerKey      = "an integer in the range of the keys"
	SmallerExponent = "a number with a smaller exponent"
	Truth           = "a boolean (true or false)"
	InBase64        = "a string in base64"
	WithTime        = "a string with a date and time"
	Time            = "a date and time such as 2006-01-02T15:04:05Z"
	Zone            = "a time zone, Z or one such as +02:00, at the end of the date and time"
	WithDuration    = "a string with a duration such as PT1H30M"
	Duration        = "a duration such as PT1H30M"
	Reference       = "a URI or a relative reference"
	UUID            = "a UUID such as 123e4567-e89b-12d3-a456-426614174000"
)

// Count returns a count with its unit: 1 character, 2 characters.
func Count(n int, unit string) string {
	if n != 1 {
		unit += "s"
	}
	return strconv.Itoa(n) + " " + unit
}

// OrNull adds null to a description of an expected value. If the description is only the name of a kind, such as
// "a string", null comes first, as in "null or a string".
func OrNull(expected string) string {
	switch expected {
	case Truth, "a number", "a string", "an array", "an object", "an integer":
		return "null or " + expected
	}
	return expected + " or null"
}

// OrString adds "a string" to a description of an expected kind. It returns other descriptions unchanged.
func OrString(expected string) string {
	switch expected {
	case Truth, "a number":
		return expected + " or a string"
	case "an integer", "an array", "an object":
		return "a string or " + expected
	}
	return expected
}

// ExpectedKey describes the known keys that an unknown key may mean.
func ExpectedKey(unknown string, known []string) string {
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

// OneString describes a choice of strings, as in one of "a", "b" (strings).
func OneString(texts []string) string {
	if len(texts) == 1 {
		return "the string " + strconv.Quote(Cut(texts[0], longestWord))
	}
	return "one of " + joinWords(texts, ", ", maxWords, func(text string) string { return strconv.Quote(Cut(text, longestWord)) }) + " (strings)"
}

// OneInteger describes a choice of integers, as in one of 1, 2 (integers).
func OneInteger(texts []string) string {
	if len(texts) == 1 {
		return "the integer " + texts[0]
	}
	return "one of " + Join(texts, ", ", maxWords) + " (integers)"
}

// OtherKey describes that another key was expected, with the reason.
func OtherKey(reason string) string { return "another key (" + Cut(reason, longestReason) + ")" }

const longestReason = 256 // bytes

// InString describes that the expected value must be in a string, as the struct tag option
// ",string" requires.
func InString(expected string) string {
	if expected == Truth {
		return OneString([]string{"true", "false"})
	}
	return expected + " in a string"
}

// OneKey describes that exactly one of several keys was expected.
func OneKey(keys []string) string { return "one of the keys " + List(keys, ", ") }
