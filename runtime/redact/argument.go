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

// plausible matches the names that tools and arguments may have, including unknown ones.
var plausible = regexp.MustCompile(`^[\pL\pM\pN_.:/-]{0,64}$`)

// redactName redacts the name of a tool or an argument, which a model may have invented.
func (x *pass) redactName(name string) string {
	if _, known := x.catalog.findTool(name); known || plausible.MatchString(name) && !x.revealsHidden(name) {
		return name
	}
	return plainText(x.withholdText(name))
}

// redactPointer redacts the names in a pointer to an argument.
func (x *pass) redactPointer(pointer string) (told string) {
	for token := range jsontext.Names(pointer) {
		told = jsontext.Join(told, x.redactName(token))
	}
	return told
}

// redactArguments redacts arguments as a model wrote them, according to how the tool reads them.
func (x *pass) redactArguments(name string, raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return raw
	}
	d, known := x.catalog.findTool(name)
	if !known {
		return x.withholdArguments(name, raw)
	}
	read, err := repair.Arguments(string(raw), d.Input)
	if err != nil {
		return x.redactMisfit(d, string(raw))
	}
	if dropsText(read.Edits) {
		x.withholdText(string(raw))
	}
	return x.redactValue(name, "/arguments", read.Value)
}

// dropsText reports whether edits removed a part of a text, which may contain anything.
func dropsText(edits []tool.Edit) bool {
	return slices.ContainsFunc(edits, func(e tool.Edit) bool {
		return slices.Contains([]string{"comment", "cut", "text", "unknown"}, e.Kind)
	})
}

// redactMisfit redacts arguments that the tool rejects. Members whose names are not in its schema
// may be hidden ones in another spelling, and are withheld.
func (x *pass) redactMisfit(d tool.Definition, text string) json.RawMessage {
	const at = "/arguments"
	read, err := repair.JSON(text, nil)
	if err != nil {
		return x.withholdArguments(d.Name, json.RawMessage(text))
	}
	n, err := jsontext.Parse(string(read.Value), jsontext.MaxDepth)
	if err != nil || !n.Is(jsontext.Object) {
		return x.withholdArguments(d.Name, json.RawMessage(text))
	}
	if dropsText(read.Edits) {
		x.withholdText(text)
	}
	if told := x.askRule(d.Name, at, read.Value); !bytes.Equal(told, read.Value) {
		return told
	}
	properties := parseShape(d.Input).Properties
	told := &jsontext.Node{Kind: jsontext.Object}
	for _, m := range n.Items {
		shown := &jsontext.Node{Key: m.Key}
		property, known := properties[m.Name()]
		if known && hasMemberOf(property, m) {
			shown.Text = string(walker{x, d.Name, read.Value, nil}.walkNode(jsontext.Join(at, m.Name()), m))
		} else {
			member := "{" + m.Key + ":" + string(read.Value[m.Start:m.End]) + "}"
			shown.Text = string(x.withholdArguments(d.Name, json.RawMessage(member)))
		}
		if !known {
			shown.Key = jsontext.Quote(x.redactName(m.Name()))
		}
		told.Add(shown)
	}
	return told.Append(nil)
}

// hasMemberOf reports whether a schema declares all members of a value.
func hasMemberOf(schema json.RawMessage, n *jsontext.Node) bool {
	s := parseShape(schema)
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
		return !hasMemberOf(of, item)
	})
}

// concernsTool reports whether an argument of a tool is hidden.
func (x *pass) concernsTool(d tool.Definition, text string) bool {
	if x.hidesText(d.Name, "/arguments", text) {
		return true
	}
	for name := range parseShape(d.Input).Properties {
		if x.hidesText(d.Name, jsontext.Join("/arguments", name), text) {
			return true
		}
	}
	return false
}
