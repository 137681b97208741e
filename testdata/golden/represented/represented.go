// Package represented declares how types appear in JSON.
package represented

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/mail"
	"strings"
	"sync"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/represented/money"
)

var (
	_ = tool.Represent(money.Parse, money.Amount.String)
	_ = tool.Represent(decodeTemperature, encodeTemperature)
	_ = tool.Represent(func(text string) (mail.Address, error) {
		a, err := mail.ParseAddress(text)
		if err != nil {
			return mail.Address{}, err
		}
		return *a, nil
	}, func(a mail.Address) string { return a.String() })
	_ = tool.Represent(findAccount, (*Account).number)
	_ = tool.Represent(decodeShape, encodeShape)
	_ = tool.Represent(func(n *int) (Maybe[int], error) { return Maybe[int]{n}, nil }, func(m Maybe[int]) *int { return m.value })
	_ = tool.Represent(func(c Color) (Paint, error) { return Paint{string(c)}, nil }, func(p Paint) Color { return Color(p.name) })
	_ = tool.Represent(func(n Node) (Tree, error) { return &n, nil }, func(t Tree) Node { return t.node() })
	_ = tool.Represent(func(a money.Amount) (Price, error) { return Price{a}, nil }, func(p Price) money.Amount { return p.amount })
	_ = tool.Represent[http.Cookie, string](func(text string) (http.Cookie, error) {
		c, err := http.ParseSetCookie(text)
		if err != nil {
			return http.Cookie{}, err
		}
		return *c, nil
	}, func(c http.Cookie) string { return c.String() })
	_ = tool.Represent(func(list []string) (Tags, error) { return Tags{strings.Join(list, " ")}, nil }, func(t Tags) []string { return strings.Fields(t.text) })
)

// Temperature is a temperature in degrees Celsius.
type Temperature float64

// Degrees is a temperature with its unit.
type Degrees struct {
	Value float64 `json:"value"`
	Unit  Unit    `json:"unit,omitempty"`
}

// Unit is the unit of a temperature.
type Unit string

// The units.
const (
	Celsius    Unit = "C"
	Fahrenheit Unit = "F"
)

func decodeTemperature(d Degrees) (Temperature, error) {
	switch {
	case d.Unit == Fahrenheit:
		d.Value = (d.Value - 32) / 1.8
	case d.Value < -273.15:
		return 0, errors.New("colder than absolute zero")
	}
	return Temperature(d.Value), nil
}

func encodeTemperature(t Temperature) (Degrees, error) {
	if t < -273.15 {
		return Degrees{}, errors.New("colder than absolute zero")
	}
	return Degrees{float64(t), Celsius}, nil
}

// Account is an account, with a lock.
type Account struct {
	mutex sync.Mutex
	id    int
}

var accounts = []*Account{{id: 0}, {id: 1}}

func findAccount(number int) (*Account, error) {
	if number < 0 || number >= len(accounts) {
		return nil, fmt.Errorf("there is no account %d", number)
	}
	return accounts[number], nil
}

func (a *Account) number() (int, error) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.id, nil
}

// Shape is a circle or a square.
type Shape interface{ area() float64 }

type circle struct {
	Radius float64 `json:"radius"`
}

func (c circle) area() float64 { return 3 * c.Radius * c.Radius }

type square struct {
	Side float64 `json:"side"`
}

func (s square) area() float64 { return s.Side * s.Side }

func decodeShape(text json.RawMessage) (Shape, error) {
	if strings.Contains(string(text), "radius") {
		var c circle
		err := json.Unmarshal(text, &c)
		return c, err
	}
	var s square
	err := json.Unmarshal(text, &s)
	return s, err
}

func encodeShape(s Shape) (json.RawMessage, error) { return json.Marshal(s) }

// Maybe is a value or nothing.
type Maybe[T any] struct{ value *T }

// Paint is a paint.
type Paint struct{ name string }

// Color is the color of a paint.
type Color string

// The colors.
const (
	Red  Color = "red"  // warm
	Blue Color = "blue" // cold
)

// Tree is a tree.
type Tree interface{ node() Node }

// Node is a node of a tree.
type Node struct {
	Name     string `json:"name"`
	Children []Tree `json:"children,omitempty"`
}

func (n *Node) node() Node { return *n }

// Price is a price.
type Price struct{ amount money.Amount }

// Tags are tags.
type Tags struct{ text string }

// Amounts is a list of amounts.
type Amounts []money.Amount

// Everything has represented types at every depth.
type Everything struct {
	Amount   money.Amount                           `json:"amount"`
	Pointer  *money.Amount                          `json:"pointer"`
	Zero     money.Amount                           `json:"zero,omitzero"`
	List     []money.Amount                         `json:"list"`
	Named    Amounts                                `json:"named"`
	Array    [2]money.Amount                        `json:"array"`
	Deep     map[string][]map[int]*money.Amount     `json:"deep"`
	Keys     map[Paint]Temperature                  `json:"keys"`
	Page     Page[money.Amount]                     `json:"page"`
	Heat     Temperature                            `json:"heat"`
	Mail     mail.Address                           `json:"mail"`
	Account  *Account                               `json:"account,omitempty"`
	Accounts []*Account                             `json:"accounts"`
	Shape    Shape                                  `json:"shape"`
	Maybe    Maybe[int]                             `json:"maybe"`
	Paint    Paint                                  `json:"paint"`
	Price    *Price                                 `json:"price,omitempty"`
	Cookie   *http.Cookie                           `json:"cookie,omitempty"`
	Tags     Tags                                   `json:"tags" jsonschema:"minItems=1,uniqueItems"`
	Outer    struct{ Inner struct{ money.Amount } } `json:"outer"`
	Temperature
	*mail.Address
}

// Page is a page of a list.
type Page[T any] struct {
	Items []T `json:"items"`
	Next  *T  `json:"next"`
}

// Echo returns its argument.
func Echo(all Everything) Everything { return all }

// EchoTree returns its argument.
func EchoTree(tree Tree) Tree { return tree }

// Pay pays an amount from an account.
//
//   - amount: how much
//   - from: the account
//   - limit: the most
func Pay(amount money.Amount, from *Account, limit *money.Amount, notes ...Price) (rest money.Amount, fee *Price, err error) {
	if limit != nil && amount.Cents() > limit.Cents() {
		return rest, nil, errors.New("over the limit")
	}
	if len(notes) == 0 {
		return amount, nil, nil
	}
	return amount, &notes[0], nil
}

// Heat heats water.
func Heat(by Temperature, color Paint) (Temperature, error) { return by - 300, nil }

// Find returns an account, or nothing.
func Find(number int) (*Account, error) {
	if number == 0 {
		return nil, nil
	}
	return findAccount(number)
}
