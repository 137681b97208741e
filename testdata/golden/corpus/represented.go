package corpus

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/runtime/tool"
)

var (
	_ = tool.Represent(ParseMoney, Money.String)
	_ = tool.Represent(func(n int64) (Ticks, error) { return NewTicks(n), nil }, Ticks.Count)
	_ = tool.Represent(NewHeat, Heat.Degrees)
	_ = tool.Represent(func(list []string) (Words, error) { return NewWords(list...), nil }, Words.List)
)

// Money is an amount of money, represented as a text that not all texts are.
type Money struct{ cents int64 }

// ParseMoney reads an amount such as 12.
func ParseMoney(text string) (Money, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || strconv.FormatInt(n, 10) != text {
		return Money{}, fmt.Errorf("%q is not an amount", text)
	}
	return Money{n}, nil
}

// String returns the amount.
func (m Money) String() string { return strconv.FormatInt(m.cents, 10) }

// Ticks is a number of ticks, represented as an integer.
type Ticks struct{ n int64 }

// NewTicks returns n ticks.
func NewTicks(n int64) Ticks { return Ticks{n} }

// Count returns their number.
func (t Ticks) Count() int64 { return t.n }

// Heat is a temperature, represented as an object.
type Heat float64

// Degrees is a temperature in a unit, and what else there is to say.
type Degrees struct {
	Value float64 `json:"value"`
	Notes []Words `json:"notes,omitempty"`
}

// NewHeat returns a temperature.
func NewHeat(d Degrees) (Heat, error) { return Heat(d.Value), nil }

// Degrees returns the temperature as an object.
func (h Heat) Degrees() (Degrees, error) { return Degrees{Value: float64(h)}, nil }

// Words are represented as a list.
type Words struct{ text string }

// NewWords returns words.
func NewWords(list ...string) Words {
	text, _ := json.Marshal(append([]string{}, list...))
	return Words{string(text)}
}

// List returns them.
func (w Words) List() (list []string) {
	if json.NewDecoder(strings.NewReader(w.text)).Decode(&list) != nil {
		return nil
	}
	return list
}

// Bill has represented types in many places.
type Bill struct {
	Total   Money               `json:"total"`
	Rest    *Money              `json:"rest"`
	Given   *Money              `json:"given,omitempty"`
	Zero    Money               `json:"zero,omitzero"`
	Parts   []Money             `json:"parts"`
	Fixed   [2]Ticks            `json:"fixed"`
	By      map[string]Heat     `json:"by"`
	Keys    map[Money][]Words   `json:"keys"`
	Lists   map[string][]*Ticks `json:"lists,omitempty"`
	Embed   BillPart            `json:"embed"`
	Default Ticks
	*Money
	Heat
}

// BillPart is a part of a Bill.
type BillPart struct {
	*Ticks `json:"ticks,omitempty"`
	Words  Words
	Next   *BillPart `json:"next,omitempty"`
}

// RepresentedText takes a Money.
func RepresentedText(ctx context.Context, v Money) Money { return pass(ctx, v) }

// RepresentedInt takes a pointer to Ticks.
func RepresentedInt(ctx context.Context, v *Ticks) *Ticks { return pass(ctx, v) }

// RepresentedObject takes a Heat.
func RepresentedObject(ctx context.Context, v Heat) Heat { return pass(ctx, v) }

// RepresentedList takes lists of Words.
func RepresentedList(ctx context.Context, v []Words) []Words { return pass(ctx, v) }

// RepresentedKeys takes a map by Money.
func RepresentedKeys(ctx context.Context, v map[Money]Ticks) map[Money]Ticks { return pass(ctx, v) }

// RepresentedParts takes a Bill.
func RepresentedParts(ctx context.Context, v Bill) Bill { return pass(ctx, v) }

// The types that follow are the same with methods for encoding/json.

// MoneyView is what is seen of a Money.
type MoneyView Money

// MarshalText writes a Money.
func (v MoneyView) MarshalText() ([]byte, error) { return []byte(Money(v).String()), nil }

// UnmarshalText reads a Money.
func (v *MoneyView) UnmarshalText(text []byte) error {
	m, err := ParseMoney(string(text))
	*v = MoneyView(m)
	return err
}

// TicksView is what is seen of Ticks.
type TicksView Ticks

// MarshalJSON writes Ticks.
func (v TicksView) MarshalJSON() ([]byte, error) { return json.Marshal(v.n) }

// UnmarshalJSON reads Ticks.
func (v *TicksView) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, &v.n) }

// HeatView is what is seen of a Heat.
type HeatView float64

type degreesView struct {
	Value float64     `json:"value"`
	Notes []WordsView `json:"notes,omitempty"`
}

// MarshalJSON writes a Heat.
func (v HeatView) MarshalJSON() ([]byte, error) { return json.Marshal(degreesView{Value: float64(v)}) }

// UnmarshalJSON reads a Heat.
func (v *HeatView) UnmarshalJSON(text []byte) error {
	var d degreesView
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&d)
	*v = HeatView(d.Value)
	return err
}

// WordsView is what is seen of Words.
type WordsView Words

// MarshalJSON writes Words.
func (v WordsView) MarshalJSON() ([]byte, error) {
	return json.Marshal(append([]string{}, Words(v).List()...))
}

// UnmarshalJSON reads Words.
func (v *WordsView) UnmarshalJSON(text []byte) error {
	var list []string
	err := json.Unmarshal(text, &list)
	*v = WordsView(NewWords(list...))
	return err
}

// BillView is what is seen of a Bill.
type BillView struct {
	Total   MoneyView                 `json:"total"`
	Rest    *MoneyView                `json:"rest"`
	Given   *MoneyView                `json:"given,omitempty"`
	Zero    MoneyView                 `json:"zero,omitzero"`
	Parts   []MoneyView               `json:"parts"`
	Fixed   [2]TicksView              `json:"fixed"`
	By      map[string]HeatView       `json:"by"`
	Keys    map[MoneyView][]WordsView `json:"keys"`
	Lists   map[string][]*TicksView   `json:"lists,omitempty"`
	Embed   BillPartView              `json:"embed"`
	Default TicksView
	Money   *MoneyView
	Heat    HeatView
}

// BillPartView is what is seen of a BillPart.
type BillPartView struct {
	Ticks *TicksView `json:"ticks,omitempty"`
	Words WordsView
	Next  *BillPartView `json:"next,omitempty"`
}
