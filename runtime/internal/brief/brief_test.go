package brief_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/aiongen/aiongen/runtime/internal/brief"
	"github.com/aiongen/aiongen/runtime/tool"
)

func Example() {
	texts := brief.Texts{Files: fstest.MapFS{"texts/plan.txt": {Data: []byte("Make a plan with:\n{{.}}\n")}}, Folder: "texts"}
	fmt.Println(texts.Fill("plan.txt", brief.Tools(tool.Definition{
		Name: "add", Description: "Add adds.",
		Input:  json.RawMessage(`{"type": "object", "properties": {"a": {"type": "integer"}}}`),
		Output: json.RawMessage(`{"type": "integer"}`),
	})))
	fmt.Print(brief.Tools())
	// Output:
	// Make a plan with:
	// add(a?: integer) -> integer
	//   Add adds.
	//   {"name":"add","arguments":{}}
	//   schema of the arguments: {"type":"object","properties":{"a":{"type":"integer"}}}
	//   schema of the result: {"type":"integer"}
	// (none)
}

// TestTexts: what comes with a program is right, or it does not go on.
func TestTexts(t *testing.T) {
	files := fstest.MapFS{"good/a.txt": {Data: []byte("{{.Name}}")}, "bad/a.txt": {Data: []byte("{{")}}
	for folder, data := range map[string]any{"good": struct{}{}, "bad": nil, "none": nil} {
		texts := brief.Texts{Files: files, Folder: folder} // which is not read yet
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", folder)
				}
			}()
			texts.Fill("a.txt", data)
		}()
	}
}
