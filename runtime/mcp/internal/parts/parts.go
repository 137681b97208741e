// Package parts has the content of package content as the Model Context Protocol has it.
package parts

import (
	"cmp"
	"net/url"
	"strings"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/content"
)

// Versions of the protocol from which on it has a kind of content.
const (
	withAudio = "2025-03-26"
	withLinks = "2025-06-18"
)

// Content returns a part as it stands in a result or a prompt; what a version of the
// protocol has no content for is told in words.
func Content(p content.Part, version string) sdk.Content {
	kind := p.Kind()
	if kind == content.KindAudio && version < withAudio || kind == content.KindLink && version < withLinks {
		return &sdk.TextContent{Text: p.String()}
	}
	switch kind {
	case content.KindImage:
		return &sdk.ImageContent{MIMEType: p.Media, Data: p.Data}
	case content.KindAudio:
		return &sdk.AudioContent{MIMEType: p.Media, Data: p.Data}
	case content.KindFile:
		return &sdk.EmbeddedResource{Resource: Resource(p)}
	case content.KindLink:
		name := p.Name
		if name == "" {
			name = p.URL // it must have one
		}
		return &sdk.ResourceLink{URI: p.URL, Name: name, Description: p.Description, MIMEType: p.Media}
	}
	return &sdk.TextContent{Text: p.Text}
}

// Resource returns a part as it is read from a resource: as text, if it is one.
func Resource(p content.Part) *sdk.ResourceContents {
	r := &sdk.ResourceContents{URI: p.URL, MIMEType: p.Media}
	switch {
	case p.Text != "":
		r.Text = p.Text
	case len(p.Data) == 0:
		r.Blob = []byte{} // a text that is empty is left out
	case isText(p.Media) && utf8.Valid(p.Data):
		r.Text = string(p.Data)
	default:
		r.Blob = p.Data
	}
	if r.URI == "" {
		r.URI = "attachment:///" + url.PathEscape(p.Name) // it must have one
	}
	return r
}

// isText reports whether what has a type is to be read as text.
func isText(media string) bool {
	media, _, _ = strings.Cut(strings.ToLower(media), ";")
	media = strings.TrimSpace(media)
	switch {
	case strings.HasPrefix(media, "text/"), strings.HasSuffix(media, "+json"), strings.HasSuffix(media, "+xml"):
		return true
	}
	return media == "application/json" || media == "application/xml" || media == "application/yaml"
}

// Part returns content of a result that is no text as a part; false if it is unknown, or
// has nothing in it.
func Part(c sdk.Content) (p content.Part, ok bool) {
	switch c := c.(type) {
	case *sdk.ImageContent:
		p = content.Image(cmp.Or(c.MIMEType, "image/*"), here(c.Data))
	case *sdk.AudioContent:
		p = content.Audio(cmp.Or(c.MIMEType, "audio/*"), here(c.Data))
	case *sdk.ResourceLink:
		p = content.Part{URL: c.URI, Name: c.Name, Description: c.Description, Media: c.MIMEType}
	case *sdk.EmbeddedResource:
		if c.Resource == nil {
			return p, false
		}
		p = content.File(c.Resource.URI, c.Resource.MIMEType, here(c.Resource.Blob))
		if c.Resource.Blob == nil {
			p.Data = []byte(c.Resource.Text)
			p.Media = cmp.Or(p.Media, "text/plain")
		}
		p.Media = cmp.Or(p.Media, "application/octet-stream") // it must have one
	}
	return p, p.Check() == nil
}

// here returns data that is there, though it be empty.
func here(data []byte) []byte {
	if data == nil {
		return []byte{}
	}
	return data
}
