package redact

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/tool"
)

// catalog describes the tools of a run. It is immutable.
type catalog struct {
	tools        []tool.Definition
	byName       map[string]tool.Definition
	byFoldedName map[string]tool.Definition
	places       []place            // places of all members of arguments and results
	placesByName map[string][]place // the same places, by the name of the member as words.FoldName returns it
	published    map[string]bool    // names and texts in schemas

	names, foldedNames []string // names of the tools, unchanged and as words.FoldName returns them
}

// place is the position of an argument or of a member of a result, such as
// {"send", "/arguments/to/email"}.
type place struct{ tool, pointer string }

func newCatalog(tools []tool.Definition) *catalog {
	c := &catalog{tools: tools, byName: map[string]tool.Definition{}, byFoldedName: map[string]tool.Definition{}, placesByName: map[string][]place{}, published: map[string]bool{}}
	for _, d := range tools {
		if _, exists := c.byName[d.Name]; !exists && d.Name != "" {
			c.byName[d.Name] = d
		}
		c.byFoldedName[words.FoldName(d.Name)] = d
		c.names, c.foldedNames = append(c.names, d.Name), append(c.foldedNames, words.FoldName(d.Name))
		c.addPlaces(place{d.Name, "/arguments"}, d.Input, 0)
		c.addPlaces(place{d.Name, "/output"}, d.Output, 0)
		for _, schema := range []json.RawMessage{d.Input, d.Output} {
			if n, err := jsontext.Parse(string(schema), jsontext.MaxDepth); err == nil {
				c.publishWords(n)
			}
		}
	}
	return c
}

// describes reports whether the catalog was made from tools with these names and schemas.
func (c *catalog) describes(tools []tool.Definition) bool {
	return slices.EqualFunc(c.tools, tools, func(a, b tool.Definition) bool {
		return a.Name == b.Name && bytes.Equal(a.Input, b.Input) && bytes.Equal(a.Output, b.Output)
	})
}

// catalogs caches the most recently used catalogs. Runs with the same tools share a catalog. It is
// safe for concurrent use.
type catalogs struct {
	mu     sync.Mutex
	recent []*catalog
}

func (all *catalogs) catalogFor(tools []tool.Definition) *catalog {
	const maxRecent = 16
	all.mu.Lock()
	defer all.mu.Unlock()
	i := slices.IndexFunc(all.recent, func(c *catalog) bool { return c.describes(tools) })
	if i < 0 {
		all.recent = append(all.recent, newCatalog(tools))
		i = len(all.recent) - 1
	}
	c := all.recent[i]
	copy(all.recent[1:i+1], all.recent[:i])
	all.recent[0] = c
	all.recent = all.recent[:min(len(all.recent), maxRecent)]
	return c
}

const maxPlaceDepth = 8

// addPlaces adds the places of the members that a schema declares.
func (c *catalog) addPlaces(at place, schema json.RawMessage, depth int) {
	if depth == maxPlaceDepth {
		return
	}
	properties := parseShape(schema).Properties
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		member := place{at.tool, jsontext.Join(at.pointer, name)}
		c.places = append(c.places, member)
		c.placesByName[words.FoldName(name)] = append(c.placesByName[words.FoldName(name)], member)
		c.addPlaces(member, properties[name], depth+1)
	}
}

// publishWords marks the names and texts of a schema as public. Such a name is shown even if it contains a
// hidden value.
func (c *catalog) publishWords(n *jsontext.Node) {
	if n.Is(jsontext.String) {
		c.published[n.Str()] = true
	}
	for _, item := range n.Items {
		c.published[item.Name()] = true
		c.publishWords(item)
	}
}

// schemaShape has the keywords of a schema that this package uses.
type schemaShape struct {
	Properties map[string]json.RawMessage `json:"properties"`
	Items      json.RawMessage            `json:"items"`
	Additional json.RawMessage            `json:"additionalProperties"`
}

func parseShape(schema json.RawMessage) (s schemaShape) {
	if json.Unmarshal(schema, &s) != nil {
		return schemaShape{}
	}
	return s
}

// findPlaces returns the places of all arguments and members of results with this name, in any
// spelling that FoldName treats as equal.
func (c *catalog) findPlaces(member string) []place { return c.placesByName[words.FoldName(member)] }

// findTool returns the definition of a tool.
func (c *catalog) findTool(name string) (d tool.Definition, ok bool) {
	d, ok = c.byName[name]
	return d, ok
}
