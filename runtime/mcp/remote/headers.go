package remote

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// paramHeaders holds the arguments of tools that are also sent as HTTP headers. In protocol
// versions without sessions, a tool marks such arguments with x-mcp-header in its input schema.
type paramHeaders struct {
	mu    sync.Mutex
	tools map[string][]paramHeader // by name of the tool
}

// paramHeader is an argument that is also sent as a header.
type paramHeader struct {
	path []string // names that lead to the argument
	name string   // name of the header, without the prefix Mcp-Param-
}

// replaceAll replaces the headers of all tools.
func (h *paramHeaders) replaceAll(tools map[string][]paramHeader) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tools = tools
}

// requestHeaders returns the headers of a request.
func (h *paramHeaders) requestHeaders(r *jsonrpc.Request) map[string]string {
	if r.Method != "tools/call" {
		return nil
	}
	var params struct {
		Name      string
		Arguments map[string]any
	}
	if json.Unmarshal(r.Params, &params) != nil {
		return nil
	}
	h.mu.Lock()
	list := h.tools[params.Name]
	h.mu.Unlock()
	headers := map[string]string{}
	for _, p := range list {
		if value, ok := headerValue(valueAt(params.Arguments, p.path)); ok {
			headers["Mcp-Param-"+p.name] = value
		}
	}
	return headers
}

// valueAt returns the value at a path, or nil.
func valueAt(object map[string]any, path []string) any {
	for _, name := range path[:len(path)-1] {
		object, _ = object[name].(map[string]any)
	}
	return object[path[len(path)-1]]
}

// headerValue returns the header value for an argument. It encodes text that a header cannot
// contain: "é" becomes "=?base64?w6k=?=". It returns false if the argument is missing, or is not a
// string, a boolean or an integer of at most 53 bits.
func headerValue(value any) (string, bool) {
	const mark, end = "=?base64?", "?="
	const maxExact = 1<<53 - 1
	switch v := value.(type) {
	case bool:
		return strconv.FormatBool(v), true
	case float64:
		if v != float64(int64(v)) || v > maxExact || v < -maxExact {
			return "", false
		}
		return strconv.FormatInt(int64(v), 10), true
	case string:
		unsafe := strings.ContainsFunc(v, func(r rune) bool { return r < ' ' || r > '~' })
		if unsafe || strings.TrimSpace(v) != v || strings.HasPrefix(v, mark) && strings.HasSuffix(v, end) {
			v = mark + base64.StdEncoding.EncodeToString([]byte(v)) + end
		}
		return v, true
	}
	return "", false
}

// findHeaders returns the arguments that the schema of the argument at path marks with x-mcp-header. It adds the
// names of headers to seen.
func findHeaders(schema map[string]any, path []string, seen map[string]bool) (all []paramHeader, err error) {
	properties, _ := schema["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		property, _ := properties[name].(map[string]any)
		propertyPath := append(slices.Clone(path), name)
		if marked, ok := property["x-mcp-header"]; ok {
			header, _ := marked.(string)
			lower := strings.ToLower(header)
			kind, _ := property["type"].(string)
			switch {
			case header == "" || strings.ContainsFunc(header, isNotHeaderChar):
				return nil, fmt.Errorf("x-mcp-header of the argument %q is not the name of a header", name)
			case seen[lower]:
				return nil, fmt.Errorf("x-mcp-header %s is used twice", header)
			case kind != "string" && kind != "integer" && kind != "boolean":
				return nil, errors.New("an argument with x-mcp-header has to be a string, an integer or a boolean")
			}
			seen[lower] = true
			all = append(all, paramHeader{propertyPath, header})
		}
		inner, err := findHeaders(property, propertyPath, seen)
		if err != nil {
			return nil, err
		}
		all = append(all, inner...)
	}
	return all, nil
}

// isNotHeaderChar reports whether a character cannot be in the name of a header.
func isNotHeaderChar(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}
