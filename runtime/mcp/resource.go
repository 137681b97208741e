package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/yosida95/uritemplate/v3"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/mcp/internal/peer"
)

// Resource is a text or data that clients can read. A URI with variables, such as note://{name}
// (RFC 6570), offers a resource at each URI that matches, such as note://today.
type Resource struct {
	URI         string     // absolute
	Name        string     // identifies the resource, for programs
	Title       string     // optional, for people
	Description string     // what the resource contains
	Media       string     // media type, such as text/plain; empty if it varies
	Variables   []Argument // describes variables of the URI; optional

	// Read returns the content. If there is no resource for the variables, it returns an error
	// that wraps [fs.ErrNotExist]. Read runs like the function of a tool: it can ask the client
	// through its Exchange ([tool.ExchangeFrom]), it has the same limits for results, and it
	// must be safe for concurrent use.
	//
	// The values of variables come from clients. They are valid UTF-8 without NUL bytes, and
	// escapes such as %2F are already decoded. A value may be ../../etc/passwd, so do not build
	// file paths from it; use [ServeFS] to serve files safely.
	Read func(ctx context.Context, variables map[string]string) (content.Part, error)
}

// maxURIBytes limits the URIs that clients send, in bytes.
const maxURIBytes = 8 << 10

// AddResource offers a resource, and replaces any resource with the same URI. Clients are
// notified.
func (s *Server) AddResource(r Resource) error {
	template, err := r.checkDefinition()
	if err != nil {
		return fmt.Errorf("mcp: resource %q: %w", r.URI, err)
	}
	read := func(ctx context.Context, request *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		return s.readResource(ctx, r, template, request)
	}
	s.index.addEntry(resourceKind, r.URI, indexEntry{r.Variables, template})
	if len(template.Varnames()) == 0 {
		s.sdk.AddResource(&sdk.Resource{URI: r.URI, Name: r.Name, Title: r.Title, Description: r.Description, MIMEType: r.Media}, read)
	} else {
		s.sdk.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: r.URI, Name: r.Name, Title: r.Title, Description: r.Description, MIMEType: r.Media}, read)
	}
	return nil
}

// RemoveResource removes the resource with that URI, if there is one. Clients are notified.
func (s *Server) RemoveResource(uri string) {
	s.sdk.RemoveResources(uri)
	s.sdk.RemoveResourceTemplates(uri)
	s.index.removeEntry(resourceKind, uri)
}

// NotifyUpdated notifies the clients that subscribed to a URI that its content has changed.
func (s *Server) NotifyUpdated(ctx context.Context, uri string) {
	if err := s.sdk.ResourceUpdated(ctx, &sdk.ResourceUpdatedNotificationParams{URI: uri}); err != nil {
		s.settings.log.Warn("mcp: cannot notify clients of a changed resource", "uri", uri, "error", err)
	}
}

// checkDefinition checks the resource, and returns its URI as a template.
func (r *Resource) checkDefinition() (*uritemplate.Template, error) {
	template, err := uritemplate.New(r.URI)
	if err != nil {
		return nil, fmt.Errorf("invalid URI: %w", err)
	}
	scheme, _, absolute := strings.Cut(r.URI, ":")
	variables := template.Varnames()
	switch {
	case !absolute || scheme == "" || strings.ContainsAny(scheme, "{}/ "):
		return nil, errors.New("the URI is not absolute: it must begin with a scheme, such as note://")
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
		err = errors.New("the name is missing")
	case r.Read == nil:
		err = errors.New("the Read function is missing")
	default:
		err = checkArguments(r.Variables)
	}
	return template, err
}

