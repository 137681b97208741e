package tools

import (
	"context"
	"slices"

	"github.com/docker/docker/api/types/filters"
	"github.com/docker/docker/client"

	"github.com/aiongen/aiongen/runtime/tool"
)

var _ = tool.Inject[*client.Client]()

// Filters have unexported fields, so JSON needs another form of them.
var _ = tool.Represent(parseFilters, listFilters)

var _ context.Context

// parseFilters returns the filters with the given values of each key.
func parseFilters(values map[string][]string) (filters.Args, error) {
	args := filters.NewArgs()
	for key, list := range values {
		for _, value := range list {
			args.Add(key, value)
		}
	}
	return args, nil
}

// listFilters returns the values of each key in order.
func listFilters(args filters.Args) map[string][]string {
	values := map[string][]string{}
	for _, key := range args.Keys() {
		values[key] = slices.Sorted(slices.Values(args.Get(key)))
	}
	return values
}
