// Package references has functions that take and return what JSON cannot carry.
package references

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

//go:generate go tool aiongen

// Counter counts what it is asked to.
type Counter struct{ n int }

// Describe says how far the counter is.
func (c *Counter) Describe() string { return fmt.Sprint("at ", c.n) }

// Job is partly data.
type Job struct {
	Name string    `json:"name"`
	Out  io.Writer `json:"out,omitempty"`
	Next []*Job    `json:"next,omitempty"`
}

// Open opens a text for reading.
func Open(text string) io.Reader { return strings.NewReader(text) }

// OpenSized opens a text for reading, and says how long it is.
func OpenSized(text string) (io.Reader, int, error) {
	Opened++
	return Open(text), len(text), nil
}

// Opened is how often OpenSized ran.
var Opened int

// Nothing opens nothing.
func Nothing() (io.Reader, error) { return nil, nil }

// Read reads all of a text.
func Read(r io.Reader) (string, error) {
	b, err := io.ReadAll(r)
	return string(b), err
}

// Join joins texts.
func Join(readers []io.Reader) io.Reader { return io.MultiReader(readers...) }

// Count makes a counter, or lets one count on, and tells how far it is.
func Count(c *Counter, by int) (*Counter, int) {
	c.n += by
	return c, c.n
}

// NewCounter makes a counter.
func NewCounter() *Counter { return &Counter{} }

// Buffers makes two buffers.
func Buffers() map[string]*bytes.Buffer {
	return map[string]*bytes.Buffer{"a": {}, "b": {}}
}

// Run runs a job, and those behind it.
func Run(job *Job, limit int) (names []string, err error) {
	for _, next := range job.Next {
		more, err := Run(next, limit)
		if err != nil {
			return nil, err
		}
		names = append(names, more...)
	}
	if job.Out != nil {
		_, err = io.WriteString(job.Out, job.Name)
	}
	return append(names, job.Name), err
}

// Find finds the jobs with a name.
func Find(jobs []Job, filter func(Job) bool, limit *int) []string {
	var names []string
	for _, j := range jobs {
		if filter(j) && (limit == nil || len(names) < *limit) {
			names = append(names, j.Name)
		}
	}
	return names
}

// Point is data.
type Point struct{ X, Y int }

// Move moves a point.
func Move(p Point, by *Point, path []Point, labels map[string]int, name string, any any) Point {
	p.X += by.X
	by.X = 0
	path[0] = p
	labels[name]++
	if q, ok := any.(*Point); ok {
		q.Y++
	}
	return p
}

// Parcel has a part that no document can have.
type Parcel struct {
	Label   string    `json:"label"`
	Content io.Reader `json:"content"`
}

// Ship reads what is in a parcel, of which a variable may hold the reader, or all of it.
func Ship(id int, p *Parcel) (string, error) {
	b, err := io.ReadAll(p.Content)
	return fmt.Sprint(id, p.Label, string(b)), err
}

// ShipBoth reads what is in two parcels, neither of which may be missing.
func ShipBoth(ids [2]int, both [2]*Parcel) (string, error) {
	first, err := Ship(ids[0], both[0])
	if err != nil {
		return "", err
	}
	second, err := Ship(ids[1], both[1])
	return first + second, err
}
