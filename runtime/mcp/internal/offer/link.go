package offer

import (
	"context"
	"net/url"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/tool"
)

// isLink reports whether a tool is one that only returns a link, as .aion files have
// them: of others, the description ends with theirs. A tool made by hand may have a link
// that is no URL, by which nothing can be offered.
func isLink(d tool.Definition) bool {
	u, err := url.Parse(d.Link)
	return err == nil && u.IsAbs() && !strings.HasSuffix(d.Description, d.Link)
}

// relink offers the links among the tools as resources, and takes back those that are no
// more. They are not fetched: what is read there says where to look.
func (o *Offers) relink() {
	before := o.links
	o.links = map[string]tool.Definition{}
	for _, one := range o.offered {
		if d := one.definition; isLink(d) && (o.links[d.Link].Name == "" || d.Name < o.links[d.Link].Name) {
			o.links[d.Link] = d
		}
	}
	for uri, d := range o.links {
		if was := before[uri]; was.Name == d.Name && was.Title == d.Title && was.Description == d.Description {
			continue
		}
		o.server.AddResource(&sdk.Resource{URI: uri, Name: d.Name, Title: d.Title, Description: d.Description}, readLink)
	}
	for uri := range before {
		if _, still := o.links[uri]; !still {
			o.server.RemoveResources(uri)
		}
	}
}

// readLink returns a link as a list of links has it.
func readLink(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{MIMEType: "text/uri-list", Text: r.Params.URI + "\r\n"}}}, nil
}
