package wire_test

import (
	"fmt"

	"github.com/aiongen/aiongen/runtime/wire"
)

// point is encoded and decoded like in generated code.
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
	// [/x: expected an integer, found the string "1" /z: expected the key x or y, found the key "z" /y: expected a value, found nothing]
}

// read decodes a value and prints its faults.
func read[T any](text string, reader func(wire.Value) T) {
	var d wire.Decoder
	x := reader(d.Read([]byte(text), &wire.Limits{Arguments: 1 << 20, Depth: 64}, nil, false))
	faults, _, _ := d.Done()
	fmt.Println(x, faults)
}

// Bounds are checked between a value and its reader. A value outside of them is a fault, and absent
// for the code that follows.
func ExampleValue_Min() {
	age := func(v wire.Value) int { return v.Min(18).Max(120).Int() }
	read("21", age)
	read("7", age)
	read("true", age)
	// Output:
	// 21 []
	// 7 [arguments: expected an integer of at least 18, found the number 7]
	// 0 [arguments: expected an integer, found the boolean true]
}

// An optional member is read with Opt, and one with a default value with Default.
func ExampleReadOr() {
	limit := func(v wire.Value) int {
		o := v.Object()
		n := wire.ReadOr(o.Opt("limit"), wire.Value.Int, 10)
		o.Done()
		return n
	}
	read(`{"limit": 3}`, limit)
	read(`{}`, limit)
	// Output:
	// 3 []
	// 10 []
}

// Containers are decoded with a reader of their elements, which may be containers.
func ExampleSlice() {
	points := func(v wire.Value) []point { return wire.Slice(v, decodePoint) }
	read(`[{"x": 1, "y": 2}, {"y": 4, "x": 3}]`, points)
	read(`[{"x": 1, "y": 2}, 7]`, func(v wire.Value) map[string][]int {
		return wire.Map[string](v, func(v wire.Value) []int { return wire.Slice(v, wire.Value.Int) })
	})
	// Output:
	// [{1 2} {3 4}] []
	// map[] [arguments: expected an object, found an array]
}

// Writers of containers take a writer of their elements.
func ExampleEncodeMap() {
	var e wire.Encoder
	e.Start(1<<20, nil)
	wire.EncodeMap(&e, "", map[string][]point{"b": {{1, 2}}, "a": nil}, func(e *wire.Encoder, lead string, x []point) {
		wire.EncodeSlice(e, lead, x, encodePoint)
	})
	output, _, err := e.Done()
	fmt.Println(string(output), err)
	// Output: {"a":[],"b":[{"x":1,"y":2}]} <nil>
}
