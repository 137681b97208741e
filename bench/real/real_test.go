package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestAble tells tools that could be offered without a scope from others.
func TestAble(t *testing.T) {
	const file = `{"type":"object","properties":{"ref":{"type":"string"}}}`
	for _, test := range []struct {
		what, tool string
		want       bool
	}{
		{"no result", `{"output":{"type":"null"}}`, true},
		{"text", `{"output":{"type":"string"}}`, true},
		{"any value", `{"output":{}}`, true},
		{"the scope itself", `{"output":{"type":"string"},"variables":{"scope":true}}`, false},
		{"an argument by reference", `{"output":{"type":"string"},"arguments":[{"name":"a/b","required":true}],"variables":{"arguments":{"/a~1b":"io.Reader"}}}`, false},
		{"one that can be left out", `{"output":{"type":"string"},"arguments":[{"name":"r"}],"variables":{"arguments":{"/r":"io.Reader"}}}`, true},
		{"a reference", `{"output":` + file + `,"variables":{"result":{"":"*os.File"}}}`, false},
		{"a reference or null", `{"output":{"anyOf":[` + file + `,{"type":"null"}]},"variables":{"result":{"":"*os.File"}}}`, false},
		{"text and a reference", `{"output":{"type":"object","properties":{"f":` + file + `,"name":{"type":"string"}}},"variables":{"result":{"/f":"*os.File"}}}`, true},
		{"references alone", `{"output":{"type":"object","properties":{"f":{"type":"array","items":` + file + `}}},"variables":{"result":{"/f/*":"*os.File"}}}`, false},
		{"a map of references", `{"output":{"type":"object","additionalProperties":` + file + `},"variables":{"result":{"/*":"*os.File"}}}`, false},
		{"a map", `{"output":{"type":"object","additionalProperties":{"type":"integer"}}}`, true},
		{"an object without members", `{"output":{"type":"object","properties":{},"additionalProperties":false}}`, false},
		{"an object that is null", `{"output":{"anyOf":[{"type":"object","properties":{}},{"type":"null"}]}}`, false},
		{"a list of itself", `{"output":{"$ref":"#/$defs/T","$defs":{"T":{"type":"array","items":{"$ref":"#/$defs/T"}}}}}`, false},
		{"a definition", `{"output":{"$ref":"#/$defs/T","$defs":{"T":{"type":"string"}}}}`, true},
	} {
		var tool listed
		if err := json.Unmarshal([]byte(test.tool), &tool); err != nil {
			t.Fatal(err)
		}
		if got := tool.able(); got != test.want {
			t.Errorf("%s: %v", test.what, got)
		}
	}
}

// TestPick picks the same functions whatever else there is, and those that act first.
func TestPick(t *testing.T) {
	var all []function
	for a := range 26 {
		for b := range 26 {
			all = append(all, function{name: string(rune('A'+a)) + string(rune('a'+b))})
		}
	}
	picked := pick(all)
	if len(picked) != some || !slices.IsSorted(picked) {
		t.Errorf("it picks %d: %v", len(picked), picked)
	}
	rest := slices.DeleteFunc(slices.Clone(all), func(f function) bool { return !slices.Contains(picked, f.name) && hash(f.name)%2 == 0 })
	if again := pick(rest); !slices.Equal(again, picked) {
		t.Errorf("of fewer functions it picks others: %v", again)
	}
	if few := pick(all[:atMost]); len(few) != atMost {
		t.Errorf("of %d functions it picks %d", atMost, len(few))
	}
	for i := range 10 {
		all[i].acts = true
		if picked := pick(all); !slices.Contains(picked, all[i].name) {
			t.Errorf("it does not pick %s", all[i].name)
		}
	}
}

// TestChoose reads the list of packages.
func TestChoose(t *testing.T) {
	all, err := choose(nil)
	if err != nil || len(all) < 20 {
		t.Errorf("there are %d packages: %v", len(all), err)
	}
	if two, err := choose([]string{"cron", "strings"}); err != nil || len(two) != 2 || two[1].module != "std" {
		t.Errorf("cron and strings are %v: %v", two, err)
	}
	if _, err := choose([]string{"corn"}); err == nil {
		t.Error("there is a package corn")
	}
}

// TestReport says loudly what could not be had, and what fails.
func TestReport(t *testing.T) {
	good := &outcome{subject: subject{name: "good"}, all: 3, tried: 3, bound: make([]listed, 2), offered: 1, able: 2, offeredAble: 1,
		hiding: map[string]int{"io.Reader": 1}, refusals: []refusal{{"F", "unfit-function", "no"}}}
	bad := &outcome{subject: subject{name: "bad"}, failures: []*failure{{"vet", "copies a lock\n"}}}
	gone := &outcome{subject: subject{name: "gone", module: "example.com/gone", version: "v1.0.0"}, missing: "no"}
	for _, test := range []struct {
		outcomes []*outcome
		ok       bool
		want     []string
	}{
		{[]*outcome{good}, true, []string{"| good | 3 | 3 | 2 | 1 | none |", "Offered of bound: 1 of 2 (50.0 %)", "good: F: no [unfit-function]", "good: io.Reader 1"}},
		{[]*outcome{good, bad}, false, []string{"| vet |", "in 1 of 2 packages", "bad: vet: copies a lock"}},
		{[]*outcome{good, gone}, false, []string{"**could not be had**", "gone: example.com/gone v1.0.0"}},
	} {
		var out strings.Builder
		if ok := report(&out, test.outcomes); ok != test.ok {
			t.Errorf("all is well: %v\n%s", ok, &out)
		}
		for _, want := range test.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("it lacks %q:\n%s", want, &out)
			}
		}
	}
}
