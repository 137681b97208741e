package mcp

import (
	"context"
	"net/url"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/tool"
)

// isLinkTool reports whether a tool only returns a link, and the link is a valid URL. Other tools
// can also have a link, but generated code appends it to their description.
func isLinkTool(d tool.Definition) bool {
	u, err := url.Parse(d.Link)
	return err == nil && u.IsAbs() && !strings.HasSuffix(d.Description, d.Link)
}

// updateLinks offers the current link tools as resources, and removes the resources of former
// link tools. The content of such a resource is the link itself; the server does not fetch it.
func (o *toolOffers) updateLinks() {
	before := o.links
	o.links = map[string]tool.Definition{}
	for _, offered := range o.offered {
		if d := offered.definition; isLinkTool(d) && (o.links[d.Link].Name == "" || d.Name < o.links[d.Link].Name) {
			o.links[d.Link] = d
		}
	}
	for uri, d := range o.links {
		if old := before[uri]; old.Name == d.Name && old.Title == d.Title && old.Description == d.Description {
			continue
		}
		o.server.AddResource(&sdk.Resource{URI: uri, Name: d.Name, Title: d.Title, Description: d.Description}, readLink)
	}
	for uri := range before {
		if _, ok := o.links[uri]; !ok {
			o.server.RemoveResources(uri)
		}
	}
}

// readLink returns the URI of a link as a URI list.
func readLink(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{MIMEType: "text/uri-list", Text: r.Params.URI + "\r\n"}}}, nil
}
