package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

type (
	cents  struct{ n int }
	warmth struct{ degrees float64 }
	unset  struct{ n int }
	figure interface{ size() int }
)

func (c cents) String() string { return strconv.Itoa(c.n) }

func (c *cents) size() int { return c.n }

var nothing func(string) (unset, error)

var (
	_ = tool.Represent(parseCents, cents.String)
	_ = tool.Represent(func(x float64) (warmth, error) { return warmth{x}, nil }, warmth.value)
	_ = tool.Represent(nothing, func(unset) string { return "" })
	_ = tool.Represent(func(n int) (figure, error) { return &cents{n}, nil }, func(f figure) int { return f.size() })
)

func parseCents(text string) (cents, error) {
	if text == "panic" {
		panic("cents panic")
	}
	n, err := strconv.Atoi(text)
	return cents{n}, err
}

func (c warmth) value() (float64, error) {
	if c.degrees < -273 {
		return 0, errors.New("too cold")
	}
	return c.degrees, nil
}

const testPackage = "github.com/aiongen/aiongen/runtime/tool_test"

var (
	centsConverter  = wire.Converter[cents, string]{Package: testPackage}
	warmthConverter = wire.Converter[warmth, float64]{Package: testPackage}
	figureConverter = wire.Converter[figure, int]{Package: testPackage}
)

type conversions struct {
	Price  cents
	Heat   warmth
	Figure figure
	By     map[cents]warmth
}

// convertTool reads and writes represented values as generated code does.
func convertTool(run func(*conversions)) tool.Tool {
	return tool.BindTypedTool(&tool.Definition{Name: "convert", Input: json.RawMessage(`{"type":"object"}`)},
		func(v wire.Value, x *conversions) {
			o := v.Object()
			x.Price = centsConverter.Read(o.Opt("price"), wire.Value.Str)
			x.Heat = warmthConverter.Read(o.Opt("heat"), wire.Value.Float64)
			x.Figure = figureConverter.Read(o.Opt("figure"), wire.Value.Int)
			x.By = wire.ConvertedMap(o.Opt("by"), &centsConverter, func(v wire.Value) warmth {
				return warmthConverter.Read(v, wire.Value.Float64)
			})
			o.Done()
		},
		func(_ context.Context, x *conversions) (conversions, error) {
			if run != nil {
				run(x)
			}
			return *x, nil
		},
		func(e *wire.Encoder, lead string, x *conversions) {
			if !e.Open(lead) {
				return
			}
			centsConverter.Write(e, `,"price":`, &x.Price, (*wire.Encoder).Str)
			warmthConverter.Write(e, `,"heat":`, &x.Heat, (*wire.Encoder).Float64)
			figureConverter.Write(e, `,"figure":`, &x.Figure, wire.EncodeInt)
			wire.EncodeConvertedMap(e, `,"by":`, x.By, &centsConverter, wire.WriterOf(func(e *wire.Encoder, lead string, x *warmth) {
				warmthConverter.Write(e, lead, x, (*wire.Encoder).Float64)
			}))
			e.Close()
		}).Tool
}

