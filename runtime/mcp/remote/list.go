package remote

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Bounds of what a server offers.
const (
	mostTools          = 10_000
	mostPages          = 1_000
	longestName        = 128      // in bytes
	longestDescription = 64 << 10 // in bytes
	largestList        = 32 << 20 // in bytes, of all descriptions and schemas
)

// tools returns the tools that the server has now; see [Tools].
func (c *caller) tools(ctx context.Context) ([]tool.Tool, error) {
	listed, err := c.list(ctx)
	if err != nil {
		return nil, fmt.Errorf("the tools of the server cannot be listed: %w", err)
	}
	var tools []tool.Tool
	var leftOut []error
	seen, size := map[string]bool{}, 0
	for _, t := range listed {
		made, err := c.tool(t)
		if err == nil && seen[t.Name] {
			err = errors.New("another one of the server has the name")
		}
		if err != nil {
			if known, ok := errors.AsType[*tool.DefinitionError](err); ok {
				err = known.Err
			}
			leftOut = append(leftOut, &tool.DefinitionError{Tool: words.Cut(t.Name, longestName), Err: err})
			continue
		}
		seen[t.Name] = true
		d := made.Definition()
		if size += len(d.Description) + len(d.Input) + len(d.Output); size > largestList {
			return nil, fmt.Errorf("the tools of the server cannot be listed: they are described in more than %d bytes", largestList)
		}
		tools = append(tools, made)
	}
	return tools, errors.Join(leftOut...)
}

// list gets all pages of the tools of the server.
func (c *caller) list(ctx context.Context) (all []*sdk.Tool, err error) {
	seen := map[string]bool{}
	for cursor := ""; ; {
		page, err := c.session.ListTools(ctx, &sdk.ListToolsParams{Cursor: cursor})
		if err != nil {
			return nil, err
		}
		all = append(all, page.Tools...)
		seen[cursor] = true
		switch cursor = page.NextCursor; {
		case len(all) > mostTools:
			return nil, fmt.Errorf("there are more than %d", mostTools)
		case cursor == "":
			return all, nil
		case seen[cursor], len(seen) == mostPages:
			return nil, errors.New("there is no end of the pages that they come in")
		}
	}
}

// tool makes a tool of one that the server offers.
func (c *caller) tool(t *sdk.Tool) (tool.Tool, error) {
	d, of, err := define(t)
	if err != nil {
		return tool.Tool{}, err
	}
	run := func(ctx context.Context, arguments json.RawMessage) (json.RawMessage, error) {
		answer, err := c.call(ctx, t.Name, arguments)
		if err != nil {
			return nil, err
		}
		return of.result(answer, tool.ExchangeFrom(ctx))
	}
	made, err := schema.Dynamic(d, run)
	if err != nil && of.wrapped {
		d.Output, of.wrapped = mustMarshal(t.OutputSchema), false // the result refers to where it was
		made, err = schema.Dynamic(d, run)
	}
	return made, err
}

// define returns the definition of a tool that a server offers.
func define(t *sdk.Tool) (d tool.Definition, of shape, err error) {
	d = tool.Definition{Name: t.Name, Title: words.Visible(t.Title, ""), Description: clean(t.Description)}
	if a := t.Annotations; a != nil {
		d.Title = cmp.Or(d.Title, words.Visible(a.Title, ""))
		d.Annotations = tool.Annotations{
			ReadOnly:    a.ReadOnlyHint,
			Additive:    a.DestructiveHint != nil && !*a.DestructiveHint,
			Idempotent:  a.IdempotentHint,
			ClosedWorld: a.OpenWorldHint != nil && !*a.OpenWorldHint,
		}
	}
	if len(d.Name) > longestName {
		return d, of, fmt.Errorf("its name has %d bytes, and may have %d", len(d.Name), longestName)
	}
	if d.Description = cmp.Or(d.Description, d.Title, d.Name); len(d.Description) > longestDescription {
		return d, of, fmt.Errorf("its description has %d bytes, and may have %d", len(d.Description), longestDescription)
	}
	input, ok := t.InputSchema.(map[string]any)
	if !ok && t.InputSchema != nil {
		return d, of, errors.New("its input schema is no JSON object")
	}
	if _, typed := input["type"]; !typed {
		input = maps.Clone(input)
		if input == nil {
			input = map[string]any{}
		}
		input["type"] = "object" // as it has to be
	}
	d.Input = mustMarshal(input)
	if t.OutputSchema != nil {
		of.promised = true
		d.Output, of.wrapped = unwrapped(t.OutputSchema)
	}
	return d, of, nil
}

// unwrapped returns the schema of the result within that of the structured content, if
// it says that it was put there only to be in an object.
func unwrapped(output any) (schema json.RawMessage, wrapped bool) {
	object, _ := output.(map[string]any)
	properties, _ := object["properties"].(map[string]any)
	result, ok := properties["result"].(map[string]any)
	if !ok || object["x-fastmcp-wrap-result"] != true || len(properties) != 1 {
		return mustMarshal(output), false
	}
	result = maps.Clone(result)
	for _, name := range []string{"$schema", "$defs", "definitions"} {
		if _, own := result[name]; !own && object[name] != nil {
			result[name] = object[name]
		}
	}
	return mustMarshal(result), true
}
