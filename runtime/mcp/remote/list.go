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
	"github.com/aiongen/aiongen/runtime/mcp/remote/internal/link"
	"github.com/aiongen/aiongen/runtime/mcp/remote/internal/sanitize"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Limits of what a server offers.
const (
	mostTools          = 10_000
	mostPages          = 1_000
	longestName        = 128      // bytes
	longestDescription = 64 << 10 // bytes
	largestList        = 8 << 20  // bytes of all pages
)

// Tools returns the tools that the server has now, in its order. They can be called until
// Close. For each tool that cannot be used, a [*tool.DefinitionError] is in the error; the
// others are returned with it.
func (s *Server) Tools(ctx context.Context) ([]tool.Tool, error) {
	listed, err := s.list(ctx)
	if err != nil {
		if unknown, ok := errors.AsType[*tool.UnknownOutcomeError](err); ok {
			err = unknown.Err // a list has no outcome
		}
		return nil, fmt.Errorf("cannot list the tools of %s: %w", s.source(), inWords(err))
	}
	var offers []*offer
	var leftOut []error
	leaveOut := func(name string, err error) {
		if known, ok := errors.AsType[*tool.DefinitionError](err); ok {
			err = known.Err
		}
		leftOut = append(leftOut, &tool.DefinitionError{Tool: words.Cut(clean(name), longestName), Err: err})
	}
	names := map[string]bool{}
	for _, text := range listed {
		o, err := s.readOffer(text)
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
	s.rename(offers, names)
	offers, err = s.checkPins(offers, leaveOut)
	if err != nil {
		return nil, err
	}
	headers := map[string][]paramHeader{}
	var tools []tool.Tool
	for _, o := range offers {
		made, err := s.makeTool(o)
		if err != nil {
			leaveOut(o.name, err)
			continue
		}
		headers[o.name] = o.headers
		tools = append(tools, made)
	}
	s.headers.set(headers)
	s.compare(offers)
	return tools, errors.Join(leftOut...)
}

// list returns the tools on all pages, as JSON.
func (s *Server) list(ctx context.Context) (all []json.RawMessage, err error) {
	seen := map[string]bool{}
	for cursor, size := "", 0; ; {
		text, err := s.request(ctx, "tools/list", func(l *link.Link) any {
			return listParams{Meta: l.WithMeta(map[string]any{}), Cursor: cursor}
		})
		if err != nil {
			return nil, err
		}
		var page struct{ Tools, NextCursor json.RawMessage }
		if json.Unmarshal(text, &page) != nil {
			return nil, errors.New("the answer is not a list")
		}
		items, err := elements(page.Tools)
		if err != nil {
			return nil, err
		}
		all = append(all, items...)
		seen[cursor] = true
		cursor = ""
		_ = json.Unmarshal(page.NextCursor, &cursor) // another type ends the list
		switch size += len(text); {
		case size > largestList:
			return nil, fmt.Errorf("the list is longer than %d bytes", largestList)
		case len(all) > mostTools:
			return nil, fmt.Errorf("the list has more than %d tools", mostTools)
		case cursor == "":
			return all, nil
		case seen[cursor], len(seen) == mostPages:
			return nil, errors.New("the pages of the list do not end")
		}
	}
}

// listParams are the parameters of a request for a page of the list.
type listParams struct {
	Meta   map[string]any `json:"_meta,omitempty"`
	Cursor string         `json:"cursor,omitempty"`
}

// elements returns the elements of a JSON list as they are.
func elements(list json.RawMessage) (all []json.RawMessage, err error) {
	if len(list) > 0 && json.Unmarshal(list, &all) != nil {
		return nil, errors.New("the answer has no list of tools")
	}
	return all, nil
}

// offer is a tool that a server offers.
type offer struct {
	name       string // which the server knows; that of the definition may be another
	definition tool.Definition
	headers    []paramHeader
	results    shape
	unwrapped  json.RawMessage // the schema of the structured content, if the definition has that of a part
	text       json.RawMessage // all of it that counts, for comparison
}

// readOffer reads the definition of a tool. Members of an unexpected type are ignored, except
// those that no call can do without. The offer has the name, also with an error.
func (s *Server) readOffer(text json.RawMessage) (*offer, error) {
	o := new(offer)
	var t struct{ Name, Title, Description, InputSchema, OutputSchema, Annotations json.RawMessage }
	if err := json.Unmarshal(text, &t); err != nil || json.Unmarshal(t.Name, &o.name) != nil {
		return o, errors.New("it is not an object with a name")
	}
	d := &o.definition
	d.Name = o.name
	a := readAnnotations(t.Annotations)
	d.Title = cmp.Or(words.Visible(stringOf(t.Title), ""), words.Visible(a.title, ""))
	d.Description = cmp.Or(clean(stringOf(t.Description)), d.Title, d.Name)
	if s.config.hints {
		d.Annotations = a.Annotations
	}
	switch {
	case len(d.Name) > longestName:
		return o, fmt.Errorf("its name has %d bytes, but may have only %d", len(d.Name), longestName)
	case words.Visible(d.Name, "") != d.Name:
		return o, errors.New("its name has characters that cannot be displayed")
	case len(d.Description) > longestDescription:
		return o, fmt.Errorf("its description has %d bytes, but may have only %d", len(d.Description), longestDescription)
	}
	if err := o.readInput(s, t.InputSchema); err != nil {
		return o, err
	}
	o.readOutput(s, t.OutputSchema)
	output := o.unwrapped
	if output == nil {
		output = d.Output
	}
	o.text = sanitize.Encode(map[string]any{
		"name": d.Name, "title": d.Title, "description": d.Description, "inputSchema": d.Input, "outputSchema": output, "annotations": a.Annotations,
	})
	return o, nil
}

// annotations are those of a tool.
type annotations struct {
	tool.Annotations
	title string
}

// readAnnotations reads the annotations of a tool. Those of an unexpected type are ignored.
func readAnnotations(text json.RawMessage) (a annotations) {
	var all map[string]json.RawMessage
	_ = json.Unmarshal(text, &all)
	is := func(name string, value bool) bool {
		var b bool
		return json.Unmarshal(all[name], &b) == nil && !isNull(all[name]) && b == value
	}
	a.title = stringOf(all["title"])
	a.ReadOnly, a.Idempotent = is("readOnlyHint", true), is("idempotentHint", true)
	a.Additive, a.ClosedWorld = is("destructiveHint", false), is("openWorldHint", false)
	return a
}

// repair returns a schema in draft 2020-12 without what cannot be checked here, and logs what
// that is: the server checks it.
func (s *Server) repair(text json.RawMessage, name, of string) (value any, err error) {
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
		if len(lines) < mostLogged {
			lines = append(lines, words.Cut(clean(loss.String()), longestWords))
		}
	}
	if lines != nil {
		s.log().Log(context.Background(), level, "mcp: parts of the schema of a tool are not checked", "tool", name, "schema", of, "parts", lines)
	}
	return sanitize.Decode(repaired.Append(nil))
}

