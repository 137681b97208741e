//lint:file-ignore U1000,ST1019 names are the point

// Package names declares what generated code would like to call its own.
package names

import (
	"context"
	"strings"
	str "strings"
)

// GetURLArgs is not what it seems.
type GetURLArgs struct {
	Arg int `json:"arg"`
}

var getURLInput, findDefinition, FindTool = 1, 2, 3

func decodeFindArgs() string { return strings.Repeat("x", 1) + str.ToUpper("y") }

// v, x, e, o, lead, a, r, err, ctx and d are types here.
type (
	v    struct{ X []*x }
	x    struct{ Lead lead }
	e    map[string][]o
	o    struct{ A a }
	lead string
	a    [2]r
	r    *err
	err  struct{ D d }
	d    int
	ctx  struct{ X int }
)

// max and min are functions, and any other name is as good.
func max(a, b int) int { return a + b }

func min(a, b int) int { return a - b }

func errors() string { return "" }

type json struct{}

// tool is the runtime's name.
var tool, all, call, data, text = "", "", "", "", ""

// Find finds.
func Find(c context.Context, in v, type_ e, Type string, _ int, Func, fn string) (e, v, error) {
	return type_, in, nil
}

// GetURL gets.
func GetURL(userID, user_id, UserId string, range_ []ctx) (userID2 string, user_id2 d) {
	return userID + user_id + UserId, d(len(range_))
}

// Receiver has a name of its own.
type Receiver struct{}

// Do does.
func (Receiver) Do(d d, in *ctx) (lead, error) { return "", nil }

type deps interface{ Do(r string) string }

type echo struct{}

func (echo) Do(r string) string { return r }

// NewDeps returns what Deps has to hold.
func NewDeps() deps { return echo{} }

// AB is only looked at, so that its name is left for the helper of A_B.
type AB struct {
	X int `json:"x"`
}

// A_B has that name, too.
type A_B struct {
	Y int `json:"y"`
}

// Look takes what AB has.
func Look(x int) {}

// Take takes an A_B and a number.
func Take(in A_B, n int) {}
