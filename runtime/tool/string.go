package tool

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
)

// What the texts of calls and tools show of arguments and descriptions, and of
// names, in bytes.
const (
	longestShown     = 200
	longestShownName = 128
)

// String returns the call in one line, as in `add({"a":1,"b":2}) → completed`: it is
// for people, and shows the arguments, which may be secret; long ones are cut.
func (c *Call) String() string {
	r := c.Request
	r.Arguments = c.Arguments
	return r.String() + " → " + string(c.Status)
}

// String returns the request in one line, as in `add({"a":1,"b":2})`: it is for
// people, and shows the arguments, which may be secret; long ones are cut.
func (r Request) String() string {
	text := string(r.arguments())
	if line := new(bytes.Buffer); json.Compact(line, []byte(text)) == nil {
		text = line.String()
	} else {
		text = strconv.Quote(words.Cut(text, longestShown))
	}
	return shownName(r.Name) + "(" + words.Cut(text, longestShown) + ")"
}

// String returns the name of the tool and the first line of its description.
func (t Tool) String() string {
	d := t.Definition()
	line, _, _ := strings.Cut(strings.TrimSpace(d.Description), "\n")
	return strings.TrimSuffix(shownName(d.Name)+": "+words.Cut(line, longestShown), ": ")
}

// shownName returns a name, which a model may have written, quoted if it is not of
// the characters that names are of.
func shownName(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || !strconv.IsPrint(r) }) || name == "" {
		return strconv.Quote(words.Cut(name, longestShownName))
	}
	return words.Cut(name, longestShownName)
}
