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

// catalog is what is known of the tools of a run. It does not change.
type catalog struct {
	tools     []tool.Definition
	byName    map[string]tool.Definition
	folded    map[string]tool.Definition
	places    []place            // of all members of arguments and results
	named     map[string][]place // by the folded names of members
	published map[string]bool    // names and texts in schemas

	names, foldedNames []string
}

// place is where a member is in a call of a tool.
type place struct{ tool, pointer string }

func newCatalog(tools []tool.Definition) *catalog {
	c := &catalog{tools: tools, byName: map[string]tool.Definition{}, folded: map[string]tool.Definition{}, named: map[string][]place{}, published: map[string]bool{}}
	for _, d := range tools {
		if _, known := c.byName[d.Name]; !known && d.Name != "" {
			c.byName[d.Name] = d
		}
		c.folded[words.Folded(d.Name)] = d
		c.names, c.foldedNames = append(c.names, d.Name), append(c.foldedNames, words.Folded(d.Name))
		c.addPlaces(place{d.Name, "/arguments"}, d.Input, 0)
		c.addPlaces(place{d.Name, "/output"}, d.Output, 0)
		for _, schema := range []json.RawMessage{d.Input, d.Output} {
			if n, err := jsontext.Parse(string(schema), jsontext.MaxDepth); err == nil {
				c.publish(n)
			}
		}
	}
	return c
}

// describes reports whether the catalog is of these tools.
func (c *catalog) describes(tools []tool.Definition) bool {
	return slices.EqualFunc(c.tools, tools, func(a, b tool.Definition) bool {
		return a.Name == b.Name && bytes.Equal(a.Input, b.Input) && bytes.Equal(a.Output, b.Output)
	})
}

// catalogs holds the catalogs that were used last. Runs with the same tools share one. It is
// safe for concurrent use.
type catalogs struct {
	mu     sync.Mutex
	recent []*catalog
}

func (all *catalogs) of(tools []tool.Definition) *catalog {
	const most = 16
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
	all.recent = all.recent[:min(len(all.recent), most)]
	return c
}

const deepestPlace = 8

func (c *catalog) addPlaces(at place, schema json.RawMessage, depth int) {
	if depth == deepestPlace {
		return
	}
	properties := object(schema).Properties
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		member := place{at.tool, jsontext.Join(at.pointer, name)}
		c.places = append(c.places, member)
		c.named[words.Folded(name)] = append(c.named[words.Folded(name)], member)
		c.addPlaces(member, properties[name], depth+1)
	}
}

func (c *catalog) publish(n *jsontext.Node) {
	if n.Is(jsontext.String) {
		c.published[n.Str()] = true
	}
	for _, item := range n.Items {
		c.published[item.Name()] = true
		c.publish(item)
	}
}

// shape is what is looked at of a schema.
type shape struct {
	Properties map[string]json.RawMessage `json:"properties"`
	Items      json.RawMessage            `json:"items"`
	Others     json.RawMessage            `json:"additionalProperties"`
}

func object(schema json.RawMessage) (s shape) {
	if json.Unmarshal(schema, &s) != nil {
		return shape{}
	}
	return s
}

// find returns where a member of such a name is in calls of the tools.
func (c *catalog) find(name string) []place { return c.named[words.Folded(name)] }

// definition returns that of a tool.
func (c *catalog) definition(name string) (d tool.Definition, known bool) {
	d, known = c.byName[name]
	return d, known
}
