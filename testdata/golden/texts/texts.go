// Package texts has types that JSON knows as text, or as something missing.
package texts

import (
	"database/sql"
	"encoding/json"
	"errors"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// Name reads and writes itself as text.
type Name struct{ first, last string }

// MarshalText writes both names.
func (n Name) MarshalText() ([]byte, error) {
	if n.last == "" {
		return nil, errors.New("no last name")
	}
	return []byte(n.first + " " + n.last), nil
}

// UnmarshalText reads both names.
func (n *Name) UnmarshalText(text []byte) error {
	var ok bool
	if n.first, n.last, ok = strings.Cut(string(text), " "); !ok {
		return errors.New("a first and a last name make a name")
	}
	return nil
}

// Level is an integer that reads and writes itself as text.
type Level int

// The levels, which are no enum, since they have a text of their own.
const (
	Low Level = iota
	High
)

// MarshalText writes a word.
func (l Level) MarshalText() ([]byte, error) { return []byte([]string{"low", "high"}[l]), nil }

// UnmarshalText reads a word.
func (l *Level) UnmarshalText(text []byte) error {
	*l = Level(strings.Index("low high", string(text)) / 4)
	return nil
}

// Celsius writes itself as JSON.
type Celsius float64

// MarshalJSON writes an object.
func (c Celsius) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]float64{"celsius": float64(c)})
}

// All holds all of them.
type All struct {
	Name     Name             `json:"name"`
	Names    []Name           `json:"names"`
	Other    *Name            `json:"other,omitempty"`
	Level    Level            `json:"level,omitempty"`
	IP       net.IP           `json:"ip,omitempty"`
	Addr     netip.Addr       `json:"addr,omitzero"`
	URL      url.URL          `json:"url"`
	Home     *url.URL         `json:"home"`
	Text     sql.NullString   `json:"text"`
	Count    sql.Null[int64]  `json:"count"`
	Since    sql.NullTime     `json:"since"`
	Counts   []sql.NullInt32  `json:"counts"`
	Timeout  time.Duration    `json:"timeout,omitempty"`
	Done     bool             `json:"done,omitzero"`
	Pair     [2]int           `json:"pair,omitzero"`
	Nothing  [0]int           `json:"nothing,omitempty"`
	Anything any              `json:"anything,omitempty"`
	Tags     []string         `json:"tags,omitzero"`
	Raw      json.RawMessage  `json:"raw,omitempty"`
	Weights  map[int32]string `json:"weights,omitempty"`
}

// Copy returns what it is given.
func Copy(a All) (All, error) { return a, nil }

// Measure has a result that writes itself.
func Measure(level Level) ([]Celsius, error) { return []Celsius{Celsius(level)}, nil }
