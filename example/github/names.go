package main

import (
	"context"
	"encoding/json"
	"regexp"
	"strconv"

	"github.com/aiongen/aiongen/runtime/tool"
)

// plain matches what users and repositories can be called.
var plain = regexp.MustCompile(`^[\w.-]*[\w-][\w.-]*$`)

// named refuses owners and repositories that cannot be called so. go-github writes
// them into the paths of its requests as they are, where a slash, or dots alone,
// would reach another part of the API than the tool is for.
func named(next tool.Handler) tool.Handler {
	return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
		if err := c.Check(ctx); err != nil {
			return nil, err
		}
		var given struct{ Owner, Repo, User *string }
		if err := json.Unmarshal(c.Arguments, &given); err != nil {
			return nil, err
		}
		var faults []tool.Fault
		for _, g := range []struct {
			pointer string
			name    *string
		}{{"/owner", given.Owner}, {"/repo", given.Repo}, {"/user", given.User}} {
			if g.name != nil && !plain.MatchString(*g.name) {
				faults = append(faults, tool.Fault{Pointer: g.pointer, Expected: "a name of letters, digits, -, _ and .", Found: strconv.Quote(*g.name)})
			}
		}
		if len(faults) > 0 {
			return nil, &tool.ArgumentError{Tool: c.Request.Name, Faults: faults, Count: len(faults)}
		}
		return next(ctx, c)
	}
}
