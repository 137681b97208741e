package jsonschema_test

import (
	"encoding/json"
	"fmt"
	"log"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// A list that is too long loses its end.
func ExampleTruncate() {
	cut, lost, err := jsonschema.Truncate(`{"names":["Ada","Grace","Linus","Margaret"],"total":4}`, nil, 40)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(cut)
	fmt.Println(lost)
	// Output:
	// {"names":["Ada","Grace"],"total":4}
	// /names has the first 2 of 4 elements
}

func TestFit(t *testing.T) {
	long := strings.Repeat("ä", 1000)
	for name, tt := range map[string]struct {
		value, schema string
		limit         int
		want, lost    string // an error if want is ""
	}{
		"fits":             {`[1,2,3]`, ``, 7, `[1,2,3]`, ""},
		"list":             {`[1,2,3]`, ``, 6, `[1,2]`, "it has the first 2 of 3 elements"},
		"nothing stays":    {`[100,200]`, ``, 2, `[]`, "it has the first 0 of 2 elements"},
		"too small":        {`[1,2,3]`, ``, 1, ``, "it has 7 bytes and cannot be cut to 1"},
		"text":             {`"abcdefghij"`, ``, 10, `"abcde…"`, `texts that end in "…" are cut`},
		"characters":       {`"` + long + `"`, ``, 100, `"` + strings.Repeat("ä", 47) + `…"`, `texts that end in "…" are cut`},
		"escapes":          {`"\n\n\n\n\n\n"`, ``, 9, `"\n\n…"`, `texts that end in "…" are cut`},
		"texts first":      {`["` + long + `","` + long + `"]`, ``, 1000, `["` + strings.Repeat("ä", 246) + `…","` + strings.Repeat("ä", 246) + `…"]`, `texts that end in "…" are cut`},
		"then lists":       {`["` + long + `","` + long + `"]`, ``, 700, `["` + strings.Repeat("ä", 346) + `…"]`, `it has the first 1 of 2 elements; texts that end in "…" are cut`},
		"all lists alike":  {`{"a":[1,2,3,4],"b":[[5],[6],[7]]}`, ``, 26, `{"a":[1,2],"b":[[5],[6]]}`, "/a has the first 2 of 4 elements; /b has the first 2 of 3 elements"},
		"no list to cut":   {`{"a":123456789}`, ``, 10, ``, "it has 15 bytes and cannot be cut to 10"},
		"least elements":   {`[1,2,3]`, `{"minItems":2}`, 3, ``, "it has 7 bytes and cannot be cut to 3"},
		"as many":          {`[1,2,3]`, `{"minItems":2}`, 5, `[1,2]`, "it has the first 2 of 3 elements"},
		"fixed list":       {`{"a":[1,2],"b":[3,4,5]}`, `{"properties":{"a":{"minItems":2}}}`, 19, `{"a":[1,2],"b":[3]}`, "/b has the first 1 of 3 elements"},
		"least characters": {`"abcdefgh"`, `{"minLength":5}`, 9, `"abcd…"`, `texts that end in "…" are cut`},
		"format":           {`{"a":"2026-01-02","b":"abcdefghij"}`, `{"properties":{"a":{"format":"date"}}}`, 33, `{"a":"2026-01-02","b":"abcde…"}`, `texts that end in "…" are cut`},
		"pattern":          {`{"ref":"<<var:x_1>>"}`, `{"properties":{"ref":{"pattern":"^<<"}}}`, 15, ``, "it has 21 bytes and cannot be cut to 15"},
		"base64":           {`"QUJDREVG"`, `{"contentEncoding":"base64"}`, 8, ``, "it has 10 bytes and cannot be cut to 8"},
		"enum":             {`["monday","tuesday"]`, `{"items":{"enum":["monday","tuesday"]}}`, 12, `["monday"]`, "it has the first 1 of 2 elements"},
		"null or list":     {`{"a":[1,2,3]}`, `{"properties":{"a":{"anyOf":[{"type":"array"},{"type":"null"}]}}}`, 10, `{"a":[1]}`, "/a has the first 1 of 3 elements"},
		"reference":        {`["abcdefgh"]`, `{"items":{"$ref":"#/$defs/x"},"$defs":{"x":{"format":"x"}}}`, 8, `[]`, "it has the first 0 of 1 elements"},
		"contains":         {`[1,2,3]`, `{"contains":{"const":3}}`, 5, ``, "it has 7 bytes and cannot be cut to 5"},
		"not":              {`"abcdefgh"`, `{"not":{"const":"abcd…"}}`, 9, ``, "it has 10 bytes and cannot be cut to 9"},
		"what it leaves":   {`{"a":[1,2,3]}`, `{"not":{"properties":{"a":{"maxItems":2}}}}`, 11, ``, "it has 13 bytes and cannot be cut to 11"},
		"dependent":        {`{"a":[1,2,3]}`, `{"dependentSchemas":{"a":{"properties":{"a":{"minItems":3}}}}}`, 11, ``, "its schema does not allow the value after cutting"},
	} {
		var schema *jsonschema.Schema
		if tt.schema != "" {
			var err error
			if schema, err = jsonschema.Parse([]byte(tt.schema)); err != nil {
				t.Fatal(err)
			}
		}
		got, lost, err := jsonschema.Truncate(tt.value, schema, tt.limit)
		if err != nil {
			lost = err.Error()
		}
		if got != tt.want || lost != tt.lost {
			t.Errorf("%s: got\n%s, %s, want\n%s, %s", name, got, lost, tt.want, tt.lost)
		}
	}
}

// TestManyLists checks that only a few of many cut lists are named.
func TestManyLists(t *testing.T) {
	var lists [20][]int
	for i := range lists {
		lists[i] = make([]int, 100)
	}
	text, err := json.Marshal(lists)
	if err != nil {
		t.Fatal(err)
	}
	_, lost, err := jsonschema.Truncate(string(text), nil, 1000)
	if err != nil || strings.Count(lost, "has the first 23 of 100 elements") != 5 || !strings.HasSuffix(lost, "; 15 more lists are cut") {
		t.Errorf("%s %v", lost, err)
	}
}

// FuzzFit checks that the result is short enough and valid if the input was valid, or that there is an
// error.
func FuzzFit(f *testing.F) {
	for _, seed := range []struct {
		value, schema string
		limit         int
	}{
		{`{"items":[{"text":"abc","at":"2026-01-02"},{"text":"déf"}]}`, `{"properties":{"items":{"items":{"properties":{"text":{"minLength":2},"at":{"format":"date"}},"required":["text"]}}}}`, 40},
		{`[[1,2],[3,4],"x"]`, `{"minItems":1,"items":{"anyOf":[{"type":"array","minItems":2},{"type":"string"}]}}`, 12},
		{`"abc\u00e4\ud83d\ude00xyz"`, `{"pattern":"^a"}`, 9},
		{`{"next":{"next":{"names":["a","b"]}}}`, `{"$defs":{"n":{"properties":{"next":{"$ref":"#/$defs/n"},"names":{"uniqueItems":true}}}},"$ref":"#/$defs/n"}`, 33},
		{`[1,2,3,4]`, `{"oneOf":[{"minItems":3},{"maxItems":1}],"unevaluatedItems":false,"prefixItems":[{},{},{},{}]}`, 6},
	} {
		f.Add(seed.value, seed.schema, seed.limit)
	}
	f.Fuzz(func(t *testing.T, value, text string, limit int) {
		schema, err := jsonschema.Parse([]byte(text))
		if err != nil {
			return
		}
		before, err := jsontext.Parse(value, 100)
		if err != nil || schema.Check(before, len(value)) != nil {
			return
		}
		got, lost, err := jsonschema.Truncate(value, schema, limit)
		if err != nil {
			if got != "" || lost != "" {
				t.Errorf("%q %q beside %v", got, lost, err)
			}
			return
		}
		after, err := jsontext.Parse(got, 100)
		switch {
		case err != nil || len(got) > limit || schema.Check(after, len(got)) != nil:
			t.Errorf("%s in %d bytes became %s: %v", value, limit, got, err)
		case (got == value) != (lost == ""):
			t.Logf("%s became %s: %q", value, got, lost) // removing white space is not a loss
		}
	})
}
