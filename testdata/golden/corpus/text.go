package corpus

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
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

// Digit reads itself from JSON, and says what it takes.
type Digit struct{ n float64 }

// JSONSchema says what a digit is.
func (Digit) JSONSchema() string { return `{"type": "integer", "minimum": 0, "maximum": 9}` }

// MarshalJSON writes a number.
func (l Digit) MarshalJSON() ([]byte, error) { return json.Marshal(l.n) }

// UnmarshalJSON reads a number of one digit, in any spelling.
func (l *Digit) UnmarshalJSON(b []byte) error {
	err := json.Unmarshal(b, &l.n)
	if err == nil && (l.n < 0 || l.n > 9) {
		return errors.New("has not one digit")
	}
	return err
}

// Place is a number or a name.
type Place struct {
	number int64
	name   string
}

// OpenAPIV3OneOfTypes are those of a place.
func (Place) OpenAPIV3OneOfTypes() []string { return []string{"integer", "string"} }

// MarshalJSON writes either.
func (p Place) MarshalJSON() ([]byte, error) {
	if p.name != "" {
		return json.Marshal(p.name)
	}
	return json.Marshal(p.number)
}

// UnmarshalJSON reads either.
func (p *Place) UnmarshalJSON(b []byte) error {
	if b[0] == '"' {
		return json.Unmarshal(b, &p.name)
	}
	n, ok := new(big.Rat).SetString(string(b))
	if !ok || !n.IsInt() || !n.Num().IsInt64() {
		return errors.New("is no place")
	}
	p.number = n.Num().Int64()
	return nil
}

// Kept is any JSON.
type Kept struct{ text string }

// MarshalJSON writes it.
func (k Kept) MarshalJSON() ([]byte, error) {
	if k.text == "" {
		return []byte("0"), nil
	}
	return []byte(k.text), nil
}

// UnmarshalJSON reads it.
func (k *Kept) UnmarshalJSON(b []byte) error {
	k.text = string(b)
	return nil
}

// Sensor has parts that read themselves from JSON.
type Sensor struct {
	Digit  Digit           `json:"digit"`
	Places []Place         `json:"places"`
	Kept   map[string]Kept `json:"kept,omitempty"`
	Next   *Sensor         `json:"next,omitempty"`
}

// OwnSchema takes Sensors.
func OwnSchema(ctx context.Context, v []Sensor) []Sensor { return pass(ctx, v) }
