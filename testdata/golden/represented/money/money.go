// Package money stands for a package of another module: its types have no JSON form.
package money

import (
	"fmt"
	"strconv"
	"strings"
)

// Amount is an amount of money.
type Amount struct {
	cents    int64
	currency string
}

// Parse reads a text such as 12.30 EUR.
func Parse(text string) (Amount, error) {
	number, currency, ok := strings.Cut(text, " ")
	units, cents, _ := strings.Cut(number, ".")
	n, err := strconv.ParseInt(units+cents, 10, 64)
	if !ok || err != nil || len(cents) != 2 || len(currency) != 3 {
		return Amount{}, fmt.Errorf("%q is not an amount such as 12.30 EUR", text)
	}
	return Amount{n, currency}, nil
}

// String returns a text such as 12.30 EUR.
func (a Amount) String() string {
	return fmt.Sprintf("%d.%02d %s", a.cents/100, a.cents%100, a.currency)
}

// Cents returns the hundredths.
func (a Amount) Cents() int64 { return a.cents }
