package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// unquoted repairs arguments in single quotes, and others if it knows the schema.
func unquoted(arguments string, schema json.RawMessage) (tool.RepairedArguments, error) {
	switch arguments {
	case "'ambiguous'":
		return tool.RepairedArguments{}, errors.New("3 or 4")
	case "'empty'":
		return tool.RepairedArguments{}, nil
	case "'panics'":
		panic("boom")
	}
	value, ok := strings.CutPrefix(arguments, "'")
	return tool.RepairedArguments{
		Value:     json.RawMessage(strings.TrimSuffix(value, "'")),
		Edits:     []tool.Edit{{Kind: "quotes", Offset: 0, Before: "'"}, {Kind: "quotes", Offset: len(arguments) - 1, Before: "'"}},
		Truncated: ok && !strings.HasSuffix(value, "'"),
	}, nil
}

func TestTolerant(t *testing.T) {
	edits := func(n int) []tool.Edit {
		return []tool.Edit{{Kind: "quotes", Before: "'"}, {Kind: "quotes", Offset: n, Before: "'"}}
	}
	for name, tt := range map[string]struct {
		came, ran string
		repairs   []tool.Edit
		err       string
	}{
		"right":        {`"abc"`, `"abc"`, nil, ""},
		"none":         {"", "{}", nil, `t: wrong arguments: arguments: expected a string, found an object`},
		"repaired":     {`'"abc"'`, `"abc"`, edits(6), ""},
		"still faulty": {`'7'`, `'7'`, nil, `t: wrong arguments: arguments: expected a value at byte 0, found '\''`},
		"ambiguous":    {`'ambiguous'`, `'ambiguous'`, nil, `t: wrong arguments: arguments: expected a value at byte 0, found '\''; repair failed: 3 or 4`},
		"truncated": {`'"a"`, `'"a"`, nil,
			`t: wrong arguments: arguments: expected a value at byte 0, found '\''; repair failed: t: the request was cut off, its arguments may be incomplete`},
		"empty": {`'empty'`, `'empty'`, nil,
			`t: wrong arguments: arguments: expected a value at byte 0, found '\''; repair failed: the repair returned no value`},
		"panics": {`'panics'`, `'panics'`, nil, `t: panic: boom`},
		"too long": {"'" + strings.Repeat("x", 200) + "'", "'" + strings.Repeat("x", 200) + "'", nil,
			"t: wrong arguments: arguments: expected at most 100 bytes, found 202 bytes"},
	} {
		var got string
		echo := tool.NewTypedAction(&tool.Definition{Name: "t"}, wire.Value.Str, func(_ context.Context, x string) error { got = x; return nil })
		r := tool.NewRegistry(tool.Tolerant(unquoted), tool.MaxArguments(100))
		r.Replace(echo.Tool)
		c := r.Call(t.Context(), tool.Request{Name: "t", Arguments: json.RawMessage(tt.came)})
		check := func(c *tool.Call, err error) {
			t.Helper()
			text := ""
			if err != nil {
				text = err.Error()
			}
			if text != tt.err || string(c.Request.Arguments) != tt.came || string(c.Arguments) != tt.ran || !reflect.DeepEqual(c.Repairs, tt.repairs) {
				t.Errorf("%s: ran %s with repairs %v, %v", name, c.Arguments, c.Repairs, err)
			}
		}
		check(c, c.Err)
		if (got == "abc") != (c.Err == nil) {
			t.Errorf("%s: the function got %q", name, got)
		}

		text, err := json.Marshal(c)
		back := new(tool.Call)
		if err != nil || json.Unmarshal(text, back) != nil {
			t.Fatalf("%s: %s %v", name, text, err)
		}
		check(back, back.Err)

		got = ""
		if c, err = r.Match(tool.Request{Name: "t", Arguments: json.RawMessage(tt.came)}); err != nil {
			t.Fatal(err)
		}
		check(c, c.Check(t.Context()))
		if got != "" {
			t.Errorf("%s: it ran when it was checked", name)
		}
	}
}

// TestTolerantTool checks that a tool may be more or less tolerant than its registry.
func TestTolerantTool(t *testing.T) {
	d := func(name string) *tool.Definition { return &tool.Definition{Name: name} }
	run := func(context.Context, string) error { return nil }
	usual, own, strict := tool.NewTypedAction(d("usual"), wire.Value.Str, run), tool.NewTypedAction(d("own"), wire.Value.Str, run), tool.NewTypedAction(d("strict"), wire.Value.Str, run)
	for name, options := range map[string][]tool.Option{"tolerant": {tool.Tolerant(unquoted)}, "strict": nil} {
		r := tool.NewRegistry(options...)
		r.Replace(usual.Tool, own.Tool.Tolerant(unquoted), strict.Tool.Tolerant(nil))
		for _, tt := range []struct {
			name string
			want bool
		}{{"usual", name == "tolerant"}, {"own", true}, {"strict", false}} {
			c := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(`'"a"'`)})
			if (c.Err == nil) != tt.want {
				t.Errorf("%s in a %s registry: %v", tt.name, name, c.Err)
			}
		}
	}
	if c, err := tool.NewRegistry().Match(tool.Request{Name: "usual"}); c != nil || err == nil {
		t.Errorf("got %v, %v", c, err)
	}
}

// TestTolerantSchema checks that the repair receives the schema that the model was offered.
func TestTolerantSchema(t *testing.T) {
	var got string
	r := tool.NewRegistry(tool.Tolerant(func(_ string, schema json.RawMessage) (tool.RepairedArguments, error) {
		got = string(schema)
		return tool.RepairedArguments{}, errors.New("no")
	}))
	r.Replace(SearchTool().Tool)
	for name, ctx := range map[string]context.Context{
		"no scope": t.Context(), "scope": tool.WithScope(t.Context(), tool.NewScope()),
		"to values": tool.WithScope(t.Context(), tool.NewScope(tool.ReferToValues())),
	} {
		r.Call(ctx, tool.Request{Name: "search"})
		if offered := r.Available(tool.ScopeFrom(ctx)); len(offered) != 1 || got != string(offered[0].Input) {
			t.Errorf("%s: got %s", name, got)
		}
	}
}
