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

// Stage changes what the server offers while it runs.
type Stage struct {
	registry *tool.Registry
	server   *mcp.Server
}

// ChangeTools adds a tool, or removes it.
func (s *Stage) ChangeTools() (string, error) {
	guest, err := schema.Dynamic(tool.Definition{Name: "guest", Description: "Comes and goes."}, echoArguments)
	if err != nil {
		return "", err
	}
	var duplicate *tool.DuplicateError
	switch err := s.registry.Register(guest); {
	case errors.As(err, &duplicate):
		s.registry.Unregister("guest")
		return "The guest went.", nil
	case err != nil:
		return "", err
	}
	return "A guest came.", nil
}

// ChangePrompts adds a prompt, or replaces it with the same one.
func (s *Stage) ChangePrompts() error {
	return s.server.AddPrompt(mcp.Prompt{Name: "guest", Description: "Comes and stays.", Write: fixedPrompt(content.Text("Hello!"))})
}

// dynamicDefinitions are tools with schemas that no Go type has.
var dynamicDefinitions = []tool.Definition{
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

// echoArguments returns the arguments.
func echoArguments(_ context.Context, arguments json.RawMessage) (json.RawMessage, error) {
	return arguments, nil
}

// registerTools registers all tools.
func (s *Stage) registerTools() error {
	err := Register(s.registry, Deps{Stage: s})
	for _, d := range dynamicDefinitions {
		t, failed := schema.Dynamic(d, echoArguments)
		if err = errors.Join(err, failed); err == nil {
			err = s.registry.Register(t)
		}
	}
	return err
}
