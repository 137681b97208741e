// Package notation has a tool for each thing that the notation says of lambdas.
package notation

import (
	"context"
	"errors"
	"strings"
)

// Point has fields with two names, and a method.
type Point struct {
	X      int      `json:"across"`
	Y      int      `json:"up"`
	Labels []string `json:"labels"`
}

// Moved is a method.
func (p Point) Moved(dx int) Point { return Point{p.X + dx, p.Y, p.Labels} }

// Where are the arguments of a tool.
type Where struct {
	Point Point   `json:"point"`
	Scale float64 `json:"scale"`
}

// MaxItems is a constant.
const MaxItems = 3

var origin = Point{}

// Twice fails for negative numbers, and for calls that were cancelled.
func Twice(ctx context.Context, number int) (int, error) {
	if number < 0 {
		return 0, errors.New("negative")
	}
	return 2 * number, ctx.Err()
}

// JoinThree takes three texts.
func JoinThree(first, second, third string) string { return first + second + third }

// Join takes any number of texts.
func Join(separator string, parts ...string) string { return strings.Join(parts, separator) }

// FindPoint may find none.
func FindPoint(name string) *Point {
	if name == "" {
		return nil
	}
	return &Point{len(name), 0, nil}
}

// Log returns nothing.
func Log(text string) {}
