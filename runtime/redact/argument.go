package redact

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/tool"
)

// plausible are what tools and arguments may be called, also those that there are not.
var plausible = regexp.MustCompile(`^[\pL\pM\pN_.:/-]{0,64}$`)

// name redacts the name of a tool or an argument, which a model may have made up.
func (x *pass) name(name string) string {
	if _, known := x.catalog.definition(name); known || plausible.MatchString(name) && !x.betrays(name) {
		return name
	}
	return plain(x.withholdText(name))
}

// pointer redacts the names in a pointer to an argument.
func (x *pass) pointer(pointer string) (told string) {
	for token := range jsontext.Names(pointer) {
		told = jsontext.Join(told, x.name(token))
	}
	return told
}

// arguments redacts arguments as a model wrote them, by what the tool reads in them.
func (x *pass) arguments(name string, raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return raw
	}
	d, known := x.catalog.definition(name)
	if !known {
		return x.withholdArguments(name, raw)
	}
	read, err := repair.Arguments(string(raw), d.Input)
	if err != nil {
		return x.misfit(d, string(raw))
	}
	if leavesOut(read.Edits) {
		x.withholdText(string(raw))
	}
	return x.value(name, "/arguments", read.Value)
}

// leavesOut reports whether edits left something of a text out, which may be anything.
func leavesOut(edits []tool.Edit) bool {
	return slices.ContainsFunc(edits, func(e tool.Edit) bool {
		return slices.Contains([]string{"comment", "cut", "text", "unknown"}, e.Kind)
	})
}

// misfit redacts arguments that the tool refuses. Members whose names are not those of
// its schema may be anything in another spelling, and are withheld.
func (x *pass) misfit(d tool.Definition, text string) json.RawMessage {
	const at = "/arguments"
	read, err := repair.JSON(text, nil)
	if err != nil {
		return x.withholdArguments(d.Name, json.RawMessage(text))
	}
	n, err := jsontext.Parse(string(read.Value), jsontext.MaxDepth)
	if err != nil || !n.Is(jsontext.Object) {
		return x.withholdArguments(d.Name, json.RawMessage(text))
	}
	if leavesOut(read.Edits) {
		x.withholdText(text)
	}
	if told := x.ask(d.Name, at, read.Value); !bytes.Equal(told, read.Value) {
		return told
	}
	properties := object(d.Input).Properties
	told := &jsontext.Node{Kind: jsontext.Object}
	for _, m := range n.Items {
		shown := &jsontext.Node{Key: m.Key}
		property, known := properties[m.Name()]
		if known && names(property, m) {
			shown.Text = string(walker{x, d.Name, read.Value, nil}.node(jsontext.Join(at, m.Name()), m))
		} else {
			member := "{" + m.Key + ":" + string(read.Value[m.Start:m.End]) + "}"
			shown.Text = string(x.withholdArguments(d.Name, json.RawMessage(member)))
		}
		if !known {
			shown.Key = jsontext.Quote(x.name(m.Name()))
		}
		told.Add(shown)
	}
	return told.Append(nil)
}

// names reports whether a schema has all names of members in a value.
func names(schema json.RawMessage, n *jsontext.Node) bool {
	s := object(schema)
	return !slices.ContainsFunc(n.Items, func(item *jsontext.Node) bool {
		of := s.Items
		if n.Is(jsontext.Object) {
			if of = s.Properties[item.Name()]; of == nil {
				of = s.Others
			}
			if len(of) == 0 || of[0] != '{' {
				return true
			}
		}
		return !names(of, item)
	})
}

// concerned reports whether an argument of a tool may not be told.
func (x *pass) concerned(d tool.Definition, text string) bool {
	if x.hides(d.Name, "/arguments", text) {
		return true
	}
	for name := range object(d.Input).Properties {
		if x.hides(d.Name, jsontext.Join("/arguments", name), text) {
			return true
		}
	}
	return false
}
