package aion

import (
	"strings"
	"testing"
)

// warnings reads a note and returns the underlined text and the help of its warnings.
func warnings(t *testing.T, note string) []string {
	t.Helper()
	src := `[{ name --> "a", function --> "F" --> { arg-1 --> """` + note + `""" } }]`
	_, list := Parse("a.aion", []byte(src))
	var all []string
	for _, d := range list {
		at := src[d.Span.Start.Offset:d.Span.End.Offset]
		all = append(all, d.Severity.String()+" at "+at+": "+strings.Join(d.Help, "; "))
	}
	return all
}

// TestNoSilence checks that notes which do not have the meaning that their author intended cause
// warnings.
func TestNoSilence(t *testing.T) {
	const required = `write "required"`
	const options = "the options are default=, enum=, min=, max=, open, optional, required, take=, fields, only=, omit, ref, text and describe=; " +
		"put a description that looks like an option in parentheses: "
	for _, test := range []struct{ note, at, help string }{
		// Prose that begins like a note.
		{"int limit", "int limit", `write "int (limit)"; if it is prose, begin it with another word`},
		{"string: the limit", "string: the limit", `write "string (the limit)"; if it is prose, begin it with another word`},
		{"bool: the limit", "bool: the limit", `write "bool (the limit)"; if it is prose, begin it with another word`},
		{"int - how many", "int - how many", `write "int (how many)"; if it is prose, begin it with another word`},
		{"int – how many", "int – how many", `write "int (how many)"; if it is prose, begin it with another word`},
		{"list of int", "list of int", `write "list[int]"; if it is prose, begin it with another word`},
		{"list of strings", "list of strings", `write "list[string]"; if it is prose, begin it with another word`},
		{"array of numbers: what to add", "array of numbers: what to add", `write "array[number] (what to add)"; if it is prose, begin it with another word`},
		{"list of lists of ints (a matrix)", "list of lists of ints (a matrix)", `write "list[list[int]] (a matrix)"; if it is prose, begin it with another word`},
		{"dict of string to int", "dict of string to int", `write "dict[string, int]"; if it is prose, begin it with another word`},
		{"dict of ints", "dict of ints", `write "dict[string, int]"; if it is prose, begin it with another word`},
		{"list[string] the tags of it", "list[string] the tags of it", `write "list[string] (the tags of it)"; if it is prose, begin it with another word`},
		{"[]string tags to set", "[]string tags to set", `write "[]string (tags to set)"; if it is prose, begin it with another word`},
		{"int? how many rows", "int? how many rows", `write "int? (how many rows)"; if it is prose, begin it with another word`},
		{"string (user) id", "string (user) id", `write "string (user id)"; if it is prose, begin it with another word`},
		{"string (the user", "string (the user", `write "string (the user)"; if it is prose, begin it with another word`},
		{"str? (how | many)", "str? (how", `a bar starts an option, even inside parentheses: write "str? (how / many)", or move the description after the options`},
		{"string id)", "string id)", `write "string (id)"; if it is prose, begin it with another word`},
		{"string, optional", "string, optional", `write "string?"; if it is prose, begin it with another word`},
		{"int required", "int required", `write "int | required"; if it is prose, begin it with another word`},
		{"int, how many rows", "int, how many rows", `write "int (how many rows)"; if it is prose, begin it with another word`},
		{"*Order to send", "*Order to send", `write "*Order (to send)"; if it is prose, begin it with another word`},
		{"int limit | how many", "int limit", `write "int (limit)"; if it is prose, begin it with another word`},

		// Options of other notations, and misspelled options.
		{"int | minimum=1", "minimum=1", `write "min=1"`},
		{"int | maximum = 5", "maximum = 5", `write "max=5"`},
		{"string | minLength=1", "minLength=1", `write "min=1"`},
		{"int | min 1", "min 1", `write "min=1"`},
		{"int | exclusiveMinimum=0", "exclusiveMinimum=0", "a bound is itself an allowed value: write min= with the smallest or largest allowed value"},
		{"int | gt=0", "gt=0", "a bound is itself an allowed value: write min= with the smallest or largest allowed value"},
		{"int | gte=0,lte=5", "gte=0,lte=5", `write "min=0 | max=5"`},
		{"string | default=a, min=1", "default=a, min=1", `write "default=a | min=1"`},
		{"string | enum=a,b,default=a", "enum=a,b,default=a", `write "enum=a,b | default=a"`},
		{"int | optional=true", "optional=true", `write "optional"`},
		{"int | optional=false", "optional=false", required},
		{"int | Optional", "Optional", `write "optional"`},
		{"int | nullable", "nullable", `write "optional"`},
		{"int | required=true", "required=true", required},
		{"int | required: true", "required: true", required},
		{"int | required=false", "required=false", `write "optional"`},
		{"int | requird", "requird", required},
		{"int | optoinal", "optoinal", `write "optional"`},
		{"int | range=1..10", "range=1..10", `min= and max= limit numbers and the length of strings and lists: write "min=1 | max=10"`},
		{"int | range=[1, 10]", "range=[1, 10]", `min= and max= limit numbers and the length of strings and lists: write "min=1 | max=10"`},
		{"string | len=5", "len=5", `min= and max= limit numbers and the length of strings and lists: write "min=5 | max=5"`},
		{"string | oneof=a b", "oneof=a b", `write "enum=a,b"`},
		{"string | enum: a, b", "enum: a, b", `write "enum=a,b"`},
		{"int | default: 5", "default: 5", `write "default=5"`},
		{"int | default 5", "default 5", `write "default=5"`},
		{"int | defualt=5", "defualt=5", `write "default=5"`},
		{"string | enum=a|b|c", "enum=a", `write "enum=a,b,c"`},
		{"string | pattern=^a", "pattern=^a", `notes have no such option, but struct tags do: make the argument a struct whose field has the tag jsonschema:"pattern=^a"; ` + options + "(pattern=^a)"},
		{"string | type=text", "type=text", options + "(type=text)"},
		{"str | None", "None", `write "str?": the question mark makes a value optional`},
		{"str | max=3 | null | the name", "null", `write "str?": the question mark makes a value optional`},
		{"None | str", "str", `write "str?": the question mark makes a value optional`},
		{"int | float", "float", `a note has one type: write "any" for a value of several types, or put a description in parentheses: (float)`},
		{"Record<string, number> (scores)", "Record<string, number> (scores)", `write "dict[string, number] (scores)"; if it is prose, begin it with another word`},
		{"dict | omit=true", "omit=true", `write "omit"`},
		{"dict | ref=false", "ref=false", "delete it"},
		{"dict | Text=yes", "Text=yes", options + "(Text=yes)"},
		{"dict | only", "only", `write the fields to keep: "only=id,name"`},
		{"dict | Omit", "Omit", `write "omit"`},
		{"dict | olny=a,b", "olny=a,b", `write "only=a,b"`},
		{"dict | exclude=a", "exclude=a", `write "omit=a"`},
		{"dict | fields: a,b", "fields: a,b", `write "only=a,b"`},
		{"The user | requird", "requird", required},
	} {
		want := "warning at " + test.at + ": " + test.help
		if got := warnings(t, test.note); len(got) != 1 || got[0] != want {
			t.Errorf("%q\n got %s\nwant %s", test.note, strings.Join(got, "\n     "), want)
		}
	}
	if got := warnings(t, "string - status | requird"); len(got) != 2 {
		t.Errorf("a slip in the type and an unknown option: %q", got)
	}
}

