package run_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// A run that pays the amount that a model returns, after a person has approved it.
func Example() {
	ctx := context.Background()
	pay, err := schema.Dynamic(tool.Definition{
		Name: "pay", Description: "Pays an amount.",
		Input: json.RawMessage(`{"type":"object","properties":{"amount":{"type":"number"}},"required":["amount"]}`),
	}, func(context.Context, json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(`"paid"`), nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	registry := tool.NewRegistry(tool.Use(middleware.Gate(middleware.RequireApproval())))
	if err := registry.Register(pay); err != nil {
		fmt.Println(err)
		return
	}
	env := &run.Env{
		Journal: new(journal.Map), // journal/file outlives the process
		Tools:   registry,
		Model: llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
			return llm.Response{Text: `{"amount":5}`}, nil
		}),
	}
	payment := func(fx run.Effects, in run.Input) (json.RawMessage, error) {
		answer, err := fx.Model(run.Ask{For: "amount", Request: func() llm.Request {
			return llm.Request{Prompt: "How much is it? " + string(in.Data)}
		}})
		if err != nil {
			return nil, err
		}
		calls, err := fx.Call(run.Request{Step: "1", Request: tool.Request{Name: "pay", Arguments: json.RawMessage(answer.Response.Text)}})
		if err != nil {
			return nil, err
		}
		return calls[0].Output, calls[0].Err
	}

	if err := env.Begin(ctx, "42", run.Input{Kind: "payment", Data: json.RawMessage(`"a coffee"`), Tools: registry.Available(nil)}); err != nil {
		fmt.Println(err)
		return
	}
	result, err := env.Execute(ctx, "42", payment, nil)
	fmt.Println(result.Status, "for", result.WaitsFor, "of", result.Calls[0].Request.Name, err)

	err = env.Send(ctx, "42", run.Approve("42/1/1", "ada", nil)) // from any process
	fmt.Println(err)
	result, err = env.Execute(ctx, "42", payment, nil)
	fmt.Println(result.Status, string(result.Answer), result.Usage.ModelCalls, err)
	// Output:
	// waiting for approval of pay <nil>
	// <nil>
	// completed "paid" 1 <nil>
}
