// Package asserted has interfaces without methods, whose types notes declare.
package asserted

import (
	"fmt"
	"time"
)

// ID is the number or the path of a project.
type ID any

// Point is a place in a plane.
type Point struct {
	X     int    `json:"x"`
	Y     int    `json:"y"`
	Label string `json:"label,omitempty"`
}

// Color is the color of a point.
type Color string

// The colors.
const (
	Red  Color = "red"
	Blue Color = "blue"
)

// Find describes the Go types of its arguments.
func Find(project any, id ID, more ...any) string {
	return fmt.Sprintf("%T %T %T", project, id, more) + describe(more)
}

// describe returns the Go types of a list.
func describe(list []any) (text string) {
	for _, x := range list {
		text += fmt.Sprintf(" %T", x)
	}
	return text
}

// Query selects rows.
type Query struct {
	// Filter is what the rows must have.
	Filter any `json:"filter"`
	// Values are the values of placeholders.
	Values []any `json:"values,omitempty"`
	// Extra is anything else.
	Extra map[string]any `json:"extra,omitempty"`
	// Limit is the largest number of rows.
	Limit *any `json:"limit,omitempty"`
}

// Run describes the Go types of a query.
func Run(q Query) string {
	text := fmt.Sprintf("%T", q.Filter) + describe(q.Values)
	for _, k := range []string{"a", "b"} {
		if x, ok := q.Extra[k]; ok {
			text += fmt.Sprintf(" %s:%T", k, x)
		}
	}
	if q.Limit != nil {
		text += fmt.Sprintf(" *%T", *q.Limit)
	}
	return text
}

// Kinds are ways to give an argument its type.
func Kinds(a, b, c, d, e, f, g, h any) string {
	return fmt.Sprintf("%T %T %T %T %T %T %T %T", a, b, c, d, e, f, g, h)
}

// Defaults returns its arguments.
func Defaults(a, b, c, d, e any) string { return fmt.Sprintf("%#v %#v %#v %#v %#v", a, b, c, d, e) }

// Get returns a value of a kind.
func Get(kind string) any {
	return map[string]any{
		"int": 7, "int64": int64(1) << 60, "float": 2.0, "half": 0.5, "text": "t", "point": Point{X: 1, Y: 2}, "pointer": &Point{X: 3},
		"map": map[string]any{"x": 1, "y": 2}, "nil slice": []string(nil), "texts": []any{"a", "b"}, "mixed": []any{"a", 1}, "color": Red, "time": time.Unix(0, 0).UTC(),
	}[kind]
}

// Row is one row of a table.
type Row struct {
	Key   any `json:"key"`
	Value any `json:"value,omitempty"`
}

// Rows returns the same key and value in two results.
func Rows(kind string) (key any, values []any) {
	x := Get(kind)
	return x, []any{x, nil}
}

// Box holds one value.
type Box[T any] struct {
	// Value is what is in the box.
	Value T `json:"value"`
}

// Open describes what is in a list of boxes.
func Open(boxes []Box[any]) (text string) {
	for _, b := range boxes {
		text += fmt.Sprintf("%T ", b.Value)
	}
	return text
}
