// Package geo has an interface that only it can implement.
package geo

import "time"

// Shape is a figure in the plane.
type Shape interface{ isShape() }

// Circle is a circle.
type Circle struct {
	// Radius is the radius in meters.
	Radius float64 `json:"radius" jsonschema:"minimum=0"`
}

// Square is a square.
type Square struct {
	Side  float64 `json:"side"`
	Color Color   `json:"color,omitempty"`
}

// Color is the color of a square.
type Color string

// The colors.
const (
	Red  Color = "red"
	Blue Color = "blue"
)

// Label is a text in the plane.
type Label string

// Path is a list of corners.
type Path [][2]int

// Group is several shapes.
type Group struct {
	Shapes []Shape `json:"shapes"`
	Frame  Shape   `json:"frame,omitempty"`
	Within *Group  `json:"within,omitempty"`
}

// Visit is a shape with its own JSON.
type Visit struct{ time.Time }

// Empty is no shape.
type Empty struct{}

// hidden is a shape that no other package can name.
type hidden struct{}

// NewHidden returns a shape that is not a variant.
func NewHidden() Shape { return hidden{} }

func (Circle) isShape()  {}
func (*Square) isShape() {}
func (Label) isShape()   {}
func (Path) isShape()    {}
func (*Group) isShape()  {}
func (Visit) isShape()   {}
func (Empty) isShape()   {}
func (hidden) isShape()  {}

// Solid is a shape with a volume.
type Solid interface {
	Shape
	Volume() float64
}

// Ball is a solid.
type Ball struct {
	Circle
	Weight *float64 `json:"weight"`
}

// Volume returns the volume.
func (b Ball) Volume() float64 { return b.Radius * b.Radius * b.Radius * 4 }