// TestRepresent converts values with the functions of declarations.
func TestRepresent(t *testing.T) {
	for _, tt := range []struct {
		arguments string
		run       func(*conversions)
		want      string // the output, or a part of the error
	}{
		{`{"price":"7","heat":1.5,"figure":3,"by":{"10":2,"2":1}}`, nil, `{"price":"7","heat":1.5,"figure":3,"by":{"10":2,"2":1}}`},
		{`{"price":null}`, nil, `{"price":"0","heat":0,"figure":null,"by":{}}`},
		{`{"price":7}`, nil, "/price: expected a string, found the number 7"},
		{`{"price":"x"}`, nil, `/price: expected another string (strconv.Atoi: parsing "x": invalid syntax)`},
		{`{"by":{"x":1}}`, nil, `/by/x: expected another key (strconv.Atoi: parsing "x": invalid syntax)`},
		{`{"by":{"1":1,"01":2}}`, nil, `/by/01: expected each key once`},
		{`{"by":{"1":"1"}}`, nil, `/by/1: expected a number`},
		{`{"price":"panic"}`, nil, "cents panic"},
		{`{}`, func(x *conversions) { x.Heat.degrees = -300 }, "/heat: too cold"},
		{`{}`, func(x *conversions) { x.By = map[cents]warmth{{1}: {-300}} }, "/by/1: too cold"},
	} {
		r := tool.NewRegistry()
		if err := r.Register(convertTool(tt.run)); err != nil {
			t.Fatal(err)
		}
		call := r.Call(t.Context(), tool.Request{Name: "convert", Arguments: json.RawMessage(tt.arguments)})
		switch {
		case call.Err != nil && !strings.Contains(call.Err.Error(), tt.want):
			t.Errorf("%s: got the error %v, want %s", tt.arguments, call.Err, tt.want)
		case call.Err == nil && string(call.Output) != tt.want:
			t.Errorf("%s: got %s, want %s", tt.arguments, call.Output, tt.want)
		}
	}
}

// TestRepresentConcurrently resolves a declaration in many goroutines at once.
func TestRepresentConcurrently(t *testing.T) {
	r := tool.NewRegistry()
	if err := r.Register(convertTool(nil)); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			call := r.Call(t.Context(), tool.Request{Name: "convert", Arguments: json.RawMessage(`{"price":"7"}`)})
			if call.Err != nil {
				t.Error(call.Err)
			}
		})
	}
	group.Wait()
}

// TestRepresentHooks checks that a record of changed arguments does not contain what a model does not see.
func TestRepresentHooks(t *testing.T) {
	hooked := tool.BindTypedTool(&tool.Definition{Name: "hooked", Input: json.RawMessage(`{"properties":{"Price":{}},"type":"object"}`)},
		func(v wire.Value, x *conversions) {
			o := v.Object()
			x.Price = centsConverter.Read(o.Opt("Price"), wire.Value.Str)
			o.Done()
		},
		func(_ context.Context, x *conversions) (cents, error) { return x.Price, nil },
		func(e *wire.Encoder, lead string, x *cents) { centsConverter.Write(e, lead, x, (*wire.Encoder).Str) },
	).Before(func(_ context.Context, x *conversions) error {
		x.Price.n, x.Heat.degrees = 8, 1
		return nil
	})
	r := tool.NewRegistry()
	if err := r.Register(hooked.Tool); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		call := r.Call(t.Context(), tool.Request{Name: "hooked", Arguments: json.RawMessage(`{"Price":"7"}`)})
		if call.Err != nil || string(call.Output) != `"8"` || string(call.Arguments) != `{"Price":"7"}` {
			t.Errorf("got %s, %v, with the arguments %s", call.Output, call.Err, call.Arguments)
		}
	}
}

// TestCheckConverters looks for declarations that do not exist.
func TestCheckConverters(t *testing.T) {
	if err := wire.CheckConverters(&centsConverter, &warmthConverter, &figureConverter); err != nil {
		t.Error(err)
	}
	for want, c := range map[string]interface{ Check() error }{
		"package example.com/other does not represent tool_test.cents as string": &wire.Converter[cents, string]{Package: "example.com/other"},
		"does not represent tool_test.cents as int":                              &wire.Converter[cents, int]{Package: testPackage},
		"passes a nil function to tool.Represent for tool_test.unset":            &wire.Converter[unset, string]{Package: testPackage},
	} {
		if err := wire.CheckConverters(&centsConverter, c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	wire.AddConversion("main", parseCents, func(c cents) (string, error) { return c.String(), nil })
	if err := (&wire.Converter[cents, string]{Package: "example.com/program", Main: true}).Check(); err != nil {
		t.Error(err)
	}
}
