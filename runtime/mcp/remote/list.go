package remote

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsonschema/dialect"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/mcp/observe"
	"github.com/aiongen/aiongen/runtime/mcp/remote/internal/sanitize"
	"github.com/aiongen/aiongen/runtime/mcp/remote/internal/transport"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Limits of the list of tools.
const (
	maxTools            = 10_000
	maxPages            = 1_000
	maxNameBytes        = 128      // bytes
	maxDescriptionBytes = 64 << 10 // bytes
	maxListBytes        = 8 << 20  // bytes of all pages
)

// Tools returns the current tools of the server, in the order in which the server lists them. They
// can be called until Close. If some tools are invalid, Tools returns the valid tools together with
// an error that joins a [*tool.DefinitionError] for each invalid tool.
func (s *Server) Tools(ctx context.Context) ([]tool.Tool, error) {
	listed, err := s.listAll(ctx)
	if err != nil {
		if unknown, ok := errors.AsType[*tool.UnknownOutcomeError](err); ok {
			err = unknown.Err // listing has no effects, so an unknown outcome is harmless
		}
		return nil, fmt.Errorf("cannot list the tools of %s: %w", s.describeServer(), toCallError(err))
	}
	var offers []*serverTool
	var leftOut []error
	leaveOut := func(name string, err error) {
		if definition, ok := errors.AsType[*tool.DefinitionError](err); ok {
			err = definition.Err
		}
		leftOut = append(leftOut, &tool.DefinitionError{Tool: words.Cut(sanitize.Text(name), maxNameBytes), Err: err})
	}
	names := map[string]bool{}
	for _, text := range listed {
		o, err := s.readTool(text)
		if err == nil && names[o.name] {
			err = errors.New("another tool of the server has the same name")
		}
		if err != nil {
			leaveOut(o.name, err)
			continue
		}
		names[o.name] = true
		offers = append(offers, o)
	}
	s.renameTools(offers, names)
	offers, err = s.checkPins(offers, leaveOut)
	if err != nil {
		return nil, err
	}
	headers := map[string][]paramHeader{}
	var tools []tool.Tool
	for _, o := range offers {
		t, err := s.makeTool(o)
		if err != nil {
			leaveOut(o.name, err)
			continue
		}
		headers[o.name] = o.headers
		tools = append(tools, t)
	}
	s.headers.replaceAll(headers)
	s.logChanges(offers)
	return tools, errors.Join(leftOut...)
}

// listAll returns the tools on all pages, as JSON.
func (s *Server) listAll(ctx context.Context) (all []json.RawMessage, err error) {
	seen := map[string]bool{}
	for cursor, size := "", 0; ; {
		text, err := s.sendList(ctx, cursor)
		if err != nil {
			return nil, err
		}
		var page struct{ Tools, NextCursor json.RawMessage }
		if json.Unmarshal(text, &page) != nil {
			return nil, errors.New("the answer is not a list")
		}
		var items []json.RawMessage
		if len(page.Tools) > 0 && json.Unmarshal(page.Tools, &items) != nil {
			return nil, errors.New("the answer has no list of tools")
		}
		all = append(all, items...)
		seen[cursor] = true
		cursor = ""
		_ = json.Unmarshal(page.NextCursor, &cursor) // any other type ends the list
		switch size += len(text); {
		case size > maxListBytes:
			return nil, fmt.Errorf("the list is longer than %d bytes", maxListBytes)
		case len(all) > maxTools:
			return nil, fmt.Errorf("the list has more than %d tools", maxTools)
		case cursor == "":
			return all, nil
		case seen[cursor], len(seen) == maxPages:
			return nil, errors.New("the pages of the list do not end")
		}
	}
}

// sendList requests a page of the list of tools.
func (s *Server) sendList(ctx context.Context, cursor string) (json.RawMessage, error) {
	r := &observe.Request{Method: "tools/list"}
	ctx, end := s.observeRequest(ctx, r)
	text, err := s.sendRequest(ctx, r, func(l *transport.Link) any {
		return listParams{Meta: l.WithMeta(metaOf(r.Meta)), Cursor: cursor}
	})
	end(text, err)
	return text, err
}

// listParams are the parameters of tools/list.
type listParams struct {
	Meta   map[string]any `json:"_meta,omitempty"`
	Cursor string         `json:"cursor,omitempty"`
}

