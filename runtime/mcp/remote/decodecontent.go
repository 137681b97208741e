package remote

import (
	"cmp"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/content"
)

// decodeContent converts a block of content other than text to a part. It returns false if the kind
// of content is unknown or the part is invalid.
func decodeContent(c sdk.Content) (p content.Part, ok bool) {
	switch c := c.(type) {
	case *sdk.ImageContent:
		p = content.Image(cmp.Or(c.MIMEType, "image/*"), nonNil(c.Data))
	case *sdk.AudioContent:
		p = content.Audio(cmp.Or(c.MIMEType, "audio/*"), nonNil(c.Data))
	case *sdk.ResourceLink:
		p = content.Part{URL: c.URI, Name: c.Name, Description: c.Description, Media: c.MIMEType}
	case *sdk.EmbeddedResource:
		if c.Resource == nil {
			return p, false
		}
		p = content.File(c.Resource.URI, c.Resource.MIMEType, nonNil(c.Resource.Blob))
		if c.Resource.Blob == nil {
			p.Data = []byte(c.Resource.Text)
			p.Media = cmp.Or(p.Media, "text/plain")
		}
		p.Media = cmp.Or(p.Media, "application/octet-stream") // a part must have a media type
	}
	return p, p.Check() == nil
}

// nonNil returns data, or an empty slice instead of nil.
func nonNil(data []byte) []byte {
	if data == nil {
		return []byte{}
	}
	return data
}
