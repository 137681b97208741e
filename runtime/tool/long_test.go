package tool_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// TestTooLong checks that a result above the limit is reported with its length, whoever created it,
// and that the model is told to request less.
func TestTooLong(t *testing.T) {
	text := func(n int) func(*wire.Encoder) {
		return func(e *wire.Encoder) { e.Str("", strings.Repeat("x", n-2)) }
	}
	numbers := func(n int) func(*wire.Encoder) {
		return func(e *wire.Encoder) { wire.EncodeSlice(e, "", make([]int, n), wire.EncodeInt[int]) }
	}
	for _, tt := range []struct {
		write func(*wire.Encoder)
		limit int
		want  string // "" if it fits
	}{
		{text(100), 100, ""},
		{text(101), 100, "it is 101 bytes long, the limit is 100"},
		{text(5000), 100, "it is 5000 bytes long, the limit is 100"},
		{numbers(60), 121, ""},
		{numbers(60), 120, "it is 121 bytes long, the limit is 120"},
		{numbers(400), 120, "it is 801 bytes long, the limit is 120"},
		{numbers(40_000), 120, "it is more than "},
		{func(e *wire.Encoder) { e.Bool("", true) }, 0, "it is 4 bytes long, the limit is 0"},
		{func(e *wire.Encoder) { e.Int("", 7) }, 0, "it is 1 bytes long, the limit is 0"},
		{func(e *wire.Encoder) { wire.EncodeQuoted(e, strings.Repeat(" ", 50), 123456, wire.EncodeInt[int]) }, 40, "it is 58 bytes long, the limit is 40"},
		{func(e *wire.Encoder) { e.JSON("", []int{1, 2, 3}) }, 4, "it is 7 bytes long, the limit is 4"},
	} {
		r := tool.NewRegistry(tool.MaxOutput(tt.limit))
		r.Replace(tool.NewTypedTool(&tool.Definition{Name: "t"}, wire.NoArguments, func(context.Context, struct{}) (func(*wire.Encoder), error) { return tt.write, nil },
			func(e *wire.Encoder, _ string, write func(*wire.Encoder)) { write(e) }).Tool)
		c := r.Call(t.Context(), tool.Request{Name: "t"})
		if tt.want == "" {
			if c.Err != nil {
				t.Error(c.Err)
			}
			continue
		}
		checkTooLong(t, c, tt.want)
	}
	r := tool.NewRegistry(tool.MaxOutput(100), tool.Use(answerInstead(`"`+strings.Repeat("x", 500)+`"`)))
	r.Replace(namedTools("t")...)
	checkTooLong(t, r.Call(t.Context(), tool.Request{Name: "t"}), "it is 502 bytes long, the limit is 100")
}

func checkTooLong(t *testing.T, c *tool.Call, want string) {
	t.Helper()
	var bad *tool.OutputError
	if !errors.As(c.Err, &bad) || c.Output != nil || tool.Code(c.Err) != "invalid_output" ||
		!strings.HasPrefix(c.Err.Error(), "t: the result cannot be written: "+want) {
		t.Errorf("got %v, want %s", c.Err, want)
	}
	for _, err := range []error{c.Err, fromJSON(t, c).Err} {
		told := tool.ModelText(err)
		if !strings.HasPrefix(told, "t ran, but its result is too long: "+want) || !strings.HasSuffix(told, "; ask for less.") {
			t.Errorf("the model is told %q", told)
		}
	}
}

// fromJSON returns the record of a call.
func fromJSON(t *testing.T, c *tool.Call) *tool.Call {
	t.Helper()
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var back tool.Call
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	return &back
}

// TestPanicSentence checks that the text of a panic in a read-only tool, as libraries raise for
// invalid arguments, is passed on. Texts about the program, and those of tools with effects, are not.
func TestPanicSentence(t *testing.T) {
	const ownFault = "t failed because of an error in its code. The same call again will not help; go on without it."
	for _, tt := range []struct {
		panics func()
		want   string // "" if it is not for the model
	}{
		{func() { panic("stat: slice length mismatch") }, "stat: slice length mismatch"},
		{func() { _ = strings.Repeat("x", -1) }, "strings: negative Repeat count"},
		{func() { bytes.NewBuffer(nil).Grow(-1) }, "bytes.Buffer.Grow: negative count"},
		{func() { panic(errors.New("decimal division by 0")) }, "decimal division by 0"},
		{func() { panic(fmt.Errorf("mat: %w", errors.New("dimension mismatch"))) }, "mat: dimension mismatch"},
		{func() { panic(" two lines\ngoroutine 1 [running]:") }, "two lines"},
		{func() { panic(&placedError{}) }, "it is closed"},
		{func() { panic(strings.Repeat("x", 5000)) }, strings.Repeat("x", 4000) + "…"},

		{func() { map[string]int(nil)["a"] = 1 }, ""},
		{func() { _ = []int{}[len(t.Name())] }, ""},
		{func() { panic(fmt.Errorf("evaluating: %w", recovered(func() { map[string]int(nil)["a"] = 1 }))) }, ""},
		{func() { panic(fmt.Sprint(recovered(func() { _ = []int{}[len(t.Name())] }))) }, ""},
		{func() { panic(nil) }, ""},
		{func() { panic("") }, ""},
		{func() { panic(7) }, ""},
		{func() { panic(struct{ Secret string }{"secret"}) }, ""},
		{func() { panic("fault at main.go:7") }, ""},
		{func() { panic("reflect: call of reflect.Value.Int on zero Value") }, ""},
		{func() { panic("x is *tool.Call") }, ""},
		{func() { panic(&tool.PanicError{Tool: "inner", Value: "secret"}) }, ""},
	} {
		for _, annotations := range []tool.Annotations{{ReadOnly: true}, {Idempotent: true, ClosedWorld: true}} {
			r := tool.NewRegistry()
			r.Replace(tool.NewTypedAction(&tool.Definition{Name: "t", Annotations: annotations}, wire.NoArguments, func(context.Context, struct{}) error {
				tt.panics()
				return nil
			}).Tool)
			c := r.Call(t.Context(), tool.Request{Name: "t"})
			want := ownFault
			if annotations.ReadOnly && tt.want != "" {
				want = "t failed: " + tt.want + "\nThe same call again will not help; call it with other arguments, or go on without it."
			}
			for _, err := range []error{c.Err, fromJSON(t, c).Err} {
				if got := tool.ModelText(err); got != want || tool.Code(err) != "panic" {
					t.Errorf("got  %q\nwant %q", got, want)
				}
			}
		}
	}
}

// recovered returns the error that f panics with.
func recovered(f func()) (err error) {
	defer func() { err = recover().(error) }()
	f()
	return nil
}
