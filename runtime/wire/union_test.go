package wire_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/wire"
)

// A figure is a circle, a *group or a label.
type (
	figure interface{ isFigure() }
	circle struct {
		R float64 `json:"r"`
	}
	group struct {
		Of   []figure `json:"of"`
		Name string   `json:"name"`
	}
	label string
	other struct{}
)

func (circle) isFigure() {}
func (*group) isFigure() {}
func (label) isFigure()  {}
func (*other) isFigure() {}

// decodeFigure reads a union as generated code does.
func decodeFigure(v wire.Value, x *figure) {
	switch v.Variant("type", "circle", "group", "label") {
	case "circle":
		o := v.Object()
		*x = circle{o.Float64("r")}
		o.Done()
	case "group":
		*x = wire.PtrInto(v, func(v wire.Value, x *group) {
			o := v.Object()
			x.Of = wire.SliceInto(o.Get("of"), decodeFigure)
			x.Name = o.Opt("name").Str()
			o.Done()
		})
	case "label":
		*x = label(v.VariantValue().Str())
	}
}

// encodeFigure writes a union as generated code does.
func encodeFigure(e *wire.Encoder, lead string, v *figure) {
	switch v := (*v).(type) {
	case nil:
		e.Null(lead)
	case circle:
		wire.EncodeVariant(e, lead, `"type":"circle"`, &v, func(e *wire.Encoder, lead string, v *circle) {
			if e.Open(lead) {
				e.Float64(`,"r":`, v.R)
				e.Close()
			}
		})
	case *group:
		wire.EncodeVariant(e, lead, `"type":"group"`, v, func(e *wire.Encoder, lead string, v *group) {
			if e.Open(lead) {
				wire.EncodeSliceFrom(e, `,"of":`, v.Of, encodeFigure)
				e.Str(`,"name":`, v.Name)
				e.Close()
			}
		})
	case label:
		wire.EncodeVariantValue(e, lead, `"type":"label"`, &v, func(e *wire.Encoder, lead string, v *label) { e.Str(lead, string(*v)) })
	default:
		wire.UnknownVariant(e, lead, v)
	}
}

// referenceFigure reads a union with encoding/json.
func referenceFigure(text json.RawMessage) (figure, error) {
	var kind struct {
		Type  *string `json:"type"`
		Value *string `json:"value"`
		R     *float64
		Of    *[]json.RawMessage `json:"of"`
		Name  *string            `json:"name"`
	}
	if err := json.Unmarshal(text, &kind); err != nil {
		return nil, err
	}
	switch {
	case kind.Type == nil:
	case *kind.Type == "circle" && kind.R != nil:
		return circle{*kind.R}, nil
	case *kind.Type == "label" && kind.Value != nil:
		return label(*kind.Value), nil
	case *kind.Type == "group" && kind.Of != nil:
		g := &group{Of: []figure{}}
		if kind.Name != nil {
			g.Name = *kind.Name
		}
		for _, part := range *kind.Of {
			f, err := referenceFigure(part)
			if err != nil {
				return nil, err
			}
			g.Of = append(g.Of, f)
		}
		return g, nil
	}
	return nil, errors.New("not a figure")
}

// FuzzVariant compares accepted unions with encoding/json, and reads what was written for them.
func FuzzVariant(f *testing.F) {
	for _, seed := range []string{
		`{"type":"circle","r":1}`, `{"r":1,"type":"circle"}`, `{"type":"label","value":""}`, `{"type":"group","of":[{"type":"label","value":"a"}],"name":"b"}`,
		`{"type":"circle","type":"label","r":1}`, `{"of":[{"of":[],"type":"group"},null],"type":"group"}`, `{"type":"label","value":"a","r":1}`,
		`{"\u0074ype":"label","value":"\ud83d\ude00"}`, `{"type":1}`, `{"type":"group","of":{}}`, `{}`, `[]`, `null`, strings.Repeat(`{"type":"group","of":[`, 40),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := decode(text, wire.ReaderOf(decodeFigure))
		checkPointers(t, text, err)
		if err != nil {
			return
		}
		if want, err := referenceFigure(json.RawMessage(text)); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: %#v, want %#v, %v", text, got, want, err)
		}
		output, err := encode(func(e *wire.Encoder) { encodeFigure(e, "", &got) })
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if again, err := decode(output, wire.ReaderOf(decodeFigure)); err != nil || !reflect.DeepEqual(got, again) {
			t.Fatalf("%q is written as %q: %v", text, output, err)
		}
	})
}

// TestUnknownVariant writes values that are not variants, nil ones, and those that are too long or too deep.
func TestUnknownVariant(t *testing.T) {
	var nested figure = circle{1}
	for range 1000 {
		nested = &group{Of: []figure{nested}}
	}
	for _, tt := range []struct {
		x    figure
		want string // the output, or a part of the error
	}{
		{nil, "null"},
		{(*group)(nil), "null"},
		{(*other)(nil), "null"},
		{&other{}, "*wire_test.other is not a variant of wire_test.figure"},
		{&group{Of: []figure{nil, &other{}}}, "/of/1: *wire_test.other is not a variant"},
		{nested, "it is nested too deeply"},
	} {
		got, err := encode(func(e *wire.Encoder) { encodeFigure(e, "", &tt.x) })
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, tt.want) {
			t.Errorf("%T: got %.200s, want %s", tt.x, got, tt.want)
		}
	}
	if _, err := encodeWithin(10, func(e *wire.Encoder) { encodeFigure(e, "", &nested) }); err == nil {
		t.Error("an output that is too long is written")
	}
}

// TestVariantComesLast reads long objects in which the name of the variant is the last member.
func TestVariantComesLast(t *testing.T) {
	for _, n := range []int{1, 1000} {
		text := `{"of":[` + strings.TrimSuffix(strings.Repeat(`{"r":1,"type":"circle"},`, n), ",") + `],"type":"group"}`
		got, err := decode(text, wire.ReaderOf(decodeFigure))
		if g, ok := got.(*group); err != nil || !ok || len(g.Of) != n {
			t.Errorf("%d circles: %v, %v", n, got, err)
		}
	}
}
