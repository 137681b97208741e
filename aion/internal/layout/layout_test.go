package layout_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/layout"
	"github.com/aiongen/aiongen/aion/internal/syntax"
)

// lineSpan returns the span of line n, with ten bytes per line.
func lineSpan(n int) diag.Span {
	at := diag.Pos{Offset: 10 * n, Line: n + 1, Column: 1}
	return diag.Span{File: "x.aion", Start: at, End: diag.Pos{Offset: at.Offset + 5, Line: at.Line, Column: 6}}
}

func newProperty(name, value string, at diag.Span) *layout.Branch {
	return &layout.Branch{Span: at, Head: layout.Head(name), Text: &layout.Text{Value: value, Span: at}}
}

func Example() {
	element := &layout.Branch{Span: diag.Span{File: "x.aion", Start: lineSpan(1).Start, End: lineSpan(4).End}, Brackets: "{}"}
	element.Children = []*layout.Branch{newProperty("name", "Find", lineSpan(2)), newProperty("description", "Finds\nit.", lineSpan(3))}
	array := &layout.Branch{Span: diag.Span{File: "x.aion", Start: lineSpan(0).Start, End: lineSpan(9).End}, Brackets: "[]", Children: []*layout.Branch{element}}

	behind := lineSpan(2) // on the same line as the name
	behind.Start.Offset += 7
	text, _ := layout.Write("x.aion", array, []*layout.Branch{newProperty("system_prompt", "Help.", diag.Span{})}, []syntax.Comment{
		{Text: "// shown to users", Span: behind},
		{Text: "// the end", Span: lineSpan(6)},
	})
	fmt.Print(string(text))
	// Output:
	// [
	//   system_prompt --> "Help.",
	//   {
	//     name --> "Find", // shown to users
	//     description --> """
	//       Finds
	//       it.
	//     """
	//   }
	//
	//   // the end
	// ]
}

// TestRefusal writes documents that no file can represent.
func TestRefusal(t *testing.T) {
	unsaid := newProperty("arg-1", "int", diag.Span{})
	unsaid.OtherMeaning = true
	for want, b := range map[string]*layout.Branch{
		`"a b" is not a name`: newProperty("a b", "", diag.Span{}),
		"the note cannot be written: \"int\" would be read with another meaning": unsaid,
		"neither a string nor a text block can hold the text":                    newProperty("name", "a\"\"\"b", diag.Span{}),
	} {
		_, refused := layout.Write("x.aion", &layout.Branch{Brackets: "[]", Children: []*layout.Branch{b}}, nil, nil)
		if refused == nil || !strings.HasPrefix(refused.Message, want) {
			t.Errorf("%v, want %q", refused, want)
		}
	}
	_, refused := layout.Write("x.aion", &layout.Branch{Brackets: "[]"}, nil, []syntax.Comment{{Text: "not one"}})
	if refused == nil || refused.Message != `"not one" is not a comment` {
		t.Error(refused)
	}
}
