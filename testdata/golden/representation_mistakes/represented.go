// Package represented declares types in ways that cannot be.
package represented

import (
	"context"
	"io"
	"regexp"
	"strconv"
	"time"

	"github.com/aiongen/aiongen/runtime/tool"
)

// Cents is an amount of money.
type Cents struct{ n int }

// Euros is an amount of money.
type Euros struct{ n int }

// Key is a secret.
type Key string

// Bad has a bad tag.
type Bad struct {
	N int `jsonschema:"minimum=x"`
}

func parse(text string) (Cents, error) {
	n, err := strconv.Atoi(text)
	return Cents{n}, err
}

func (c Cents) text() string { return strconv.Itoa(c.n) }

var _ = tool.Inject[Key]()

// Client is injected by its pointer.
type Client struct{ N int }

var _ = tool.Inject[*Client]()

var (
	_ = tool.Represent(parse, Cents.text)
	_ = tool.Represent(func(text string) (*Cents, error) { c, err := parse(text); return &c, err }, (*Cents).text)
	_ = tool.Represent(func(text string) (Key, error) { return Key(text), nil }, func(k Key) string { return string(k) })
	_ = tool.Represent(func(text string) (context.Context, error) { return nil, nil }, func(context.Context) string { return "" })
	_ = tool.Represent(func(n int) (string, error) { return "", nil }, func(string) int { return 0 })
	_ = tool.Represent(func(n int) ([]Cents, error) { return nil, nil }, func([]Cents) int { return 0 })
	_ = tool.Represent(func(n int) (error, error) { return nil, nil }, func(error) int { return 0 })
	_ = tool.Represent(func(r io.Reader) (regexp.Regexp, error) { return regexp.Regexp{}, nil }, func(regexp.Regexp) io.Reader { return nil })
	_ = tool.Represent(func(t *time.Location) (time.Location, error) { return *t, nil }, func(t time.Location) *time.Location { return &t })
	_ = tool.Represent(func(b Bad) (Euros, error) { return Euros{b.N}, nil }, func(e Euros) Bad { return Bad{e.n} })
	_ = tool.Represent(func(n int) (Client, error) { return Client{n}, nil }, func(c Client) int { return c.N })
	_ = tool.Represent(func(s Second) (First, error) { return First{}, nil }, func(First) Second { return Second{} })
	_ = tool.Represent(func(f **First) (Second, error) { return Second{}, nil }, func(Second) **First { return nil })
)

// First is represented as the second.
type First struct{}

// Second is represented as the first.
type Second struct{}

// Pay pays.
func Pay(amount Cents, key Key) *Cents { return &amount }

// Split splits.
func Split(by map[Euros]int) {}

// Pence is an amount of money.
type Pence struct{ n int }

func parsePence(n int) (Pence, error) { return Pence{n}, nil }

func (p Pence) number() int { return p.n }

var (
	_ = (tool.Represent(parsePence, Pence.number)) // the only one of these that has an effect
	_ = []any{tool.Represent(parsePence, Pence.number)}
	_ = represent()
)

func represent() struct{} { return tool.Represent(parsePence, Pence.number) }

func init() {
	if _ = (tool.Represent(parsePence, Pence.number)); true {
		_ = tool.Inject[*Pence]()
		_ = tool.Annotate(Give, tool.ReadOnly)
		_ = tool.PassContext[string](nil)
		_ = tool.Union[any]()
	}
}

// Give takes both.
func Give(p Pence, c *Client) Pence { return p }

// Sum is represented as a struct that contains a sum.
type Sum struct{ of *Total }

// Total contains a sum by means of Part.
type Total struct {
	Count int
	Part  [1]Part
}

// Part is represented as a struct that contains a sum.
type Part struct{ sum Sum }

// Tree may end, because its children are in a list.
type Tree struct{ node *Node }

// Node is the form of Tree.
type Node struct {
	Children []Tree
	Parent   *Tree
}

var (
	_ = tool.Represent(func(t Total) (Sum, error) { return Sum{&t}, nil }, func(s Sum) Total { return *s.of })
	_ = tool.Represent(func(s struct{ Sum Sum }) (Part, error) { return Part{s.Sum}, nil }, func(p Part) struct{ Sum Sum } { return struct{ Sum Sum }{p.sum} })
	_ = tool.Represent(func(n Node) (Tree, error) { return Tree{&n}, nil }, func(t Tree) Node { return *t.node })
)
