package ask_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/ask"
)

const trip = `{"type":"object","properties":{
	"city":{"type":"string","title":"City","description":"where to","enum":["Rome","Oslo"],"enumNames":["Roma","Oslo"]},
	"nights":{"type":"integer","minimum":1,"default":2},
	"with":{"type":"array","items":{"type":"string","anyOf":[{"const":"dog","title":"Dog"},{"const":"cat"}]}},
	"mail":{"type":"string","format":"email"},
	"sure":{"type":"boolean"}
},"required":["city"]}`

func Example() {
	q := ask.Person("Where do you want to go?", json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`))
	for _, value := range []string{`{"town":"Rome"}`, `{"city":"Rome"}`} {
		a := q.Accept(json.RawMessage(value))
		if err := q.Check(a); err != nil {
			fmt.Println(err)
			continue
		}
		var to struct{ City string }
		fmt.Println(a.Accepted(), a.Into(&to), to.City)
	}
	fmt.Println(q.Decline().Accepted())
	// Output:
	// /city: expected a value, found nothing
	// true <nil> Rome
	// false
}

// TestFields: what a person is asked for, in the order of the schema.
func TestFields(t *testing.T) {
	fields, err := ask.Person("?", json.RawMessage(trip)).Fields()
	want := []ask.Field{
		{Name: "city", Title: "City", Description: "where to", Type: "string", Choices: []ask.Choice{{"Rome", "Roma"}, {"Oslo", "Oslo"}}, Required: true},
		{Name: "nights", Type: "integer", Default: json.RawMessage("2")},
		{Name: "with", Type: "array", Choices: []ask.Choice{{"dog", "Dog"}, {Value: "cat"}}},
		{Name: "mail", Type: "string", Format: "email"},
		{Name: "sure", Type: "boolean"},
	}
	if err != nil || !reflect.DeepEqual(fields, want) {
		t.Errorf("got %+v, %v", fields, err)
	}
	if fields, err := ask.Person("?", nil).Fields(); err != nil || fields != nil {
		t.Errorf("got %+v, %v", fields, err)
	}
}

// TestValidate: what can be asked, and in words why something cannot.
func TestValidate(t *testing.T) {
	person := func(schema string) ask.Question { return ask.Person("?", json.RawMessage(schema)) }
	for _, q := range []ask.Question{person(""), person(trip), ask.Visit("Log in.", "https://x/y"), ask.Model("Say hello.", 1), ask.Roots(), ask.Roots().As("user-Roots_2")} {
		if err := q.Validate(); err != nil {
			t.Errorf("%v: %v", q, err)
		}
	}
	for _, test := range []struct {
		q    ask.Question
		want string
	}{
		{ask.Person("", nil), "it has no text"},
		{ask.Question{Kind: "pet", Text: "?"}, `there is no kind of question "pet": one is made by Person, Visit, Model or Roots`},
		{ask.Question{Text: "?"}, `there is no kind of question "": one is made by Person, Visit, Model or Roots`},
		{ask.Person(strings.Repeat("x", 70_000), nil), "it is 70000 bytes long, and may be 65536"},
		{ask.Visit("Log in.", "/login"), `"/login" is no absolute URL`},
		{ask.Visit("Log in.", "javascript:alert(1)"), `"javascript:alert(1)" is no absolute URL`},
		{ask.Roots().As("a b"), `"a b" is no name: write up to 64 letters, digits, - and _`},
		{ask.Roots().As(strings.Repeat("x", 65)), `"` + strings.Repeat("x", 65) + `" is no name: write up to 64 letters, digits, - and _`},
		{ask.Model("Say hello.", 0), "the answer may have 0 tokens: let it have at least one"},
		{person(`{`), "its schema cannot be used: "},
		{person(`{"type":"string"}`), `its schema must be of an object: {"type":"object","properties":{…}}`},
		{person(`true`), `its schema must be of an object: {"type":"object","properties":{…}}`},
		{person(`{"type":"object","properties":{"a/b":{"type":"object"}}}`), `its schema: /properties/a~1b: a person can be asked for a string, a number, an integer, a boolean or a list of choices: say so by "type"`},
		{person(`{"type":"object","properties":{"a":true}}`), `its schema: /properties/a: a person can be asked for a string, a number, an integer, a boolean or a list of choices: say so by "type"`},
		{person(`{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}}}}`), `its schema: /properties/a: a list must be of choices: {"type":"array","items":{"type":"string","enum":["a","b"]}}`},
		{person(`{"type":"object","properties":{"a":{"type":"array"}}}`), `its schema: /properties/a: a list must be of choices: {"type":"array","items":{"type":"string","enum":["a","b"]}}`},
		{person(`{"type":"object","required":["b"]}`), `its schema requires "b", which is no property`},
		{person(`{"type":"object","required":["b","c"]}`), `its schema requires 2 names that are no properties`},
	} {
		if err := test.q.Validate(); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
	var many strings.Builder
	for i := range 101 {
		fmt.Fprintf(&many, `,"p%d":{"type":"string"}`, i)
	}
	if err := person(`{"type":"object","properties":{` + many.String()[1:] + `}}`).Validate(); err == nil || err.Error() != "its schema has 101 properties, and may have 100" {
		t.Error(err)
	}
}

// TestCheck: which answers answer a question, and in words why others do not.
func TestCheck(t *testing.T) {
	yes, where, model := ask.Person("Sure?", nil), ask.Person("Where?", json.RawMessage(trip)), ask.Model("Say hello.", 10)
	value := func(q ask.Question, text string) ask.Answer { return q.Accept(json.RawMessage(text)) }
	for _, test := range []struct {
		q    ask.Question
		a    ask.Answer
		want string
	}{
		{yes, yes.Accept(nil), ""},
		{yes, value(yes, `{}`), ""},
		{yes, yes.Decline(), ""},
		{where, where.Cancel(), ""},
		{where, value(where, `{"city":"Rome","nights":3,"with":["dog"]}`), ""},
		{where, value(where, `{"city":"Bonn","nights":"3"}`), `/city: expected one of "Rome", "Oslo" (strings), found the string "Bonn"; /nights: expected an integer, found the string "3"`},
		{where, value(where, ``), "its value is no JSON: "},
		{where, value(where, `{"city":`), "its value is no JSON: "},
		{where, value(where, `{"mail":"`+strings.Repeat("x", 1<<20)+`"}`), "it is 1048587 bytes long, and may be 1048576"},
		{where, value(where, strings.Repeat("[", 100)+strings.Repeat("]", 100)), "its value is no JSON: "},
		{where, yes.Accept(nil), "it answers another question"},
		{yes, ask.Answer{Of: yes.Key(), Action: "maybe"}, `expected accept, decline or cancel, found "maybe"`},
		{model, value(model, `"hello"`), ""},
		{model, value(model, `7`), "expected a string, found the number 7"},
		{ask.Roots(), value(ask.Roots(), `[{"uri":"file:///a","name":"a"},{"uri":"file:///b"}]`), ""},
		{ask.Roots(), value(ask.Roots(), `[{"name":"a"}]`), "/0/uri: expected a value, found nothing"},
		{ask.Visit("Pay.", "https://x"), ask.Visit("Pay.", "https://x").Accept(nil), ""},
	} {
		err := test.q.Check(test.a)
		if (err != nil) != (test.want != "") || err != nil && !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%v %+v: got %v, want %q", test.q, test.a.Action, err, test.want)
		}
	}
}

// TestInto: a value is read, and what has none says so.
func TestInto(t *testing.T) {
	q := ask.Model("Say hello.", 10)
	var text string
	if err := q.Accept(json.RawMessage(`"hello"`)).Into(&text); err != nil || text != "hello" {
		t.Errorf("got %q, %v", text, err)
	}
	if err := q.Cancel().Into(&text); err == nil || err.Error() != "there is no answer: cancel was all that came" {
		t.Error(err)
	}
	if err := ask.Person("Sure?", nil).Accept(nil).Into(&text); err == nil || err.Error() != "the answer is yes, and has no value" {
		t.Error(err)
	}
}

// TestKey: a question has the same key wherever it has been, and others have another.
func TestKey(t *testing.T) {
	seen := map[string]ask.Question{}
	for _, q := range []ask.Question{
		ask.Person("a", nil), ask.Person("b", nil), ask.Person("a", json.RawMessage(trip)), ask.Visit("a", "https://x"), ask.Visit("a", "https://y"),
		ask.Model("a", 1), ask.Model("a", 2), ask.Roots(), ask.Roots().As("a"), ask.Roots().As("b"), {},
	} {
		key := q.Key()
		if other, taken := seen[key]; taken {
			t.Errorf("%v and %v have the key %s", q, other, key)
		}
		seen[key] = q
		text, err := json.Marshal(q)
		var back ask.Question
		if err == nil {
			err = json.Unmarshal(text, &back)
		}
		if err != nil || back.Key() != key {
			t.Errorf("%s has the key %s, want %s: %v", text, back.Key(), key, err)
		}
	}
	a := ask.Person("a", nil).Accept(json.RawMessage(`{"x":1}`))
	text, err := json.Marshal(a)
	var back ask.Answer
	if err == nil {
		err = json.Unmarshal(text, &back)
	}
	if err != nil || !reflect.DeepEqual(back, a) {
		t.Errorf("%s: got %+v, %v", text, back, err)
	}
}

// TestString: a question is shown whole.
func TestString(t *testing.T) {
	text, url := strings.Repeat("Sure? ", 500), "https://x/"+strings.Repeat("y", 2000)
	if got := ask.Visit(text, url).String(); got != text+" ("+url+")" {
		t.Error(got)
	}
	if got := ask.Person(text, nil).String(); got != text {
		t.Error(got)
	}
}

func ExampleQuestion_Fields() {
	q := ask.Person("Book?", json.RawMessage(`{"type":"object","properties":{"room":{"type":"string","enum":["single","double"]}},"required":["room"]}`))
	fields, err := q.Fields()
	for _, f := range fields {
		fmt.Println(f.Name, f.Type, f.Choices, f.Required, err)
	}
	// Output:
	// room string [{single } {double }] true <nil>
}
