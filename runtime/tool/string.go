package tool

import (
	"strings"

	"github.com/aiongen/aiongen/runtime/tool/internal/show"
)

// String is the call in one line for people, as in `add({"a":1}) → completed`, with
// arguments that may be secret, cut where long.
func (c *Call) String() string {
	r := c.Request
	r.Arguments = c.Arguments
	return r.String() + " → " + string(c.Status)
}

// String is the request in one line for people, as in `add({"a":1})`, with arguments
// that may be secret, cut where long.
func (r Request) String() string {
	return show.Name(r.Name) + "(" + show.JSON(string(r.arguments())) + ")"
}

// String returns the name of the tool and the first line of its description.
func (t Tool) String() string {
	d := t.Definition()
	return strings.TrimSuffix(show.Name(d.Name)+": "+show.Line(d.Description), ": ")
}
