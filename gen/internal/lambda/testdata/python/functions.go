package main

import (
	"encoding/json"
	"errors"
	"math"
)

// The functions, variables and constants below have counterparts in functions.py.

// Limit is a constant.
const Limit = 3

// Third is a constant that no float64 represents exactly.
const Third = 1.0 / 3

// Word is a variable.
var Word = "word"

var numbers = []int{3, 1, 2}

var cursor = &Point{1, 1, "cursor"}

var traced []string

// reset restores the variables that expressions may have changed.
func reset() {
	Word = "word"
	copy(numbers, []int{3, 1, 2})
	cursor = &Point{1, 1, "cursor"}
	traced = nil
}

// Trace records the call under name and returns n.
func Trace(name string, n int) int {
	traced = append(traced, name)
	return n
}

// TraceText records the call under name and returns name.
func TraceText(name string) string {
	traced = append(traced, name)
	return name
}

// Change sets Word to text and returns it.
func Change(text string) string {
	Word = text
	return text
}

// Push sets the first element of numbers to n and returns n.
func Push(n int) int {
	numbers[0] = n
	return n
}

// Calls returns the names of the recorded calls and clears the record.
func Calls(n int) string {
	text := ""
	for _, name := range traced {
		text += name
	}
	traced = nil
	return text
}

// Half fails for odd numbers.
func Half(n int) (int, error) {
	if n%2 != 0 {
		return 0, errors.New("odd")
	}
	return n / 2, nil
}

// Join3 takes three strings.
func Join3(first, second, third string) string { return first + "-" + second + "-" + third }

// JoinAll takes any number of strings.
func JoinAll(separator string, parts ...string) string {
	text := ""
	for i, p := range parts {
		if i > 0 {
			text += separator
		}
		text += p
	}
	return text
}

// Mean takes floats.
func Mean(a, b float64) float64 { return (a + b) / 2 }

// Point has fields and methods.
type Point struct {
	X, Y int
	Name string `json:"label"`
}

// MakePoint makes a point.
func MakePoint(x, y int, name string) Point { return Point{x, y, name} }

// FindPoint returns nil for the empty name.
func FindPoint(name string) *Point {
	if name == "" {
		return nil
	}
	return &Point{1, 2, name}
}

// Shape is an interface with a method.
type Shape interface{ Step(n int) int }

// ShapeOf returns a Shape that holds a nil pointer if n is odd.
func ShapeOf(n int) Shape {
	if n%2 != 0 {
		return (*Point)(nil)
	}
	return &Point{1, 2, "shape"}
}

var (
	nowhere *Point
	absent  func(n int) int
	present = func(n int) int { return n + 1 }
)

// Numbered returns a dict with integers as keys.
func Numbered(n int) map[int]string {
	dict := map[int]string{}
	for i := range n {
		dict[i+1] = string(rune('a' + i))
	}
	return dict
}

// MovedBy returns a moved copy of the point.
func (p Point) MovedBy(dx, dy int) Point { return Point{p.X + dx, p.Y + dy, p.Name} }

// Step moves a point.
func (p *Point) Step(n int) int {
	p.X += n
	return p.X
}

// MaybeLength returns nil for the empty string.
func MaybeLength(s string) *int {
	if s == "" {
		return nil
	}
	n := len([]rune(s))
	return &n
}

// Nothing returns nothing.
func Nothing(n int) {}

// Size is a named integer.
type Size int8

// Narrowed takes a float with fewer bits than a Python float.
func Narrowed(x float32) bool { return x > 0 }

// SizeOf returns a named integer.
func SizeOf(n int) Size { return Size(n) }

// Color is a named string.
type Color string

// ColorOf returns a named string.
func ColorOf(s string) Color { return Color(s) }

// Paint takes a named string.
func Paint(c Color, n Size) string { return string(c) + "!" }

// Huge returns an integer that may not fit an int.
func Huge(big bool) uint64 {
	if big {
		return 1 << 63
	}
	return 1 << 40
}

// Counts returns how often each character occurs in s.
func Counts(s string) map[string]int {
	counts := map[string]int{}
	for _, c := range s {
		counts[string(c)]++
	}
	return counts
}

// Tags returns a nil slice instead of an empty list, as Go functions often do.
func Tags(n int) []string {
	var tags []string
	for range n {
		tags = append(tags, "tag")
	}
	return tags
}

// Grid returns a list that contains nil slices.
func Grid(n int) [][]string { return [][]string{Tags(n), nil} }

// Names returns a dict that is nil for 0.
func Names(n int) map[string][]string {
	if n == 0 {
		return nil
	}
	return map[string][]string{"a": Tags(n), "b": nil}
}

// Flag takes a bool.
func Flag(p bool) string {
	if p {
		return "yes"
	}
	return "no"
}

// Total takes a list of floats.
func Total(list []float64) float64 {
	sum := 0.0
	for _, f := range list {
		sum += f
	}
	return sum
}

// First takes a list of anything.
func First(list []any) any {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// Prices takes a dict of floats.
func Prices(dict map[string]float64) float64 { return dict["a"] + dict["b"] }

// Has takes a dict of anything.
func Has(dict map[string]any, key string) bool {
	_, ok := dict[key]
	return ok
}

// Narrow returns NaN as a float with fewer bits than a Python float.
func Narrow(x float64) float32 { return float32(math.NaN()) }

// Wide returns a dict with a key that does not fit an int.
func Wide(big bool) map[uint64]string {
	if big {
		return map[uint64]string{1 << 63: "big"}
	}
	return map[uint64]string{5: "small"}
}

// Colors returns a dict with named strings as keys.
func Colors(n int) map[Color]int { return map[Color]int{"red": n} }

// Sizes returns a dict with named integers as keys.
func Sizes(n int) map[Size]int { return map[Size]int{1: n} }

// Loose returns an any that is or contains nil slices and maps.
func Loose(n int) any {
	switch n {
	case 0:
		return []string(nil)
	case 1:
		return map[string]int(nil)
	case 2:
		return []any{[]string(nil), map[string]any(nil), 1, [][]int{nil}, nil}
	case 3:
		return map[string]any{"a": []any{[]int(nil)}, "b": map[string][]int{"c": nil}}
	case 4:
		return [][]any{{[]int(nil)}, nil}
	case 5:
		return &[]string{"a"}
	}
	return nil
}

// LooseList returns a list of any that is nil or contains nil slices and maps.
func LooseList(n int) []any {
	if n == 0 {
		return nil
	}
	return []any{Loose(n - 1), []any(nil), []map[string]any{nil, {"a": []any{[]int(nil)}}}}
}

// LooseDict returns a dict of any that is nil or contains nil slices and maps.
func LooseDict(n int) map[string]any {
	if n == 0 {
		return nil
	}
	return map[string]any{"a": Loose(n - 1)}
}

// Pair is a named dict type.
type Pair map[string]any

// LoosePair returns a dict of a named type.
func LoosePair(n int) Pair { return Pair{"a": Loose(n)} }

// Loosely is an any that holds a list with a nil slice.
var Loosely any = []any{[]any(nil)}

// Holder has fields that may hold nil slices.
type Holder struct {
	Value  any
	Values []any
}

// MakeHolder returns a holder.
func MakeHolder(n int) *Holder { return &Holder{Loose(n), LooseList(n)} }

// RawText returns a nil json.RawMessage for 0, which is written as null.
func RawText(n int) any {
	if n == 0 {
		return json.RawMessage(nil)
	}
	return nil
}
