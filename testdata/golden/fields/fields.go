//lint:file-ignore SA5008 encoding/json takes ",string" for more than numbers

// Package fields has structs with all that encoding/json has rules for.
package fields

//lint:file-ignore SA5008 encoding/json quotes more than numbers, and so do we

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/aiongen/aiongen/testdata/golden/fields/parts"
)

// Level is a number with names.
type Level int

// The levels.
const (
	Low  Level = 1
	High Level = 2
)

// Quoted has the tag option ",string".
type Quoted struct {
	Bool    bool        `json:"bool,string"`
	Int     int64       `json:"int,string"`
	Uint    uint8       `json:"uint,string"`
	Float   float64     `json:"float,string"`
	String  string      `json:"string,string"`
	Pointer *int        `json:"pointer,string"`
	Left    *int        `json:"left,omitempty,string"`
	Zero    int         `json:"zero,omitempty,string"`
	Level   Level       `json:"level,string"`
	Number  json.Number `json:"number,string"`
	// List is not a basic type, so that the option does nothing.
	List []int     `json:"list,string"`
	Time time.Time `json:"time,string"`
	Port uintptr   `json:"port,string"`
}

// CopyQuoted returns what it is given.
func CopyQuoted(q Quoted) Quoted { return q }

// Base is embedded.
type Base struct {
	ID   int    `json:"id"` // number of the thing
	Name string `json:"name,omitempty"`
	*Deep
}

// Deep is embedded in what is embedded.
type Deep struct {
	Depth int      `json:"depth"`
	Name  string   // hidden in Go by Base.Name
	Tags  []string `json:"tags"`
}

type inner struct {
	Inner string `json:"inner"`
	Other int    `json:"Other"`
}

// Node embeds itself.
type Node struct {
	*Node
	Value int `json:"value"`
}

// Embedding embeds structs and pointers to them.
type Embedding struct {
	*Base
	*inner
	Node   `json:"node"`
	Other  string
	Base64 []byte `json:"base64,omitempty"`
}

// CopyEmbedding returns what it is given.
func CopyEmbedding(e *Embedding) *Embedding { return e }

// Stamp promotes the methods of a time, so that it is nothing else.
type Stamp struct {
	time.Time
	Note string
}

// Celsius reads itself as any number, and writes itself as an object.
type Celsius float64

// MarshalJSON writes an object.
func (c Celsius) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, `{"celsius":%v}`, float64(c)), nil
}

// Secret shows itself as stars.
type Secret string

// MarshalText writes stars.
func (s Secret) MarshalText() ([]byte, error) {
	return []byte(strings.Repeat("*", len(s))), nil
}

// Word reads itself in upper case, and writes itself as a string.
type Word string

// UnmarshalText reads text of any case.
func (w *Word) UnmarshalText(text []byte) error {
	*w = Word(strings.ToUpper(string(text)))
	return nil
}

// Bit is a byte with a name.
type Bit byte

// Forms has types with forms of their own.
type Forms struct {
	Stamp     Stamp          `json:"stamp"`
	Celsius   Celsius        `json:"celsius"`
	Secret    Secret         `json:"secret"`
	Word      Word           `json:"word"`
	Big       big.Int        `json:"big"`
	Huge      *big.Int       `json:"huge,omitempty"`
	Ratio     *big.Rat       `json:"ratio,omitempty"`
	Bits      []Bit          `json:"bits"`
	Four      [4]byte        `json:"four"`
	IP        net.IP         `json:"ip"`
	Addr      netip.Addr     `json:"addr"`
	Port      netip.AddrPort `json:"port"`
	Net       netip.Prefix   `json:"net"`
	Links     []url.URL      `json:"links"`
	Anonymous struct {
		time.Time
	} `json:"anonymous"`
}

// CopyForms returns what it is given.
func CopyForms(f Forms) Forms { return f }

// Maps has keys of all kinds.
type Maps struct {
	Addrs  map[netip.Addr]int      `json:"addrs"`
	Times  map[time.Time]bool      `json:"times"`
	Levels map[Level]string        `json:"levels"`
	Words  map[Word]int            `json:"words"`
	Waits  map[time.Duration]int   `json:"waits"`
	Colors map[Color]float64       `json:"colors"`
	Deep   map[string]map[int8]any `json:"deep"`
}

// Color is a colour.
type Color string

// The colours.
const (
	Red   Color = "red"
	Green Color = "green"
)

// CopyMaps returns what it is given.
func CopyMaps(m Maps) Maps { return m }

// CopyBox returns what it is given.
func CopyBox(b parts.Box) parts.Box { return b }

// Halve takes types that have no form of their own in one direction.
func Halve(celsius Celsius, secret Secret) (Celsius, Secret, error) {
	return celsius / 2, secret[:1], nil
}

