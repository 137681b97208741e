// Package trim cuts JSON that is too long for a reader: lists and texts lose their
// ends, at places that leave the value one of its schema.
//
// Its layers, from top to bottom:
//
//	trim.go   how far lists and texts are cut, so that as much as can be stays
//	part.go   a value, and what of it may be cut
package trim

import (
	"errors"
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

const (
	// shortest is how much of texts stays, in characters, before lists are cut: many
	// elements with short texts say more than a few with whole ones.
	shortest = 200

	// mostTold bounds how many lists that were cut are named.
	mostTold = 5
)

// Fit returns a value, which is JSON, in at most limit bytes, and says in words what it
// lost, "" if it fits as it is: first texts are cut, and end in "…", then lists. What
// has a format, a pattern or a few values that it may have is never cut. A schema of
// nil allows all. The error is that there is no such place to cut at.
func Fit(text string, schema *jsonschema.Schema, limit int) (cut, lost string, err error) {
	if len(text) <= limit {
		return text, "", nil
	}
	value, err := jsontext.Parse(text, jsontext.Depth)
	if err != nil {
		return "", "", err
	}
	p := partOf(value, schema)
	c, ok := p.fit(limit)
	if !ok {
		return "", "", fmt.Errorf("it is %d bytes long, may be %d, and cannot be cut so far", len(text), limit)
	}
	b, _ := p.append(nil, c, limit)
	if schema != nil {
		short, err := jsontext.Parse(string(b), jsontext.Depth)
		if err != nil {
			return "", "", err
		}
		if schema.Check(short, len(b)) != nil {
			return "", "", errors.New("what is left of it when it is cut is not what its schema allows")
		}
	}
	return string(b), p.lost(c), nil
}

// A cut says how long what can be cut may be.
type cut struct {
	list int // of lists, in elements
	text int // of texts, in characters, the mark that it was cut included
}

// fit returns the cut that leaves the most within a limit.
func (p *part) fit(limit int) (cut, bool) {
	fits := func(c cut) bool {
		_, ok := p.append(nil, c, limit)
		return ok
	}
	longest := p.longest()
	few, one := min(shortest, longest.text), min(1, longest.list)
	for _, c := range []cut{{longest.list, few}, {one, few}, {one, 0}, {0, few}, {0, 0}} {
		if !fits(c) {
			continue
		}
		if c.text == few {
			c.list = upTo(c.list, longest.list, func(list int) bool { return fits(cut{list, few}) })
		}
		c.text = upTo(c.text, longest.text, func(text int) bool { return fits(cut{c.list, text}) })
		return c, true
	}
	return cut{}, false
}

// upTo returns the last number up to another that fits; the first one does.
func upTo(n, most int, fits func(int) bool) int {
	for n < most {
		if middle := n + (most-n+1)/2; fits(middle) {
			n = middle
		} else {
			most = middle - 1
		}
	}
	return n
}

// lost says what a cut takes away.
func (p *part) lost(c cut) string {
	var lists []string
	count, texts := 0, false
	p.each("", c, func(pointer string, p *part) {
		switch kept := p.kept(c); {
		case kept == p.length:
		case p.node.Kind == jsontext.String:
			texts = true
		default:
			if count++; count <= mostTold {
				where := "it"
				if pointer != "" {
					where = pointer
				}
				lists = append(lists, fmt.Sprintf("%s has the first %d of %d elements", where, kept, p.length))
			}
		}
	})
	if count > mostTold {
		lists = append(lists, fmt.Sprintf("%d more are cut like that", count-mostTold))
	}
	if texts {
		lists = append(lists, `texts that end in "…" are cut`)
	}
	return strings.Join(lists, "; ")
}
