// Package clashes has structs that embed fields of one name.
package clashes

import "fmt"

//go:generate go tool aiongen

// Offset says which page to list, by its number.
type Offset struct {
	Page    int `url:"page,omitempty"`
	PerPage int `url:"per_page,omitempty"`
}

// Cursor says which page to list, by what came before it.
type Cursor struct {
	Page    string `url:"page,omitempty"`
	PerPage int    `url:"per_page,omitempty"`
	After   string `url:"after,omitempty"` // the last one seen
}

// Options say what to list.
type Options struct {
	State string `json:"state"`
	Offset
	*Cursor
}

// List lists by a number or by a cursor.
func List(o *Options) string {
	text := fmt.Sprintf("%s %d of %d", o.State, o.Offset.Page, o.Offset.PerPage)
	if o.Cursor != nil {
		text += fmt.Sprintf(", %s of %d after %s", o.Cursor.Page, o.Cursor.PerPage, o.After)
	}
	return text
}

// ListPage does so with less.
func ListPage(o Options) string { return List(&o) }

// Span is from one number to another.
type Span struct{ From, To int }

// Rows and Columns are of one kind.
type (
	Rows    struct{ Span }
	Columns struct{ Span }
)

// Area is all rows and columns, embedded below something else.
type Area struct {
	bounds
	Name string `json:"name"`
}

type bounds struct {
	Rows
	Columns
}

// Cut cuts out an area.
func Cut(a Area) string { return fmt.Sprint(a.Name, a.Rows.Span, a.Columns.Span) }

// Twins embeds a field of one name three times, of which others can name one, and
// another that nobody else can.
type Twins struct {
	hidden
	veiled
	Shown
}

type (
	hidden struct{ Depth, Width int }
	veiled struct{ Width int }
)

// Shown is embedded.
type Shown struct{ Depth int }

// Pair takes twins.
func Pair(all []Twins) int { return all[0].hidden.Depth*10 + all[0].Shown.Depth + all[0].veiled.Width }

// Count returns options, as encoding/json writes them.
func Count() Options {
	return Options{State: "open", Offset: Offset{Page: 1}, Cursor: &Cursor{After: "x"}}
}