// serverTool is a tool that a server offers.
type serverTool struct {
	name          string // name on the server; the name in definition may differ
	definition    tool.Definition
	headers       []paramHeader
	results       resultShape
	wrapperSchema json.RawMessage // schema of the structured content, if definition.Output describes only its member "result"
	fingerprint   json.RawMessage // JSON of the definition, by which changes are detected
}

// readTool reads the definition of a tool. It ignores optional members of an unexpected type. Even
// with an error, it returns a tool, which has a name if the name could be read.
func (s *Server) readTool(text json.RawMessage) (*serverTool, error) {
	o := new(serverTool)
	var t struct{ Name, Title, Description, InputSchema, OutputSchema, Annotations json.RawMessage }
	if err := json.Unmarshal(text, &t); err != nil || json.Unmarshal(t.Name, &o.name) != nil {
		return o, errors.New("it is not an object with a name")
	}
	d := &o.definition
	d.Name = o.name
	a := readAnnotations(t.Annotations)
	d.Title = cmp.Or(words.Visible(decodeString(t.Title), ""), words.Visible(a.title, ""))
	d.Description = cmp.Or(sanitize.Text(decodeString(t.Description)), d.Title, d.Name)
	if s.config.trustHints {
		d.Annotations = a.Annotations
	}
	switch {
	case len(d.Name) > maxNameBytes:
		return o, fmt.Errorf("its name has %d bytes, but may have only %d", len(d.Name), maxNameBytes)
	case words.Visible(d.Name, "") != d.Name:
		return o, errors.New("its name has characters that cannot be displayed")
	case len(d.Description) > maxDescriptionBytes:
		return o, fmt.Errorf("its description has %d bytes, but may have only %d", len(d.Description), maxDescriptionBytes)
	}
	if err := o.readInput(s, t.InputSchema); err != nil {
		return o, err
	}
	o.readOutput(s, t.OutputSchema)
	output := o.wrapperSchema
	if output == nil {
		output = d.Output
	}
	o.fingerprint = sanitize.Encode(map[string]any{
		"name": d.Name, "title": d.Title, "description": d.Description, "inputSchema": d.Input, "outputSchema": output, "annotations": a.Annotations,
	})
	return o, nil
}

// annotations has the annotations of a tool, and the title that MCP counts among them.
type annotations struct {
	tool.Annotations
	title string
}

// readAnnotations reads the annotations of a tool. It ignores annotations of an unexpected type.
func readAnnotations(text json.RawMessage) (a annotations) {
	var all map[string]json.RawMessage
	_ = json.Unmarshal(text, &all)
	hasHint := func(name string, value bool) bool {
		var b bool
		return json.Unmarshal(all[name], &b) == nil && !isNull(all[name]) && b == value
	}
	a.title = decodeString(all["title"])
	a.ReadOnly, a.Idempotent = hasHint("readOnlyHint", true), hasHint("idempotentHint", true)
	a.Additive, a.ClosedWorld = hasHint("destructiveHint", false), hasHint("openWorldHint", false)
	return a
}

// repairSchema converts a schema to draft 2020-12. It removes and logs unsupported parts; only the
// server then checks values against these parts. The kind is "input", "output" or "question".
func (s *Server) repairSchema(text json.RawMessage, name, kind string) (value any, err error) {
	if bytes.Contains(text, []byte(transport.CutMark)) {
		return nil, fmt.Errorf("it is nested more than %d levels deep", jsontext.Depth)
	}
	n, err := jsontext.Parse(string(text), jsontext.Depth)
	if err != nil {
		return nil, err
	}
	repaired, losses := dialect.Repair(n)
	level := slog.LevelInfo
	var lines []string
	for _, loss := range losses {
		if loss.Kind != dialect.Unchecked {
			level = slog.LevelWarn
		}
		if len(lines) < maxLoggedLosses {
			lines = append(lines, words.Cut(sanitize.Text(loss.String()), maxErrorBytes))
		}
	}
	if lines != nil {
		s.log.Log(context.Background(), level, "mcp: parts of the schema of a tool are not checked", "tool", name, "schema", kind, "parts", lines)
	}
	return sanitize.Decode(repaired.Append(nil))
}

