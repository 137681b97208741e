package corpus

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
)

// Name reads and writes itself as text.
type Name struct{ First, Last string }

// MarshalText writes both names.
func (n Name) MarshalText() ([]byte, error) { return []byte(n.First + " " + n.Last), nil }

// UnmarshalText reads both names.
func (n *Name) UnmarshalText(text []byte) error {
	var ok bool
	if n.First, n.Last, ok = strings.Cut(string(text), " "); !ok {
		return errors.New("a first and a last name make a name")
	}
	return nil
}

// Text takes a Name.
func Text(ctx context.Context, v Name) Name { return pass(ctx, v) }

// Word is a string that reads and writes itself as text, of any kind.
type Word string

// The words, which are no enum.
const (
	Yes Word = "YES"
	No  Word = "NO"
)

// MarshalText writes in capitals.
func (w Word) MarshalText() ([]byte, error) { return []byte(strings.ToUpper(string(w))), nil }

// UnmarshalText reads anything.
func (w *Word) UnmarshalText(text []byte) error {
	*w = Word(strings.ToUpper(string(text)))
	return nil
}

// TextOfString takes a Word.
func TextOfString(ctx context.Context, v Word) Word { return pass(ctx, v) }

// SliceOfText takes words.
func SliceOfText(ctx context.Context, v []Word) []Word { return pass(ctx, v) }

// Wrapped has the methods of what it embeds, and so is text.
type Wrapped struct {
	Word
	Ignored int
}

// PromotedText takes a Wrapped.
func PromotedText(ctx context.Context, v Wrapped) Wrapped { return pass(ctx, v) }

// Temperature reads and writes itself as JSON, so that it can be a result only.
type Temperature float64

// MarshalJSON writes an object.
func (t Temperature) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]float64{"celsius": float64(t)})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (t *Temperature) UnmarshalJSON(b []byte) error {
	var x map[string]float64
	err := json.Unmarshal(b, &x)
	*t = Temperature(x["celsius"])
	return err
}

// OwnJSON returns a Temperature.
func OwnJSON(ctx context.Context) Temperature { return pass(ctx, Temperature(20)) }

// Code writes itself as text but does not read it, so that it can be a result
// only.
type Code int

// MarshalText writes a letter.
func (c Code) MarshalText() ([]byte, error) { return []byte{'A' + byte(c)%26}, nil }

// TextOneWay returns Codes.
func TextOneWay(ctx context.Context) []Code { return pass(ctx, []Code{0}) }

// Kelvin reads and writes itself as JSON. What it takes is said in text.aion.
type Kelvin struct{ degrees float64 }

// MarshalJSON writes a number.
func (k Kelvin) MarshalJSON() ([]byte, error) { return json.Marshal(k.degrees) }

// UnmarshalJSON reads a number that is not negative.
func (k *Kelvin) UnmarshalJSON(b []byte) error {
	err := json.Unmarshal(b, &k.degrees)
	if err == nil && k.degrees < 0 {
		return errors.New("nothing is as cold")
	}
	return err
}

// DescribedJSON takes a Kelvin.
func DescribedJSON(ctx context.Context, v Kelvin) Kelvin { return pass(ctx, v) }