// mostLogged is how many losses of a schema are logged.
const mostLogged = 20

// readInput reads the schema of the arguments.
func (o *offer) readInput(s *Server, text json.RawMessage) error {
	if isNull(text) {
		text = json.RawMessage("{}")
	}
	if bytes.TrimSpace(text)[0] != '{' {
		return errors.New("its input schema is not a JSON object")
	}
	value, err := s.repair(text, o.name, "input")
	if err != nil {
		return fmt.Errorf("its input schema cannot be used: %w", err)
	}
	object := value.(map[string]any)
	losses, err := sanitize.Input(object)
	if err != nil {
		return fmt.Errorf("its input schema cannot be used: %w", err)
	}
	if len(losses) > 0 {
		s.log().Warn("mcp: parts of the arguments of a tool are left out", "tool", o.name, "left out", losses)
	}
	if types, list := object["type"].([]any); object["type"] == nil || list && slices.Contains(types, any("object")) {
		object["type"] = "object" // which the protocol requires
	}
	if o.headers, err = headersIn(object); err != nil {
		return err
	}
	o.definition.Input = sanitize.Encode(object)
	return nil
}

// readOutput reads the schema of the results. One that cannot be used, or that would not have the
// same meaning once it is sanitized, is ignored.
func (o *offer) readOutput(s *Server, text json.RawMessage) {
	if isNull(text) {
		return
	}
	o.results.promised = true
	value, err := s.repair(text, o.name, "output")
	if err == nil {
		_, err = jsonschema.Parse(sanitize.Encode(value))
	}
	if err == nil && !sanitize.IsExact(value) {
		err = errors.New("it cannot be displayed")
	}
	if err != nil {
		s.log().Warn("mcp: the schema of the results of a tool is ignored", "tool", o.name, "error", words.Cut(clean(err.Error()), longestWords))
		return
	}
	if o.definition.Output, o.results.wrapped = unwrap(value); o.results.wrapped {
		o.unwrapped = sanitize.Encode(value)
	}
}

// unwrap returns the schema of the result within that of the structured content, if it says
// that the result was put there only to be in an object.
func unwrap(output any) (schema json.RawMessage, wrapped bool) {
	object, _ := output.(map[string]any)
	properties, _ := object["properties"].(map[string]any)
	result, ok := properties["result"].(map[string]any)
	if !ok || object["x-fastmcp-wrap-result"] != true || len(properties) != 1 {
		return sanitize.Encode(output), false
	}
	result = maps.Clone(result)
	for _, name := range []string{"$schema", "$defs"} {
		if _, own := result[name]; !own && object[name] != nil {
			result[name] = object[name]
		}
	}
	return sanitize.Encode(result), true
}

// makeTool makes the tool that a server offers.
func (s *Server) makeTool(o *offer) (tool.Tool, error) {
	d := o.definition
	repeats := d.Annotations.ReadOnly || d.Annotations.Idempotent
	run := func(ctx context.Context, arguments json.RawMessage) (json.RawMessage, error) {
		answer, err := s.callTool(ctx, o.name, arguments, repeats)
		if err != nil {
			return nil, err
		}
		return o.results.result(answer, tool.ExchangeFrom(ctx))
	}
	made, err := schema.Dynamic(d, run)
	if err != nil && o.results.wrapped {
		d.Output, o.results.wrapped = o.unwrapped, false // the result refers to what is around it
		made, err = schema.Dynamic(d, run)
	}
	return made, err
}

// compare logs which definitions are not what they were.
func (s *Server) compare(offers []*offer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range offers {
		name, now := o.definition.Name, string(o.text)
		if before, ok := s.seen[name]; ok && before != now {
			s.log().Warn("mcp: a server has changed the definition of a tool", "tool", name, "before", words.Cut(before, longestWords), "now", words.Cut(now, longestWords))
		}
		if _, ok := s.seen[name]; ok || len(s.seen) < 2*mostTools {
			s.seen[name] = now
		}
	}
}