// maxLoggedLosses limits how many removed parts of a schema are logged.
const maxLoggedLosses = 20

// readInput reads the schema of the arguments.
func (o *serverTool) readInput(s *Server, text json.RawMessage) error {
	if isNull(text) {
		text = json.RawMessage("{}")
	}
	if bytes.TrimSpace(text)[0] != '{' {
		return errors.New("its input schema is not a JSON object")
	}
	value, err := s.repairSchema(text, o.name, "input")
	if err != nil {
		return fmt.Errorf("its input schema cannot be used: %w", err)
	}
	object := value.(map[string]any)
	losses, err := sanitize.CheckInput(object)
	if err != nil {
		return fmt.Errorf("its input schema cannot be used: %w", err)
	}
	if len(losses) > 0 {
		s.log.Warn("mcp: parts of the arguments of a tool are left out", "tool", o.name, "left out", losses)
	}
	if types, list := object["type"].([]any); object["type"] == nil || list && slices.Contains(types, any("object")) {
		object["type"] = "object" // the protocol requires this type
	}
	if o.headers, err = findHeaders(object, nil, map[string]bool{}); err != nil {
		return err
	}
	o.definition.Input = sanitize.Encode(object)
	return nil
}

// readOutput reads the schema of the results. It logs and ignores a schema that is invalid or
// contains invisible characters.
func (o *serverTool) readOutput(s *Server, text json.RawMessage) {
	if isNull(text) {
		return
	}
	o.results.hasSchema = true
	value, err := s.repairSchema(text, o.name, "output")
	if err == nil {
		_, err = jsonschema.Parse(sanitize.Encode(value))
	}
	if err == nil && !sanitize.IsExact(value) {
		err = errors.New("it cannot be displayed")
	}
	if err != nil {
		s.log.Warn("mcp: the schema of the results of a tool is ignored", "tool", o.name, "error", words.Cut(sanitize.Text(err.Error()), maxErrorBytes))
		return
	}
	if o.definition.Output, o.results.wrapped = unwrapSchema(value); o.results.wrapped {
		o.wrapperSchema = sanitize.Encode(value)
	}
}

// unwrapSchema returns the schema of the member "result" if the output schema has the FastMCP mark of
// an object that only wraps the result. Otherwise it returns the output schema.
func unwrapSchema(output any) (schema json.RawMessage, wrapped bool) {
	object, _ := output.(map[string]any)
	properties, _ := object["properties"].(map[string]any)
	result, ok := properties["result"].(map[string]any)
	if !ok || object["x-fastmcp-wrap-result"] != true || len(properties) != 1 {
		return sanitize.Encode(output), false
	}
	result = maps.Clone(result)
	for _, name := range []string{"$schema", "$defs"} {
		if _, ok := result[name]; !ok && object[name] != nil {
			result[name] = object[name]
		}
	}
	return sanitize.Encode(result), true
}

// makeTool returns a tool that calls the tool of the server.
func (s *Server) makeTool(o *serverTool) (tool.Tool, error) {
	d := o.definition
	repeatable := d.Annotations.ReadOnly || d.Annotations.Idempotent
	run := func(ctx context.Context, arguments json.RawMessage) (json.RawMessage, error) {
		answer, err := s.callTool(ctx, o.name, arguments, repeatable)
		if err != nil {
			return nil, err
		}
		return o.results.decodeResult(answer, tool.ExchangeFrom(ctx))
	}
	t, err := schema.Dynamic(d, run)
	if err != nil && o.results.wrapped {
		d.Output, o.results.wrapped = o.wrapperSchema, false // the schema of "result" has references to other parts of the output schema
		t, err = schema.Dynamic(d, run)
	}
	return t, err
}

// logChanges logs the definitions that have changed since they were last listed.
func (s *Server) logChanges(offers []*serverTool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range offers {
		name, current := o.definition.Name, string(o.fingerprint)
		if before, ok := s.lastDefinitions[name]; ok && before != current {
			s.log.Warn("mcp: a server has changed the definition of a tool", "tool", name, "before", words.Cut(before, maxErrorBytes), "now", words.Cut(current, maxErrorBytes))
		}
		if _, ok := s.lastDefinitions[name]; ok || len(s.lastDefinitions) < 2*maxTools {
			s.lastDefinitions[name] = current
		}
	}
}
