package instructions_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aiongen/aiongen/runtime/internal/instructions"
	"github.com/aiongen/aiongen/runtime/tool"
)

func Example() {
	texts := instructions.Texts{Files: fstest.MapFS{"texts/plan.txt": {Data: []byte("Make a plan with:\n{{.}}\n")}}, Folder: "texts"}
	listed := instructions.Tools([]tool.Definition{{Name: "add", Description: "Add adds.\nIt is exact.", Annotations: tool.Annotations{ReadOnly: true}}, {Name: "pay"}})
	fmt.Println(texts.Fill("plan.txt", strings.TrimPrefix(listed, instructions.Role+"\n\n")))
	// Output:
	// Make a plan with:
	// Tools:
	// - add: Add adds. (only reads)
	// - pay
}

// TestTexts checks that valid texts of a program are accepted, and that invalid ones panic.
func TestTexts(t *testing.T) {
	files := fstest.MapFS{"good/a.txt": {Data: []byte("{{.Name}}")}, "bad/a.txt": {Data: []byte("{{")}}
	for folder, data := range map[string]any{"good": struct{}{}, "bad": nil, "none": nil} {
		texts := instructions.Texts{Files: files, Folder: folder} // the document is not parsed yet
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
