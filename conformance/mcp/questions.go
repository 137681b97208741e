package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/aiongen/aiongen/runtime/tool"
)

// The questions, with the names that the scenarios expect.
var (
	name = tool.AskPerson("What is your name?", json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`)).WithName("user_name")

	colorQuestion = tool.AskPerson("What is your favorite color?", json.RawMessage(`{"type":"object","properties":{"color":{"type":"string"}},"required":["color"]}`)).WithName("step2")

	confirm = tool.AskPerson("Please confirm", json.RawMessage(`{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}`)).WithName("confirm")

	defaults = tool.AskPerson("Is all that right?", json.RawMessage(`{"type":"object","properties":{
		"name":{"type":"string","default":"John Doe"},
		"age":{"type":"integer","default":30},
		"score":{"type":"number","default":95.5},
		"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},
		"verified":{"type":"boolean","default":true}}}`))

	choices = tool.AskPerson("Which of them?", json.RawMessage(`{"type":"object","properties":{
		"untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
		"titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},
		"legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["Option One","Option Two","Option Three"]},
		"untitledMulti":{"type":"array","items":{"type":"string","enum":["option1","option2","option3"]}},
		"titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},{"const":"value2","title":"Second Choice"},{"const":"value3","title":"Third Choice"}]}}}}`))

	capital  = tool.AskModel("What is the capital of France?", 100).WithName("capital_question")
	greeting = tool.AskModel("Generate a greeting", 50).WithName("greeting")
	roots    = tool.AskRoots().WithName("client_roots")
)

// askOne asks one question and returns the answer as a text.
func askOne(ctx context.Context, x *tool.Exchange, q tool.Question) (string, error) {
	answers, err := x.Ask(ctx, q)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %s", answers[0].Action, answers[0].Value), nil
}

// Complete asks the client's model to complete a prompt.
func Complete(ctx context.Context, x *tool.Exchange, prompt string) (string, error) {
	text, err := askOne(ctx, x, tool.AskModel(prompt, 100))
	return "LLM response: " + text, err
}

// Elicit asks a person for a name and an address.
func Elicit(ctx context.Context, x *tool.Exchange, message string) (string, error) {
	return askOne(ctx, x, tool.AskPerson(message, json.RawMessage(`{"type":"object","properties":{
		"username":{"type":"string","description":"User's response"},
		"email":{"type":"string","description":"User's email address"}},"required":["username","email"]}`)))
}

// Defaults asks a person for fields that all have defaults.
func Defaults(ctx context.Context, x *tool.Exchange) (string, error) { return askOne(ctx, x, defaults) }

// Choices asks a person to choose, in all supported ways.
func Choices(ctx context.Context, x *tool.Exchange) (string, error) { return askOne(ctx, x, choices) }

// Capital asks the client's model for a capital.
func Capital(ctx context.Context, x *tool.Exchange) (string, error) { return askOne(ctx, x, capital) }

// Confirm asks a person for confirmation.
func Confirm(ctx context.Context, x *tool.Exchange) (string, error) {
	text, err := askOne(ctx, x, confirm)
	return "state-ok: " + text, err
}

// Name asks a person for a name.
func Name(ctx context.Context, x *tool.Exchange) (string, error) {
	answers, err := x.Ask(ctx, name)
	if err != nil {
		return "", err
	}
	return greetPerson(answers[0])
}

// greetPerson greets a person who has given a name.
func greetPerson(a tool.Answer) (string, error) {
	if !a.Accepted() {
		return "Hello!", nil
	}
	var who struct{ Name string }
	err := a.Into(&who)
	return "Hello, " + who.Name + "!", err
}

// Roots lists the client's root folders.
func Roots(ctx context.Context, x *tool.Exchange) (open []tool.Root, err error) {
	answers, err := x.Ask(ctx, roots)
	if err != nil {
		return nil, err
	}
	err = answers[0].Into(&open)
	return open, err
}

// Together asks a person, the model and for the roots at once.
func Together(ctx context.Context, x *tool.Exchange) (string, error) {
	answers, err := x.Ask(ctx, name, greeting, roots)
	if err != nil {
		return "", err
	}
	return greetPerson(answers[0])
}

// Rounds asks a person twice.
func Rounds(ctx context.Context, x *tool.Exchange) (string, error) {
	first, err := x.Ask(ctx, name)
	if err != nil {
		return "", err
	}
	second, err := x.Ask(ctx, colorQuestion)
	if err != nil {
		return "", err
	}
	hello, err := greetPerson(first[0])
	return fmt.Sprintf("%s %s", hello, second[0].Value), err
}

// Whoever asks a person or, if that is not supported, the model.
func Whoever(ctx context.Context, x *tool.Exchange) (string, error) {
	hello, err := Name(ctx, x)
	if nobody := (*tool.AskError)(nil); errors.As(err, &nobody) && nobody.Nobody {
		return askOne(ctx, x, greeting)
	}
	return hello, err
}
