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

// plausibleName matches names that a tool or an argument could have. Other names may be values.
var plausibleName = regexp.MustCompile(`^[\pL\pM\pN_.:/-]{0,64}$`)

// redactName redacts the name of a tool or an argument, which a model may have invented.
func (x *pass) redactName(name string) string {
	if _, ok := x.catalog.findTool(name); ok || plausibleName.MatchString(name) && !x.revealsHidden(name) {
		return name
	}
	return plainText(x.withholdText(name))
}

// redactPointer redacts the names in a pointer to an argument.
func (x *pass) redactPointer(pointer string) (redacted string) {
	for token := range jsontext.Names(pointer) {
		redacted = jsontext.Join(redacted, x.redactName(token))
	}
	return redacted
}

// redactArguments redacts the arguments of a call. It repairs them first, as the tool does, so that
// their names match the schema.
func (x *pass) redactArguments(toolName string, raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return raw
	}
	d, ok := x.catalog.findTool(toolName)
	if !ok {
		return x.withholdArguments(toolName, raw)
	}
	read, err := repair.Arguments(string(raw), d.Input)
	if err != nil {
		return x.redactRejected(d, string(raw))
	}
	if dropsText(read.Edits) {
		x.withholdText(string(raw))
	}
	return x.redactValue(toolName, "/arguments", read.Value)
}

// dropsText reports whether edits removed text, which may contain hidden values.
func dropsText(edits []tool.Edit) bool {
	return slices.ContainsFunc(edits, func(e tool.Edit) bool {
		return slices.Contains([]string{"comment", "cut", "text", "unknown"}, e.Kind)
	})
}

// redactRejected redacts arguments that the tool rejects. It withholds members whose names are not in
// the schema, because they may be misspelled names of hidden arguments.
func (x *pass) redactRejected(d tool.Definition, text string) json.RawMessage {
	const pointer = "/arguments"
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
	if redacted := x.showValue(d.Name, pointer, read.Value); !bytes.Equal(redacted, read.Value) {
		return redacted
	}
	properties := parseShape(d.Input).Properties
	redacted := &jsontext.Node{Kind: jsontext.Object}
	for _, m := range n.Items {
		shown := &jsontext.Node{Key: m.Key}
		property, declared := properties[m.Name()]
		if declared && declaresMembers(property, m) {
			shown.Text = string(walker{x, d.Name, read.Value, nil}.walkNode(jsontext.Join(pointer, m.Name()), m))
		} else {
			member := "{" + m.Key + ":" + string(read.Value[m.Start:m.End]) + "}"
			shown.Text = string(x.withholdArguments(d.Name, json.RawMessage(member)))
		}
		if !declared {
			shown.Key = jsontext.Quote(x.redactName(m.Name()))
		}
		redacted.Add(shown)
	}
	return redacted.Append(nil)
}

// declaresMembers reports whether a schema declares all members of a value, at all depths.
func declaresMembers(schema json.RawMessage, n *jsontext.Node) bool {
	s := parseShape(schema)
	return !slices.ContainsFunc(n.Items, func(item *jsontext.Node) bool {
		itemSchema := s.Items
		if n.Is(jsontext.Object) {
			if itemSchema = s.Properties[item.Name()]; itemSchema == nil {
				itemSchema = s.Additional
			}
			if len(itemSchema) == 0 || itemSchema[0] != '{' {
				return true
			}
		}
		return !declaresMembers(itemSchema, item)
	})
}

// hidesArgument reports whether the rule would hide a text as the value of some argument of a tool.
func (x *pass) hidesArgument(d tool.Definition, text string) bool {
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