// TestHonestNotes checks that notes with the intended meaning cause no warnings.
func TestHonestNotes(t *testing.T) {
	for _, note := range []string{
		"The user to notify", "the user to notify", "its number", "number of rows to return", "list the user sees", "list of numbers to add", "string user id",
		"number of strings in it", "list of users", "list of objects", "object identifier", "any user", "none of them: all", "null value", "Integer limit", "Number: its value",
		"string, int or bool", "number, street and city", "list, separated by commas", "**Deprecated** since May", "*Deprecated; do not use.*",
		"str | default=a, b", "str | default=color=red, size=5", "str | default='a, min=1'", "str | enum=required,optional,open",
		"string (required)", "string (default: 5)", "string (pattern=^a)", "int (at least 1, at most 5)",
		"str | Email", "str | default", "int | max", "int | min", "str | national", "str | optical", "str | pen", "str | options", "str | format: YYYY-MM-DD",
		"str | default: whoever asks", "str | example: a b", "str | how many rows", "str | x == y", "str | a = b", "str | its size", "str | size: large", "int | 1 high .. 5 low",
		"str | required by law", "str | only when it is known", "str | Text", "str | ref: see there", "str | text of it", "str | open the door", "str | optional: see the manual", "str | enum=a | Email", "str|enum=a,b|Email", "str | note: it is the user's",
	} {
		if got := warnings(t, note); got != nil {
			t.Errorf("%q: %s", note, got)
		}
	}
}
