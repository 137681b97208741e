// Package unseen has types that JSON cannot carry as a whole.
package unseen

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"
)

//go:generate go tool aiongen

// Visit is what somebody saw.
type Visit struct {
	URL    string
	Body   io.Reader     // what has no tag is left out
	Raw    io.Reader     `json:"raw,omitempty"`
	Signal []chan string // nor has this
	Ratio  complex128
	Inner  Inner `json:"inner"`
}

// Inner is a part of it.
type Inner struct {
	Deep   *Deep             `json:"deep"`
	ByName map[string]Closer `json:"by_name"`
}

// Deep is deeper.
type Deep struct {
	Name string `json:"name"`
	Stop func()
}

// Closer is all methods.
type Closer struct{ io.Closer }

// Configure says what a logger does.
func Configure(o slog.HandlerOptions, level int) bool { return o.AddSource }

// See returns all of it.
func See(url string) *Visit {
	return &Visit{URL: url, Body: strings.NewReader("secret"), Ratio: 1i, Inner: Inner{Deep: &Deep{Name: "d", Stop: func() {}}}}
}

// Look takes all of it.
func Look(v Visit) string { return v.URL + v.Inner.Deep.Name }

// Page is an answer, one of those of a client that embed it whole.
type Page struct {
	*http.Response
	Next int `json:"next"`
}

// Fetch answers with a page.
func Fetch(url string) (*Page, error) {
	return &Page{Response: &http.Response{Status: "200 OK", Request: &http.Request{Header: http.Header{"Authorization": {"Bearer SECRET"}}}}, Next: 2}, nil
}

// Answer is what is told of an answer.
type Answer struct {
	From   *url.URL    `json:"from"`
	Header http.Header `json:"header"`
	Links  []url.URL   `json:"links"`
}

// Ask returns what is told of an answer, and where it was asked for.
func Ask(at url.URL) (Answer, url.URL) {
	header := http.Header{"Authorization": {"Bearer SECRET"}, "cookie": {"SECRET"}, "Set-Cookie": {"SECRET"}, "X-Api-Key": {"SECRET"}, "Etag": {"1"}}
	return Answer{From: &at, Header: header, Links: []url.URL{at}}, at
}

// Wait waits until all is done.
func Wait(d time.Duration, done ...func()) {}

// Act does what a client does, and takes what changes a call as its clients take it.
func Act(ctx context.Context, v *Visit, opts ...func(*http.Request)) (*Deep, error) {
	return v.Inner.Deep, nil
}

// Since has nothing but what has a form of its own.
type Since struct{ At time.Time }

// Start returns since when something is.
func Start(s []Since) *Since { return &s[0] }

// Rows reads text in rows, each of which Row returns in turn.
func Rows(text string) *csv.Reader { return csv.NewReader(strings.NewReader(text)) }

// Row returns the next row.
func Row(r *csv.Reader) ([]string, error) { return r.Read() }

// Lossy reads JSON into a copy of itself.
type Lossy struct{ values map[string]string }

// UnmarshalJSON reads nothing that lasts.
func (l Lossy) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, &l.values) }

// Filter has a part that no JSON reaches.
func Filter(o struct {
	Name  string
	Lossy Lossy
}) int {
	return len(o.Name) + len(o.Lossy.values)
}