// readResource answers a request for the content at a URI.
func (s *Server) readResource(ctx context.Context, r Resource, template *uritemplate.Template, request *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	uri := request.Params.URI
	variables := map[string]string{}
	for name, value := range template.Match(uri) {
		variables[name] = value.String()
	}
	peerRequest := peer.NewRequest("resources/read", request)
	peerRequest.Name, peerRequest.Responses, peerRequest.State = uri, request.Params.InputResponses, request.Params.RequestState
	peerRequest.Arguments, _ = json.Marshal(variables) // cannot fail for strings
	ctx = context.WithValue(ctx, resultLimitKey{}, s.settings.maxResult)
	parts, input, err := peer.RunWriter(ctx, peerRequest, s.tools.key, func(ctx context.Context) ([]content.Part, error) {
		part, err := r.Read(ctx, variables)
		return []content.Part{part}, err
	})
	result := &sdk.ReadResourceResult{Cacheable: sdk.Cacheable{CacheScope: "private"}} // Read may depend on the caller
	switch {
	case err != nil:
		return nil, err
	case input != nil:
		result.InputRequests, result.RequestState = input.Requests, input.State
		return result, nil
	}
	size := 0
	for _, part := range parts {
		contents := encodeResource(part)
		if contents.MIMEType == "" {
			contents.MIMEType = r.Media
		}
		contents.URI = uri
		result.Contents = append(result.Contents, contents)
		size += resourceSize(contents)
	}
	if err := s.checkSize(uri, size); err != nil {
		return nil, err
	}
	return result, nil
}

// resultLimitKey is the context key under which [ServeFS] finds the limit that was set with [MaxResult].
type resultLimitKey struct{}

// resultLimit returns the limit in ctx, or maxFileBytes if ctx does not come from a server.
func resultLimit(ctx context.Context) int {
	if limit, ok := ctx.Value(resultLimitKey{}).(int); ok {
		return limit
	}
	return maxFileBytes
}

// checkURIs checks the URIs in the parameters of a request.
func checkURIs(r sdk.Request) error {
	switch p := r.GetParams().(type) {
	case *sdk.ReadResourceParams:
		return checkURI(p.URI)
	case *sdk.SubscribeParams:
		return checkURI(p.URI)
	case *sdk.UnsubscribeParams:
		return checkURI(p.URI)
	case *sdk.SubscriptionsListenParams:
		if p.Notifications == nil {
			return nil
		}
		for _, uri := range p.Notifications.ResourceSubscriptions {
			if err := checkURI(uri); err != nil {
				return err
			}
		}
	}
	return nil
}

// repairErrorData removes the data of a protocol error if the data is not valid JSON. The SDK
// creates such data if a client reads a missing resource whose URI has control characters. It
// then fails to encode the error, and closes the connection.
func repairErrorData(err error) error {
	if protocolErr, ok := errors.AsType[*jsonrpc.Error](err); ok && protocolErr.Data != nil && !json.Valid(protocolErr.Data) {
		return &jsonrpc.Error{Code: protocolErr.Code, Message: protocolErr.Message}
	}
	return err
}

// checkURI returns a protocol error if a URI is too long, or contains NUL bytes or invalid
// UTF-8, even as escapes such as %00. Read functions need not handle such URIs.
func checkURI(uri string) error {
	decoded, err := url.PathUnescape(uri)
	if err != nil {
		decoded = uri
	}
	var problem string
	switch {
	case len(uri) > maxURIBytes:
		problem = fmt.Sprintf("the URI has %d bytes, more than the limit of %d", len(uri), maxURIBytes)
	case strings.Contains(decoded, "\x00"):
		problem = "the URI contains a NUL byte"
	case !utf8.ValidString(decoded):
		problem = "the URI is not valid UTF-8"
	default:
		return nil
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: problem}
}

// subscribe accepts subscriptions to URIs that clients can read.
func (s *Server) subscribe(_ context.Context, r *sdk.SubscribeRequest) error {
	if !s.index.matchesURI(r.Params.URI) {
		return sdk.ResourceNotFoundError(r.Params.URI)
	}
	return nil
}

// unsubscribe accepts all requests; the SDK removes the subscription.
func (s *Server) unsubscribe(context.Context, *sdk.UnsubscribeRequest) error { return nil }
