package emit_test

import (
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/enums"
)

// TestEnums calls tools with values that are no constants: constants of the own module limit
// values, and so do those that Go counts, but no other constants, and none limit keys.
func TestEnums(t *testing.T) {
	r := tool.NewRegistry()
	if err := enums.Register(r); err != nil {
		t.Fatal(err)
	}
	const picture = `{"color":"red","stock":{"green":1},"month":3,"days":{"8":true},"code":"new","codes":["newer"],"texts":{"newest":"x"}}`
	other := strings.NewReplacer(`"red"`, `"green"`, `"month":3`, `"month":13`, `}}`, `},"strict":3,"token":{"ValuePos":0,"ValueEnd":0,"Kind":3,"Value":"x"}}`)
	for _, tt := range []struct{ name, arguments, want string }{
		{"take", picture, picture},
		{"open", other.Replace(picture), other.Replace(picture)},
		{"take", other.Replace(picture), `take: wrong arguments: /color: expected one of "red", "blue" (strings), found the string "green"; ` +
			`/month: expected one of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 (integers), found the number 13; /token/Kind: expected one of 0, 1, 2, 4, 5, 6, 7, 8, 9, 12, 13, 14, 15, 16, 17, 18 and 66 more (integers), found the number 3`},
		{"paint", `{"c":"green","code":"another one","more":["x"]}`, `["green","another one","x"]`},
		{"mix", `{"colors":["green"],"parts":{"a":"brown"}}`, `[["green"],{"a":"brown"}]`},
		{"detect", `{"s":"GIF87a"}`, `"GIF87a"`},
		{"detect", `{"s":"GIF"}`, `detect: wrong arguments: /s: expected one of "GIF87a", "GIF89a" (strings), found the string "GIF"`},
		{"paint", `{"c":"green","code":"x"}`, `paint: wrong arguments: /code: expected one of "invalid escape sequence", "another one" (strings), found the string "x"`},
	} {
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		got := string(call.Output)
		if call.Err != nil {
			got = call.Err.Error()
		}
		if got != tt.want {
			t.Errorf("%s(%s): got\n%s, want\n%s", tt.name, tt.arguments, got, tt.want)
		}
	}
}

// TestOpenEnumTargets lowers open enums for every target. All of them describe the known values
// and allow others.
func TestOpenEnumTargets(t *testing.T) {
	r := tool.NewRegistry()
	if err := enums.Register(r); err != nil {
		t.Fatal(err)
	}
	definition := enums.PaintTool().Tool.Definition()
	for _, target := range schema.Targets() {
		lowered, err := schema.Lower(target, definition)
		if err != nil {
			t.Errorf("%s: %v", target, err)
			continue
		}
		text := string(lowered.Input)
		if !strings.Contains(text, `Known values:\nred: like blood\nblue: like the sea`) || strings.Contains(text, `"enum":["red"`) {
			t.Errorf("%s: the schema is %s", target, text)
		}
		raised, err := lowered.Raise([]byte(`{"c":"green","code":"another one","more":["x"]}`))
		if call := r.Call(t.Context(), tool.Request{Name: "paint", Arguments: raised}); err != nil || call.Err != nil {
			t.Errorf("%s: %v, %v", target, err, call.Err)
		}
	}
}
