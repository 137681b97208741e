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
