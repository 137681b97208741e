package tool

import (
	"strings"

	"github.com/aiongen/aiongen/runtime/tool/internal/show"
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
	return show.Name(r.Name) + "(" + show.JSON(string(r.arguments())) + ")"
}

// String returns the name of the tool and the first line of its description.
func (t Tool) String() string {
	d := t.Definition()
	return strings.TrimSuffix(show.Name(d.Name)+": "+show.Line(d.Description), ": ")
}
