package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/tool"
)

// What is asked, by the names that the scenarios know.
var (
	name = ask.Person("What is your name?", json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`)).As("user_name")

	colour = ask.Person("What is your favorite color?", json.RawMessage(`{"type":"object","properties":{"color":{"type":"string"}},"required":["color"]}`)).As("step2")

	confirm = ask.Person("Please confirm", json.RawMessage(`{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}`)).As("confirm")

	defaults = ask.Person("Is all that right?", json.RawMessage(`{"type":"object","properties":{
		"name":{"type":"string","default":"John Doe"},
		"age":{"type":"integer","default":30},
		"score":{"type":"number","default":95.5},
		"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},
		"verified":{"type":"boolean","default":true}}}`))

	choices = ask.Person("Which of them?", json.RawMessage(`{"type":"object","properties":{
		"untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
		"titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},
		"legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["Option One","Option Two","Option Three"]},
		"untitledMulti":{"type":"array","items":{"type":"string","enum":["option1","option2","option3"]}},
		"titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},{"const":"value2","title":"Second Choice"},{"const":"value3","title":"Third Choice"}]}}}}`))

	capital  = ask.Model("What is the capital of France?", 100).As("capital_question")
	greeting = ask.Model("Generate a greeting", 50).As("greeting")
	roots    = ask.Roots().As("client_roots")
)

// asked asks one question and returns the answer in words.
func asked(ctx context.Context, x *tool.Exchange, q ask.Question) (string, error) {
	answers, err := x.Ask(ctx, q)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %s", answers[0].Action, answers[0].Value), nil
}

// Complete asks the client's model.
func Complete(ctx context.Context, x *tool.Exchange, prompt string) (string, error) {
	text, err := asked(ctx, x, ask.Model(prompt, 100))
	return "LLM response: " + text, err
}

// Elicit asks a person for a name and an address.
func Elicit(ctx context.Context, x *tool.Exchange, message string) (string, error) {
	return asked(ctx, x, ask.Person(message, json.RawMessage(`{"type":"object","properties":{
		"username":{"type":"string","description":"User's response"},
		"email":{"type":"string","description":"User's email address"}},"required":["username","email"]}`)))
}

// Defaults asks a person with an answer to each field.
func Defaults(ctx context.Context, x *tool.Exchange) (string, error) { return asked(ctx, x, defaults) }

// Choices asks a person to choose.
func Choices(ctx context.Context, x *tool.Exchange) (string, error) { return asked(ctx, x, choices) }

// Capital asks the client's model.
func Capital(ctx context.Context, x *tool.Exchange) (string, error) { return asked(ctx, x, capital) }

// Confirm asks a person whether to go on.
func Confirm(ctx context.Context, x *tool.Exchange) (string, error) {
	text, err := asked(ctx, x, confirm)
	return "state-ok: " + text, err
}

// Name asks a person for a name.
func Name(ctx context.Context, x *tool.Exchange) (string, error) {
	answers, err := x.Ask(ctx, name)
	if err != nil {
		return "", err
	}
	return greet(answers[0])
}

// greet greets who gave a name.
func greet(a ask.Answer) (string, error) {
	if !a.Accepted() {
		return "Hello!", nil
	}
	var who struct{ Name string }
	err := a.Into(&who)
	return "Hello, " + who.Name + "!", err
}

// Roots lists the folders that are open.
func Roots(ctx context.Context, x *tool.Exchange) (open []ask.Root, err error) {
	answers, err := x.Ask(ctx, roots)
	if err != nil {
		return nil, err
	}
	err = answers[0].Into(&open)
	return open, err
}

// Together asks a person, the model and for the folders at once.
func Together(ctx context.Context, x *tool.Exchange) (string, error) {
	answers, err := x.Ask(ctx, name, greeting, roots)
	if err != nil {
		return "", err
	}
	return greet(answers[0])
}

// Rounds asks a person twice.
func Rounds(ctx context.Context, x *tool.Exchange) (string, error) {
	first, err := x.Ask(ctx, name)
	if err != nil {
		return "", err
	}
	second, err := x.Ask(ctx, colour)
	if err != nil {
		return "", err
	}
	hello, err := greet(first[0])
	return fmt.Sprintf("%s %s", hello, second[0].Value), err
}

// Whoever asks a person or, where none can be asked, the model.
func Whoever(ctx context.Context, x *tool.Exchange) (string, error) {
	hello, err := Name(ctx, x)
	if nobody := (*tool.AskError)(nil); errors.As(err, &nobody) && nobody.Nobody {
		return asked(ctx, x, greeting)
	}
	return hello, err
}
