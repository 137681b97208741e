package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/yosida95/uritemplate/v3"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/mcp/internal/parts"
	"github.com/aiongen/aiongen/runtime/mcp/internal/peer"
)

// Resource is what clients may read: a text or data at a URI, or, if that has variables,
// as in note://{name}, one at each that fits it (RFC 6570). Read runs as the function of
// a tool does: it has an Exchange ([tool.ExchangeFrom]), by which it may ask, its limits
// are those of results, and it must be safe for concurrent use. What variables hold is
// text of others: a path that is made of them may lead anywhere.
type Resource struct {
	URI         string     // absolute
	Name        string     // for programs
	Title       string     // for people, if it has one
	Description string     // what is there
	Media       string     // its type, as in text/plain, if it is always the same
	Variables   []Argument // of the URI, if there is more to say of them than their names

	// Read returns what is there. An error that is [fs.ErrNotExist] says that nothing is.
	Read func(ctx context.Context, variables map[string]string) (content.Part, error)
}

// longestURI bounds what clients ask for, in bytes.
const longestURI = 8 << 10

// AddResource offers a resource, instead of one of the same URI if there is one. Clients
// are told.
func (s *Server) AddResource(r Resource) error {
	template, err := r.check()
	if err != nil {
		return fmt.Errorf("mcp: resource %q: %w", r.URI, err)
	}
	read := func(ctx context.Context, from *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		return s.read(ctx, r, template, from)
	}
	s.shelf.put(shelfResource, r.URI, shelved{r.Variables, template})
	if len(template.Varnames()) == 0 {
		s.sdk.AddResource(&sdk.Resource{URI: r.URI, Name: r.Name, Title: r.Title, Description: r.Description, MIMEType: r.Media}, read)
	} else {
		s.sdk.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: r.URI, Name: r.Name, Title: r.Title, Description: r.Description, MIMEType: r.Media}, read)
	}
	return nil
}

// RemoveResource takes a resource away, if there is one of that URI. Clients are told.
func (s *Server) RemoveResource(uri string) {
	s.sdk.RemoveResources(uri)
	s.sdk.RemoveResourceTemplates(uri)
	s.shelf.take(shelfResource, uri)
}

// Updated tells clients that subscribed to what is at a URI that it is not what it was.
func (s *Server) Updated(ctx context.Context, uri string) {
	if err := s.sdk.ResourceUpdated(ctx, &sdk.ResourceUpdatedNotificationParams{URI: uri}); err != nil {
		s.settings.log.Warn("mcp: clients are not told of a change", "uri", uri, "error", err)
	}
}

// check returns the URI as a template, and what is wrong with the resource.
func (r *Resource) check() (*uritemplate.Template, error) {
	template, err := uritemplate.New(r.URI)
	if err != nil {
		return nil, fmt.Errorf("the URI cannot be used: %w", err)
	}
	scheme, _, absolute := strings.Cut(r.URI, ":")
	variables := template.Varnames()
	switch {
	case !absolute || scheme == "" || strings.ContainsAny(scheme, "{}/ "):
		return nil, errors.New("the URI is not absolute: let it begin with a scheme, as in note://")
	case len(variables) == 0:
		_, err = url.Parse(r.URI)
	}
	for _, v := range r.Variables {
		if err == nil && !slices.Contains(variables, v.Name) {
			err = fmt.Errorf("the URI has no variable %q", v.Name)
		}
	}
	switch {
	case err != nil:
	case r.Name == "":
		err = errors.New("it has no name")
	case r.Read == nil:
		err = errors.New("it has no function that reads it")
	default:
		err = checkArguments(r.Variables)
	}
	return template, err
}

// read answers a request for what is at a URI.
func (s *Server) read(ctx context.Context, r Resource, template *uritemplate.Template, request *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	uri := request.Params.URI
	if len(uri) > longestURI {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("the URI is %d bytes long, and may be %d", len(uri), longestURI)}
	}
	variables := map[string]string{}
	for name, value := range template.Match(uri) {
		variables[name] = value.String()
	}
	from := peer.Of("resources/read", request)
	from.Name, from.Responses, from.State = uri, request.Params.InputResponses, request.Params.RequestState
	from.Arguments, _ = json.Marshal(variables) // it is made of strings
	there, input, err := peer.Write(ctx, from, s.key, func(ctx context.Context) ([]content.Part, error) {
		part, err := r.Read(ctx, variables)
		return []content.Part{part}, err
	})
	result := &sdk.ReadResourceResult{Cacheable: sdk.Cacheable{CacheScope: "private"}} // Read may depend on who asks
	switch {
	case err != nil:
		return nil, err
	case input != nil:
		result.InputRequests, result.RequestState = input.Requests, input.State
		return result, nil
	}
	for _, part := range there {
		one := parts.Resource(part)
		if one.MIMEType == "" {
			one.MIMEType = r.Media
		}
		one.URI = uri
		result.Contents = append(result.Contents, one)
	}
	return result, nil
}

// subscribe says whether a client may be told of changes at a URI: of what it can read.
func (s *Server) subscribe(_ context.Context, r *sdk.SubscribeRequest) error {
	if len(r.Params.URI) > longestURI || !s.shelf.has(r.Params.URI) {
		return sdk.ResourceNotFoundError(r.Params.URI)
	}
	return nil
}

// unsubscribe does nothing more than the SDK does.
func (s *Server) unsubscribe(context.Context, *sdk.UnsubscribeRequest) error { return nil }
