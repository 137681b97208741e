package jsonschema

import (
	"errors"
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

const (
	// shortestText is the number of characters to which texts are cut before lists are cut. Many elements with
	// short texts are more useful than a few complete elements.
	shortestText = 200

	// maxNamedLists is the maximum number of cut lists that a description names.
	maxNamedLists = 5
)

// Truncate shortens a JSON value to at most limit bytes. lost describes what was cut; it is
// "" if the value was short enough. Truncate first cuts texts, which then end in "…", and
// then lists. It never cuts texts with a format, a pattern or enumerated values. If
// schema is nil, all values are allowed. Truncate returns an error if the value cannot be cut
// enough.
func Truncate(text string, schema *Schema, limit int) (cut, lost string, err error) {
	if len(text) <= limit {
		return text, "", nil
	}
	value, err := jsontext.Parse(text, jsontext.Depth)
	if err != nil {
		return "", "", err
	}
	p := newTruncatable(value, schema)
	c, ok := p.findTruncation(limit)
	if !ok {
		return "", "", fmt.Errorf("it has %d bytes and cannot be cut to %d", len(text), limit)
	}
	b, _ := p.appendTo(nil, c, limit)
	if schema != nil {
		short, err := jsontext.Parse(string(b), jsontext.Depth)
		if err != nil {
			return "", "", err
		}
		if schema.Check(short, len(b)) != nil {
			return "", "", errors.New("its schema does not allow the value after cutting")
		}
	}
	return string(b), p.describeLoss(c), nil
}

// A truncation limits the lengths of lists and texts.
type truncation struct {
	list int // elements of lists
	text int // characters of texts, including the truncation mark
}

// findTruncation returns the truncation that removes as little as possible so that the value has at most limit bytes.
func (p *truncatable) findTruncation(limit int) (truncation, bool) {
	fits := func(c truncation) bool {
		_, ok := p.appendTo(nil, c, limit)
		return ok
	}
	longest := p.fullLength()
	few, one := min(shortestText, longest.text), min(1, longest.list)
	for _, c := range []truncation{{longest.list, few}, {one, few}, {one, 0}, {0, few}, {0, 0}} {
		if !fits(c) {
			continue
		}
		if c.text == few {
			c.list = findLargest(c.list, longest.list, func(list int) bool { return fits(truncation{list, few}) })
		}
		c.text = findLargest(c.text, longest.text, func(text int) bool { return fits(truncation{c.list, text}) })
		return c, true
	}
	return truncation{}, false
}

// findLargest returns the largest number between low and high that fits. low must fit.
func findLargest(low, high int, fits func(int) bool) int {
	for low < high {
		if middle := low + (high-low+1)/2; fits(middle) {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low
}

// describeLoss describes what a truncation removes.
func (p *truncatable) describeLoss(c truncation) string {
	var lists []string
	count, texts := 0, false
	p.eachKept("", c, func(pointer string, p *truncatable) {
		switch kept := p.keptLength(c); {
		case kept == p.length:
		case p.node.Kind == jsontext.String:
			texts = true
		default:
			if count++; count <= maxNamedLists {
				where := "it"
				if pointer != "" {
					where = pointer
				}
				lists = append(lists, fmt.Sprintf("%s has the first %d of %d elements", where, kept, p.length))
			}
		}
	})
	if count > maxNamedLists {
		lists = append(lists, fmt.Sprintf("%d more lists are cut", count-maxNamedLists))
	}
	if texts {
		lists = append(lists, `texts that end in "…" are cut`)
	}
	return strings.Join(lists, "; ")
}
