package corpus

import (
	"context"
	"net/netip"
	"time"
)

// Slice takes a list.
func Slice(ctx context.Context, v []int) []int { return pass(ctx, v) }

// SliceOfSlices takes a list of lists.
func SliceOfSlices(ctx context.Context, v [][]string) [][]string { return pass(ctx, v) }

// SliceOfEnums takes a list of colours.
func SliceOfEnums(ctx context.Context, v []Color) []Color { return pass(ctx, v) }

// Point is a struct to put into others.
type Point struct {
	X int     `json:"x"`
	Y float32 `json:"y"`
}

// SliceOfStructs takes a list of points.
func SliceOfStructs(ctx context.Context, v []Point) []Point { return pass(ctx, v) }

// SliceOfPointers takes a list of pointers.
func SliceOfPointers(ctx context.Context, v []*int) []*int { return pass(ctx, v) }

// SliceOfMaps takes a list of objects.
func SliceOfMaps(ctx context.Context, v []map[string]bool) []map[string]bool { return pass(ctx, v) }

// IDs is a list with a name.
type IDs []UserID

// NamedSlice takes IDs.
func NamedSlice(ctx context.Context, v IDs) IDs { return pass(ctx, v) }

// Bytes takes bytes.
func Bytes(ctx context.Context, v []byte) []byte { return pass(ctx, v) }

// Blob is bytes with a name.
type Blob []byte

// NamedBytes takes a Blob.
func NamedBytes(ctx context.Context, v Blob) Blob { return pass(ctx, v) }

// SliceOfBytes takes a list of bytes.
func SliceOfBytes(ctx context.Context, v [][]byte) [][]byte { return pass(ctx, v) }

// Array takes three numbers.
func Array(ctx context.Context, v [3]float64) [3]float64 { return pass(ctx, v) }

// ArrayOfArrays takes two times two numbers.
func ArrayOfArrays(ctx context.Context, v [2][2]uint8) [2][2]uint8 { return pass(ctx, v) }

// ArrayOfStructs takes two points.
func ArrayOfStructs(ctx context.Context, v [2]Point) [2]Point { return pass(ctx, v) }

// ByteArray takes four bytes, which are numbers.
func ByteArray(ctx context.Context, v [4]byte) [4]byte { return pass(ctx, v) }

// EmptyArray takes nothing.
func EmptyArray(ctx context.Context, v [0]string) [0]string { return pass(ctx, v) }

// RGB is an array with a name.
type RGB [3]uint8

// NamedArray takes an RGB.
func NamedArray(ctx context.Context, v RGB) RGB { return pass(ctx, v) }

// Map takes an object.
func Map(ctx context.Context, v map[string]int) map[string]int { return pass(ctx, v) }

// IntMap takes an object whose keys are integers.
func IntMap(ctx context.Context, v map[int]string) map[int]string { return pass(ctx, v) }

// MapOfNamed takes an object with keys and values that have names.
func MapOfNamed(ctx context.Context, v map[UserID]Flag) map[UserID]Flag { return pass(ctx, v) }

// MapOfMaps takes an object of objects.
func MapOfMaps(ctx context.Context, v map[string]map[string]float64) map[string]map[string]float64 {
	return pass(ctx, v)
}

// MapOfSlices takes an object of lists.
func MapOfSlices(ctx context.Context, v map[string][]Level) map[string][]Level { return pass(ctx, v) }

// MapOfArrays takes an object of arrays.
func MapOfArrays(ctx context.Context, v map[string][2]int) map[string][2]int { return pass(ctx, v) }

// MapOfStructs takes an object of points.
func MapOfStructs(ctx context.Context, v map[string]Point) map[string]Point { return pass(ctx, v) }

// Counts is a map with a name.
type Counts map[string]uint

// NamedMap takes Counts.
func NamedMap(ctx context.Context, v Counts) Counts { return pass(ctx, v) }

// Pointer takes a number, or none.
func Pointer(ctx context.Context, v *int) *int { return pass(ctx, v) }

// PointerToPointer takes a string, or none.
func PointerToPointer(ctx context.Context, v **string) **string { return pass(ctx, v) }

// PointerToStruct takes a point.
func PointerToStruct(ctx context.Context, v *Point) *Point { return pass(ctx, v) }

// PointerToSlice takes a list, or none.
func PointerToSlice(ctx context.Context, v *[]string) *[]string { return pass(ctx, v) }

// PointerToMap takes an object, or none.
func PointerToMap(ctx context.Context, v *map[string]bool) *map[string]bool { return pass(ctx, v) }

// PointerToArray takes an array, or none.
func PointerToArray(ctx context.Context, v *[2]int16) *[2]int16 { return pass(ctx, v) }

// PointerToEnum takes a colour, or none.
func PointerToEnum(ctx context.Context, v *Color) *Color { return pass(ctx, v) }

// Octet is a byte with a name.
type Octet uint8

// SliceOfOctets takes bytes.
func SliceOfOctets(ctx context.Context, v []Octet) []Octet { return pass(ctx, v) }

// UintMap takes an object whose keys are small natural numbers.
func UintMap(ctx context.Context, v map[uint8]bool) map[uint8]bool { return pass(ctx, v) }

// EnumMap takes an object whose keys are colours.
func EnumMap(ctx context.Context, v map[Color]int) map[Color]int { return pass(ctx, v) }

// TextMap takes an object whose keys read themselves from text.
func TextMap(ctx context.Context, v map[netip.Addr]string) map[netip.Addr]string {
	return pass(ctx, v)
}

// TimeMap takes an object whose keys are times.
func TimeMap(ctx context.Context, v map[time.Time]int) map[time.Time]int { return pass(ctx, v) }
