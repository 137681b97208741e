// Package shaping has types of which a model sees less than there is, or sees it
// otherwise.
package shaping

import (
	"context"
	"errors"
	"fmt"
	"io"
	_ "log/slog"
	"math/big"
	"net/netip"
	"strings"
	"time"
)

// User is somebody.
type User struct {
	Login string `json:"login"`
	Email string `json:"email"`
	Token string `json:"token"`
	Plan  *Plan  `json:"plan,omitempty"`
}

// Plan is what a user pays for.
type Plan struct {
	Name  string `json:"name"`
	Token string `json:"token"`
	Owner *User  `json:"owner,omitempty"` // who pays
}

// Label is a mark of an issue.
type Label struct {
	Name  string `json:"name"`
	Color string `json:"color"`
}

// Issue is something to do.
type Issue struct {
	Number int              `json:"number"`
	Title  string           `json:"title"`
	Body   string           `json:"body,omitempty"`
	Author User             `json:"author"`
	Labels []Label          `json:"labels"`
	Votes  map[string]*User `json:"votes"`
	Raw    any              `json:"raw"`
	Meta
}

// Meta is in every object.
type Meta struct {
	Node string `json:"node_id"`
	Etag string `json:"a.b"`
}

// Tree is made of trees.
type Tree struct {
	Name   string           `json:"name"`
	Secret string           `json:"secret"`
	Leaves []Tree           `json:"leaves"`
	Named  map[string]*Tree `json:"named"`
}

// Filter says which issues are wanted.
type Filter struct {
	State  string  `json:"state"`
	Labels []Label `json:"labels,omitempty"`
	Page   *int    `json:"page"`
	Since  *string `json:"since"`
	Debug  bool    `json:"debug"`
}

// Window is a part of a list.
type Window struct {
	*Filter
	From int    `json:"from" url:"from,omitempty"`
	Sort string `json:"sort" form:",omitempty"`
}

// Options are all optional.
type Options struct {
	Deep  bool   `json:"deep,omitempty"`
	Limit *int   `json:"limit"`
	By    string `json:"by,omitempty" jsonschema:"default=name"`
}

// Handle is what is open.
type Handle struct{ name string }

func (h *Handle) String() string { return "handle of " + h.name }

// Response is what came over the wire, with what cannot be JSON.
type Response struct {
	Status int
	Body   func() complex128
}

// Get returns an issue.
func Get(number int) (*Issue, *Response, error) {
	if number == 0 {
		return nil, nil, errors.New("there is no issue 0")
	}
	plan := &Plan{Name: "free", Token: "plan's", Owner: &User{Login: "boss", Token: "boss's"}}
	ada := User{Login: "ada", Email: "ada@example.com", Token: "ada's", Plan: plan}
	return &Issue{
		Number: number, Title: "t", Body: "b", Author: ada, Labels: []Label{{"bug", "red"}},
		Votes: map[string]*User{"up": &ada, "none": nil}, Raw: 1, Meta: Meta{"n", "e"},
	}, &Response{Status: 200}, nil
}

// Grow returns a tree as it is.
func Grow(t Tree) Tree { return t }

// List lists issues.
func List(ctx context.Context, owner string, f *Filter) (string, error) {
	if f == nil {
		return owner, nil
	}
	labels := ""
	for _, l := range f.Labels {
		labels += " " + l.Name + l.Color
	}
	if f.Page != nil {
		labels += " page"
	}
	if f.Debug {
		labels += " debug"
	}
	return owner + f.State + labels, nil
}

// Put stores a text.
func Put(content []byte, to *Filter, w io.Writer, tags ...[]byte) ([]byte, int) {
	if w != nil {
		return nil, 0
	}
	all := strings.ToUpper(string(content))
	for _, tag := range tags {
		all += string(tag)
	}
	if to != nil {
		all += to.State
	}
	return []byte(all), len(all)
}

// Open opens what has a name.
func Open(name string) (*Handle, error) {
	if name == "" {
		return nil, nil
	}
	return &Handle{name}, nil
}

// Opened returns several texts.
func Opened() (handles []*Handle, at netip.Addr, nothing interface{ String() string }) {
	return []*Handle{{"a"}, nil}, netip.AddrFrom4([4]byte{1, 2, 3, 4}), nil
}

// Keep takes a filter that nobody copies.
func Keep(f *Filter) *Filter { return f }

// Delete returns nothing that matters.
func Delete(number int) (*Response, error) {
	if number == 0 {
		return nil, errors.New("there is no issue 0")
	}
	return &Response{}, nil
}

// Look takes what may be left out, and what may not.
func Look(o Options, p *Options, n *int, at *time.Time, b *big.Int, f *Filter) string {
	return fmt.Sprint(o, p != nil, n != nil, at != nil, b, f != nil)
}

// Page takes a window.
func Page(w Window) string { return fmt.Sprint(w.Filter != nil, w.From, w.Sort) }

// Cursor pages by texts.
type Cursor struct{ Page, After string }

// Offset pages by numbers.
type Offset struct{ Page, PerPage int }

// Paging embeds two structs with a field Page each, of which JSON has neither.
type Paging struct {
	State string
	Cursor
	Offset
}

// Turn turns pages.
func Turn(verbose bool, p Paging) Paging { return p }
