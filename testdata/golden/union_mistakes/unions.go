// Package unions declares interfaces with variants in ways that cannot be.
package unions

import (
	"context"

	"github.com/aiongen/aiongen/runtime/tool"
)

// Shape is a figure.
type Shape interface{ Area() float64 }

// Circle is a circle.
type Circle struct {
	Radius float64 `json:"radius"`
	Kind   string  `json:"kind"`
}

// Square is a square.
type Square struct{ Side float64 }

// Handle is a shape that JSON cannot carry.
type Handle struct{ c chan int }

// Length is a shape without fields.
type Length float64

// Bad has a bad tag.
type Bad struct {
	N int `jsonschema:"minimum=x"`
}

// Area returns the area.
func (Circle) Area() float64 { return 0 }

// Area returns the area.
func (*Square) Area() float64 { return 0 }

// Area returns the area.
func (*Handle) Area() float64 { return 0 }

// Area returns the area.
func (Length) Area() float64 { return 0 }

// Area returns the area.
func (Bad) Area() float64 { return 0 }

// The interfaces have the method of Shape.
type (
	Twice       interface{ Area() float64 }
	Empty       interface{ Area() float64 }
	Unreadable  interface{ Area() float64 }
	WithBadTag  interface{ Area() float64 }
	Clash       interface{ Area() float64 }
	ValueClash  interface{ Area() float64 }
	SameName    interface{ Area() float64 }
	SamePointer interface{ Area() float64 }
	Unlisted    interface{ Area() float64 }
	NoConstant  interface{ Area() float64 }
	EmptyName   interface{ Area() float64 }
	Interface   interface{ Area() float64 }
	Injected    interface{ Area() float64 }
	Number      interface{ Area() float64 }
	Failure     interface {
		error
		Area() float64
	}
)

// Any is any value.
type Any any

var name = "round"

var _ = tool.Inject[Injected]()

var _ = tool.Represent(func(x float64) (Number, error) { return Length(x), nil }, Number.Area)

var (
	_ = tool.Union(Shape(Circle{}))
	_ = tool.Union[Twice](Circle{}, &Square{})
	_ = tool.Union[Twice](Circle{})
	_ = tool.Union[Empty]()
	_ = tool.Union[Unreadable](Circle{}, &Handle{})
	_ = tool.Union[WithBadTag](Bad{})
	_ = tool.Union[Clash](&Square{}, Circle{}).Member("kind")
	_ = tool.Union[ValueClash](Length(0)).Member("value")
	_ = tool.Union[SameName](Circle{}, &Square{}).Name("circle", &Square{})
	_ = tool.Union[SamePointer](Circle{}, &Circle{})
	_ = tool.Union[Unlisted](Circle{}).Name("square", &Square{})
	_ = tool.Union[NoConstant](Circle{}).Name(name, Circle{})
	_ = tool.Union[EmptyName](Circle{}).Member("")
	_ = tool.Union[Interface](Circle{}, Shape(nil))
	_ = tool.Union[Injected](Circle{})
	_ = tool.Union[Number](Length(0))
	_ = tool.Union[Failure]()
	_ = tool.Union[error]()
	_ = tool.Union[context.Context](context.Background())
	_ = tool.Union[any](1)
	_ = tool.Union[Any](1)
	_ = tool.Union[Circle](Circle{})
	_ = tool.Union[SameName](Circle{}, Circle{})
)

// Sealed has a variant with a field type.
type Sealed interface{ sealed() }

// Typed has a field type.
type Typed struct {
	Type string `json:"type"`
}

func (Typed) sealed() {}

// Stack is sealed, but one variant has no form in JSON.
type Stack interface{ stack() }

func (Typed) stack()   {}
func (*Handle) stack() {}

// Draw draws.
func Draw(s Sealed, t Stack, n int) {}

// Shaped is drawn with paths.
type Shaped interface{ shaped() }

// Dot is a point.
type Dot struct {
	X int `json:"x,omitempty"`
	Y int `json:"y,omitempty"`
}

func (Dot) shaped() {}

// Line is a line.
type Line struct {
	To Dot `json:"to"`
}

func (*Line) shaped() {}

// Paint paints.
func Paint(s Shaped) {}

//lint:file-ignore U1000 Unexported fields show which types are variants, and are not used.
