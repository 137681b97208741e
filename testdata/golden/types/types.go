// Package types has a tool for each kind of Go type.
package types

import (
	"encoding/json"
	"time"
)

// Basics returns its arguments.
func Basics(b bool, i int, i8 int8, i16 int16, i32 int32, i64 int64, u uint, u8 uint8, u16 uint16, u32 uint32, u64 uint64, f32 float32, f64 float64, s string, r rune) All {
	return All{b, i, i8, i16, i32, i64, u, u8, u16, u32, u64, f32, f64, s, r}
}

// All holds a value of each basic type.
type All struct {
	B   bool
	I   int
	I8  int8
	I16 int16
	I32 int32
	I64 int64
	U   uint
	U8  uint8
	U16 uint16
	U32 uint32
	U64 uint64
	F32 float32
	F64 float64
	S   string
	R   rune
}

// Color is a colour.
type Color string

// The colours.
const (
	Red   Color = "red"   // like blood
	Green Color = "green" // like "grass"
)

// Level is a number with names.
type Level int

// The levels.
const (
	Lowest  Level = -1
	Middle  Level = 0
	Highest Level = 1
)

// Mode is a set of flags: its constants are combined.
type Mode uint8

// The flags.
const (
	Read Mode = 1 << iota
	Write
)

// UserID is a string with a name.
type UserID string

// Tags is a list with a name.
type Tags []string

// Named returns the first colour.
func Named(colors []Color, level Level, mode Mode, ids map[UserID][]UserID, tags Tags) (Color, error) {
	return colors[0], nil
}

// Node is a tree.
type Node struct {
	Name     string           `json:"name"`
	Children []*Node          `json:"children,omitempty"`
	ByName   map[string]*Node `json:"by_name,omitempty"`
	Parent   *Node            `json:"parent"`
	Next     *Node            `json:"next,omitempty"`
}

// Loop returns a tree that holds itself.
func Loop(name string) *Node {
	n := &Node{Name: name}
	n.Next = n
	return n
}

// Tree returns the tree.
func Tree(root *Node, depth int) *Node { return root }

// Base is embedded.
type Base struct {
	ID   int    `json:"id"` // number of the record
	Note string `json:"note"`
}

// Record has what encoding/json has rules for.
type Record struct {
	Base
	Note     string            `json:"title"` // hides Base.Note in Go, not in JSON
	Skipped  string            `json:"-"`
	Maybe    *int              `json:"maybe,omitempty"`
	Empty    []string          `json:"empty,omitempty"`
	Zero     time.Time         `json:"zero,omitzero"`
	At       time.Time         `json:"at"`
	Wait     time.Duration     `json:"wait"`
	Raw      json.RawMessage   `json:"raw"`
	Number   json.Number       `json:"number"`
	Anything any               `json:"anything"`
	Blob     []byte            `json:"blob"`
	Grid     [2][3]int         `json:"grid"`
	Labels   map[string]string `json:"labels"`
	Counts   map[int8]uint64   `json:"counts"`
	Inner    struct {
		Deep []Color `json:"deep"`
	} `json:"inner"`
}

// Store keeps a record and returns it.
func Store(r Record) (*Record, error) { return &r, nil }
