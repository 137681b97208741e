package wire_test

import (
	"fmt"

	"github.com/aiongen/aiongen/runtime/wire"
)

// point is read and written as generated code does it.
type point struct{ X, Y int }

func decodePoint(v wire.Value) (p point) {
	o := v.Object()
	p.X = o.Int("x")
	p.Y = o.Int("y")
	o.Done()
	return p
}

func encodePoint(e *wire.Encoder, lead string, p point) {
	if !e.Open(lead) {
		return
	}
	wire.EncodeInt(e, `"x":`, p.X)
	wire.EncodeInt(e, `,"y":`, p.Y)
	e.Close()
}

func Example() {
	limits := &wire.Limits{Arguments: 1 << 20, Depth: 64}
	var d wire.Decoder
	var e wire.Encoder
	for _, text := range []string{`{"y": 2, "x": 1.0}`, `{"x": "1", "z": 3}`} {
		p := decodePoint(d.Read([]byte(text), limits, nil, false))
		if faults, count, _ := d.Done(); count > 0 {
			fmt.Println(faults)
			continue
		}
		e.Start(1<<20, nil)
		encodePoint(&e, "", p)
		output, _, err := e.Done()
		fmt.Println(string(output), err)
	}
	// Output:
	// {"x":1,"y":2} <nil>
	// [/x: expected an integer, found the string "1" /y: expected a value, found nothing /z: expected the key x or y, found the key "z"]
}
