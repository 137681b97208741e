package main

import (
	"context"
	"encoding/json"
	"regexp"
	"strconv"

	"github.com/aiongen/aiongen/runtime/tool"
)

// validName matches the possible names of users and repositories.
var validName = regexp.MustCompile(`^[\w.-]*[\w-][\w.-]*$`)

// checkNames rejects invalid owners and repositories. go-github puts them into request paths unchanged, where a slash,
// or a name of dots, would reach another part of the API.
func checkNames(next tool.Handler) tool.Handler {
	return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
		if err := c.Check(ctx); err != nil {
			return nil, err
		}
		var names struct{ Owner, Repo, User *string }
		if err := json.Unmarshal(c.Arguments, &names); err != nil {
			return nil, err
		}
		var faults []tool.Fault
		for _, g := range []struct {
			pointer string
			name    *string
		}{{"/owner", names.Owner}, {"/repo", names.Repo}, {"/user", names.User}} {
			if g.name != nil && !validName.MatchString(*g.name) {
				faults = append(faults, tool.Fault{Pointer: g.pointer, Expected: "a name of letters, digits, -, _ and .", Found: strconv.Quote(*g.name)})
			}
		}
		if len(faults) > 0 {
			return nil, &tool.ArgumentError{Tool: c.Request.Name, Faults: faults, Count: len(faults)}
		}
		return next(ctx, c)
	}
}