// Kelvin reads itself from JSON, so that only a note can say what it takes.
type Kelvin struct{ degrees float64 }

// UnmarshalJSON reads a number that is not negative.
func (k *Kelvin) UnmarshalJSON(text []byte) error {
	if err := json.Unmarshal(text, &k.degrees); err != nil {
		return err
	}
	if k.degrees < 0 {
		return errors.New("nothing is as cold")
	}
	return nil
}

// Point is a place.
type Point struct {
	X, Y int
}

// Place reads itself as a point.
type Place struct{ Point }

// UnmarshalJSON reads an object.
func (p *Place) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, &p.Point) }

// Heat holds types that read themselves.
type Heat struct {
	Now   Kelvin            `json:"now"`
	Then  *Kelvin           `json:"then,omitempty"`
	All   []Kelvin          `json:"all"`
	Named map[string]Kelvin `json:"named"`
	Where Place             `json:"where"`
	Raw   Kelvin            `json:"raw"`
}

// Warmest adds up all that it is given.
func Warmest(h Heat) (sum float64, where Point) {
	sum = h.Now.degrees + h.Raw.degrees
	if h.Then != nil {
		sum += h.Then.degrees
	}
	for _, k := range h.All {
		sum += k.degrees
	}
	for _, k := range h.Named {
		sum += k.degrees
	}
	return sum, h.Where.Point
}

// Handle is what only a reference can name.
type Handle struct{ n int }

// IsZero reads the handle, which has to be there.
func (h Handle) IsZero() bool { return h.n == 0 }

// Vague may be any type that is nothing at times.
type Vague interface{ IsZero() bool }

// Span is nothing unless it is long.
type Span struct {
	Length int `json:"length"`
}

// IsZero reads the span, which has to be there.
func (s Span) IsZero() bool { return s.Length < 2 }

// Vanishing has fields that are left out by a method IsZero, or for want of one.
type Vanishing struct {
	Handle *Handle  `json:"handle,omitzero"`
	Vague  Vague    `json:"vague,omitzero"`
	Span   Span     `json:"span,omitzero"`
	Once   *Span    `json:"once,omitzero"`
	Twice  **Span   `json:"twice,omitzero"`
	Any    any      `json:"any,omitzero"`
	Spans  []Span   `json:"spans,omitzero"`
	Far    *Vague   `json:"far,omitzero"`
	Error  error    `json:"error,omitzero"`
	Hidden *Handles `json:"hidden,omitzero"`
	Queue  chan int `json:"queue,omitzero"`
	Hook   func()   `json:"hook,omitzero"`
}

// Handles are handles.
type Handles []Handle

// IsZero reports whether there is none.
func (h Handles) IsZero() bool { return len(h) == 0 }

// Vanish returns what there is under some names.
func Vanish(names []string) (v Vanishing) {
	short, long := &Span{Length: 1}, &Span{Length: 2}
	for _, name := range names {
		switch name {
		case "nil":
			v.Vague = (*Handle)(nil)
		case "zero":
			v = Vanishing{Handle: &Handle{}, Vague: short, Span: *short, Once: short, Twice: &short, Hidden: &Handles{}}
		case "full":
			v = Vanishing{Handle: &Handle{1}, Vague: long, Span: *long, Once: long, Twice: &long, Any: 0, Spans: []Span{}, Error: errors.New("error"), Queue: make(chan int), Hook: func() {}}
		}
	}
	return v
}

// Day is a date, in the zone of whoever asks.
type Day struct{ time.Time }

// UnmarshalJSON reads a date.
func (d *Day) UnmarshalJSON(text []byte) (err error) {
	d.Time, err = time.Parse(`"2006-01-02"`, string(text))
	return err
}

// MarshalJSON writes a date.
func (d Day) MarshalJSON() ([]byte, error) { return d.AppendFormat(nil, `"2006-01-02"`), nil }

// Since is a time that some write as a number.
type Since struct{ time.Time }

// UnmarshalJSON reads a time, and keeps it in UTC.
func (s *Since) UnmarshalJSON(text []byte) error {
	if n, err := strconv.ParseInt(string(text), 10, 64); err == nil {
		s.Time = time.Unix(n, 0).UTC()
		return nil
	}
	err := s.Time.UnmarshalJSON(text)
	s.Time = s.UTC()
	return err
}

// Days embeds times that read themselves, in one direction or both.
type Days struct {
	Day   Day           `json:"day"`
	Since Since         `json:"since"`
	Keys  map[Day]Since `json:"keys"`
}

// CopyDays returns what it is given.
func CopyDays(of []Days) Days { return of[0] }
