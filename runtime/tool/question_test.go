package tool_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
)

const trip = `{"type":"object","properties":{
	"city":{"type":"string","title":"City","description":"where to","enum":["Rome","Oslo"],"enumNames":["Roma","Oslo"]},
	"nights":{"type":"integer","minimum":1,"default":2},
	"with":{"type":"array","items":{"type":"string","anyOf":[{"const":"dog","title":"Dog"},{"const":"cat"}]}},
	"mail":{"type":"string","format":"email"},
	"sure":{"type":"boolean"}
},"required":["city"]}`

func ExampleAskPerson() {
	q := tool.AskPerson("Where do you want to go?", json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`))
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

// TestFields checks the fields that a person is asked for, in the order of the schema.
func TestFields(t *testing.T) {
	fields, err := tool.AskPerson("?", json.RawMessage(trip)).Fields()
	want := []tool.QuestionField{
		{Name: "city", Title: "City", Description: "where to", Type: "string", Choices: []tool.QuestionChoice{{"Rome", "Roma"}, {"Oslo", "Oslo"}}, Required: true},
		{Name: "nights", Type: "integer", Default: json.RawMessage("2")},
		{Name: "with", Type: "array", Choices: []tool.QuestionChoice{{"dog", "Dog"}, {Value: "cat"}}},
		{Name: "mail", Type: "string", Format: "email"},
		{Name: "sure", Type: "boolean"},
	}
	if err != nil || !reflect.DeepEqual(fields, want) {
		t.Errorf("got %+v, %v", fields, err)
	}
	if fields, err := tool.AskPerson("?", nil).Fields(); err != nil || fields != nil {
		t.Errorf("got %+v, %v", fields, err)
	}
}

// TestValidate checks which questions are valid, and the errors of the others.
func TestValidate(t *testing.T) {
	person := func(schema string) tool.Question { return tool.AskPerson("?", json.RawMessage(schema)) }
	for _, q := range []tool.Question{person(""), person(trip), tool.AskVisit("Log in.", "https://x/y"), tool.AskModel("Say hello.", 1), tool.AskRoots(), tool.AskRoots().WithName("user-Roots_2")} {
		if err := q.Validate(); err != nil {
			t.Errorf("%v: %v", q, err)
		}
	}
	for _, test := range []struct {
		q    tool.Question
		want string
	}{
		{tool.AskPerson("", nil), "it has no text"},
		{tool.Question{Kind: "pet", Text: "?"}, `unknown kind of question "pet": use AskPerson, AskVisit, AskModel or AskRoots`},
		{tool.Question{Text: "?"}, `unknown kind of question "": use AskPerson, AskVisit, AskModel or AskRoots`},
		{tool.AskPerson(strings.Repeat("x", 70_000), nil), "it is 70000 bytes long, the limit is 65536"},
		{tool.AskVisit("Log in.", "/login"), `"/login" is not an absolute URL`},
		{tool.AskVisit("Log in.", "javascript:alert(1)"), `"javascript:alert(1)" is not an absolute URL`},
		{tool.AskRoots().WithName("a b"), `invalid name "a b": use up to 64 letters, digits, - and _`},
		{tool.AskRoots().WithName(strings.Repeat("x", 65)), `invalid name "` + strings.Repeat("x", 65) + `": use up to 64 letters, digits, - and _`},
		{tool.AskModel("Say hello.", 0), "the limit of the answer is 0 tokens, want at least 1"},
		{person(`{`), "its schema cannot be used: "},
		{person(`{"type":"string"}`), `its schema must describe an object: {"type":"object","properties":{…}}`},
		{person(`true`), `its schema must describe an object: {"type":"object","properties":{…}}`},
		{person(`{"type":"object","properties":{"a/b":{"type":"object"}}}`), `its schema: /properties/a~1b: a person can be asked for a string, a number, an integer, a boolean or a list of choices: set "type"`},
		{person(`{"type":"object","properties":{"a":true}}`), `its schema: /properties/a: a person can be asked for a string, a number, an integer, a boolean or a list of choices: set "type"`},
		{person(`{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}}}}`), `its schema: /properties/a: a list must have choices: {"type":"array","items":{"type":"string","enum":["a","b"]}}`},
		{person(`{"type":"object","properties":{"a":{"type":"array"}}}`), `its schema: /properties/a: a list must have choices: {"type":"array","items":{"type":"string","enum":["a","b"]}}`},
		{person(`{"type":"object","required":["b"]}`), `its schema requires "b", which is not a property`},
		{person(`{"type":"object","required":["b","c"]}`), `its schema requires 2 names that are not properties`},
	} {
		if err := test.q.Validate(); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
	var many strings.Builder
	for i := range 101 {
		fmt.Fprintf(&many, `,"p%d":{"type":"string"}`, i)
	}
	if err := person(`{"type":"object","properties":{` + many.String()[1:] + `}}`).Validate(); err == nil || err.Error() != "its schema has 101 properties, the limit is 100" {
		t.Error(err)
	}
}

// TestQuestionCheck checks which answers are valid for a question, and the errors of the others.
func TestQuestionCheck(t *testing.T) {
	yes, where, model := tool.AskPerson("Sure?", nil), tool.AskPerson("Where?", json.RawMessage(trip)), tool.AskModel("Say hello.", 10)
	value := func(q tool.Question, text string) tool.Answer { return q.Accept(json.RawMessage(text)) }
	for _, test := range []struct {
		q    tool.Question
		a    tool.Answer
		want string
	}{
		{yes, yes.Accept(nil), ""},
		{yes, value(yes, `{}`), ""},
		{yes, yes.Decline(), ""},
		{where, where.Cancel(), ""},
		{where, value(where, `{"city":"Rome","nights":3,"with":["dog"]}`), ""},
		{where, value(where, `{"city":"Bonn","nights":"3"}`), `/city: expected one of "Rome", "Oslo" (strings), found the string "Bonn"; /nights: expected an integer, found the string "3"`},
		{where, value(where, ``), "its value is not JSON: "},
		{where, value(where, `{"city":`), "its value is not JSON: "},
		{where, value(where, `{"mail":"`+strings.Repeat("x", 1<<20)+`"}`), "it is 1048587 bytes long, the limit is 1048576"},
		{where, value(where, strings.Repeat("[", 100)+strings.Repeat("]", 100)), "its value is not JSON: "},
		{where, yes.Accept(nil), "it answers another question"},
		{yes, tool.Answer{QuestionKey: yes.Key(), Action: "maybe"}, `expected accept, decline or cancel, found "maybe"`},
		{model, value(model, `"hello"`), ""},
		{model, value(model, `7`), "expected a string, found the number 7"},
		{tool.AskRoots(), value(tool.AskRoots(), `[{"uri":"file:///a","name":"a"},{"uri":"file:///b"}]`), ""},
		{tool.AskRoots(), value(tool.AskRoots(), `[{"name":"a"}]`), "/0/uri: expected a value, found nothing"},
		{tool.AskVisit("Pay.", "https://x"), tool.AskVisit("Pay.", "https://x").Accept(nil), ""},
	} {
		err := test.q.Check(test.a)
		if (err != nil) != (test.want != "") || err != nil && !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%v %+v: got %v, want %q", test.q, test.a.Action, err, test.want)
		}
	}
}

// TestInto checks that a value is decoded, and that a missing one is an error.
func TestInto(t *testing.T) {
	q := tool.AskModel("Say hello.", 10)
	var text string
	if err := q.Accept(json.RawMessage(`"hello"`)).Into(&text); err != nil || text != "hello" {
		t.Errorf("got %q, %v", text, err)
	}
	if err := q.Cancel().Into(&text); err == nil || err.Error() != "the answer has no value, because its action is cancel" {
		t.Error(err)
	}
	if err := tool.AskPerson("Sure?", nil).Accept(nil).Into(&text); err == nil || err.Error() != "the answer is yes, and has no value" {
		t.Error(err)
	}
}

// TestKey checks that a question has the same key everywhere, and that different questions have
// different keys.
func TestKey(t *testing.T) {
	seen := map[string]tool.Question{}
	for _, q := range []tool.Question{
		tool.AskPerson("a", nil), tool.AskPerson("b", nil), tool.AskPerson("a", json.RawMessage(trip)), tool.AskVisit("a", "https://x"), tool.AskVisit("a", "https://y"),
		tool.AskModel("a", 1), tool.AskModel("a", 2), tool.AskRoots(), tool.AskRoots().WithName("a"), tool.AskRoots().WithName("b"), {},
	} {
		key := q.Key()
		if other, taken := seen[key]; taken {
			t.Errorf("%v and %v have the key %s", q, other, key)
		}
		seen[key] = q
		text, err := json.Marshal(q)
		var back tool.Question
		if err == nil {
			err = json.Unmarshal(text, &back)
		}
		if err != nil || back.Key() != key {
			t.Errorf("%s has the key %s, want %s: %v", text, back.Key(), key, err)
		}
	}
	a := tool.AskPerson("a", nil).Accept(json.RawMessage(`{"x":1}`))
	text, err := json.Marshal(a)
	var back tool.Answer
	if err == nil {
		err = json.Unmarshal(text, &back)
	}
	if err != nil || !reflect.DeepEqual(back, a) {
		t.Errorf("%s: got %+v, %v", text, back, err)
	}
}

// TestString checks that a question is shown completely.
func TestString(t *testing.T) {
	text, url := strings.Repeat("Sure? ", 500), "https://x/"+strings.Repeat("y", 2000)
	if got := tool.AskVisit(text, url).String(); got != text+" ("+url+")" {
		t.Error(got)
	}
	if got := tool.AskPerson(text, nil).String(); got != text {
		t.Error(got)
	}
}

func ExampleQuestion_Fields() {
	q := tool.AskPerson("Book?", json.RawMessage(`{"type":"object","properties":{"room":{"type":"string","enum":["single","double"]}},"required":["room"]}`))
	fields, err := q.Fields()
	for _, f := range fields {
		fmt.Println(f.Name, f.Type, f.Choices, f.Required, err)
	}
	// Output:
	// room string [{single } {double }] true <nil>
}
