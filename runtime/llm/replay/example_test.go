package replay_test

import (
	"bytes"
	"context"
	"fmt"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/replay"
)

// A real model is recorded once and then replayed in tests.
func Example() {
	var recording bytes.Buffer // a file in testdata
	real := llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		return llm.Response{Text: "Hello,\nAda.", Finish: llm.FinishStop}, nil
	})
	recorder := replay.Record(&recording, real)
	if _, err := recorder.Generate(context.Background(), llm.Request{Prompt: "Greet Ada."}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(recording.String())

	model, err := replay.Read(&recording)
	if err != nil {
		fmt.Println(err)
		return
	}
	response, err := model.Generate(context.Background(), llm.Request{Prompt: "Greet Ada."})
	fmt.Printf("%q %v\n", response.Text, err)
	_, err = model.Generate(context.Background(), llm.Request{Prompt: "Greet Bob."})
	fmt.Println(err)
	// Output:
	// {
	//   "format": "aiongen dialogue 2"
	// }
	// {
	//   "request": {
	//     "prompt": "Greet Ada.",
	//     "max_tokens": 0
	//   },
	//   "response": {
	//     "text": [
	//       "Hello,",
	//       "Ada."
	//     ],
	//     "finish": "stop"
	//   }
	// }
	// "Hello,\nAda." <nil>
	// model: unrecorded: the recording has no unused answer left, all 1 were returned; record the dialogue again if this change is intended
}
