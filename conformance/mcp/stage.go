package main

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/mcp"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Stage is what is served, and changes while it is.
type Stage struct {
	registry *tool.Registry
	server   *mcp.Server
}

// ChangeTools adds a tool, or takes it away.
func (s *Stage) ChangeTools() (string, error) {
	guest, err := schema.Dynamic(tool.Definition{Name: "guest", Description: "Comes and goes."}, given)
	if err != nil {
		return "", err
	}
	var there *tool.DuplicateError
	switch err := s.registry.Register(guest); {
	case errors.As(err, &there):
		s.registry.Unregister("guest")
		return "The guest went.", nil
	case err != nil:
		return "", err
	}
	return "A guest came.", nil
}

// ChangePrompts adds a prompt, in the place of itself.
func (s *Stage) ChangePrompts() error {
	return s.server.AddPrompt(mcp.Prompt{Name: "guest", Description: "Comes and stays.", Write: writes(content.Text("Hello!"))})
}

// untyped are tools whose schemas no Go type has.
var untyped = []tool.Definition{
	{
		Name: "json_schema_2020_12_tool", Description: "Takes what a schema with all that JSON Schema has describes.",
		Input: json.RawMessage(`{
			"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
			"$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},
			"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},
				"contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},"email":{"type":"string"}},
			"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],
			"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},
			"then":{"required":["phone"]},"else":{"required":["email"]},
			"additionalProperties":false}`),
	},
	{
		Name: "test_x_mcp_header", Description: "Has an argument that is a header of the request, too.",
		Input: json.RawMessage(`{"type":"object","properties":{
			"region":{"type":"string","x-mcp-header":"Region"},
			"level":{"type":"integer"}}}`),
	},
}

// given returns the arguments.
func given(_ context.Context, arguments json.RawMessage) (json.RawMessage, error) {
	return arguments, nil
}

// open registers all tools.
func (s *Stage) open() error {
	err := Register(s.registry, Deps{Stage: s})
	for _, d := range untyped {
		t, failed := schema.Dynamic(d, given)
		if err = errors.Join(err, failed); err == nil {
			err = s.registry.Register(t)
		}
	}
	return err
}
