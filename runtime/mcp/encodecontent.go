package mcp

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/content"
)

// The first protocol versions that support a kind of content.
const (
	audioVersion = "2025-03-26"
	linkVersion  = "2025-06-18"
)

// encodePart converts a part of a result or a prompt. If the protocol version does not support
// the kind of the part, encodePart returns a text that describes it.
func encodePart(p content.Part, version string) sdk.Content {
	kind := p.Kind()
	if kind == content.KindAudio && version < audioVersion || kind == content.KindLink && version < linkVersion {
		return &sdk.TextContent{Text: p.String()}
	}
	switch kind {
	case content.KindImage:
		return &sdk.ImageContent{MIMEType: p.Media, Data: p.Data}
	case content.KindAudio:
		return &sdk.AudioContent{MIMEType: p.Media, Data: p.Data}
	case content.KindFile:
		return &sdk.EmbeddedResource{Resource: encodeResource(p)}
	case content.KindLink:
		name := p.Name
		if name == "" {
			name = p.URL // the protocol requires a name
		}
		return &sdk.ResourceLink{URI: p.URL, Name: name, Description: p.Description, MIMEType: p.Media}
	}
	return &sdk.TextContent{Text: p.Text}
}

// encodeResource converts a part to the contents of a resource. Data with a textual media type,
// such as text/plain or application/json, become text.
func encodeResource(p content.Part) *sdk.ResourceContents {
	r := &sdk.ResourceContents{URI: p.URL, MIMEType: p.Media}
	switch {
	case p.Text != "":
		r.Text = p.Text
	case len(p.Data) == 0:
		r.Blob = []byte{} // the SDK omits an empty text
	case isTextMedia(p.Media) && utf8.Valid(p.Data):
		r.Text = string(p.Data)
	default:
		r.Blob = p.Data
	}
	if r.URI == "" {
		r.URI = "attachment:///" + url.PathEscape(p.Name) // the protocol requires a URI
	}
	return r
}

// isTextMedia reports whether data of a media type are text.
func isTextMedia(media string) bool {
	media, _, _ = strings.Cut(strings.ToLower(media), ";")
	media = strings.TrimSpace(media)
	switch {
	case strings.HasPrefix(media, "text/"), strings.HasSuffix(media, "+json"), strings.HasSuffix(media, "+xml"):
		return true
	}
	return media == "application/json" || media == "application/xml" || media == "application/yaml"
}

// blockBytes is the approximate overhead of a block of content as JSON, in bytes.
const blockBytes = len(`{"type":"text","text":},`)

// contentSize returns the approximate size of content as JSON, in bytes.
func contentSize(c sdk.Content) int {
	switch c := c.(type) {
	case *sdk.TextContent:
		return blockBytes + textSize(c.Text)
	case *sdk.ImageContent:
		return blockBytes + len(c.MIMEType) + base64.StdEncoding.EncodedLen(len(c.Data))
	case *sdk.AudioContent:
		return blockBytes + len(c.MIMEType) + base64.StdEncoding.EncodedLen(len(c.Data))
	case *sdk.EmbeddedResource:
		return blockBytes + resourceSize(c.Resource)
	case *sdk.ResourceLink:
		return blockBytes + len(c.MIMEType) + textSize(c.URI) + textSize(c.Name) + textSize(c.Description)
	}
	return 0
}

// resourceSize returns the approximate size of the contents of a resource as JSON, in bytes.
func resourceSize(r *sdk.ResourceContents) int {
	return blockBytes + len(r.MIMEType) + textSize(r.URI) + textSize(r.Text) + base64.StdEncoding.EncodedLen(len(r.Blob))
}

// textSize returns the size of a text as JSON, in bytes.
func textSize(text string) int {
	quoted, _ := json.Marshal(text) // cannot fail for a string
	return len(quoted)
}

// jsonSize returns the size of JSON text in a message, in bytes. The SDK escapes <, >, & and the separators
// U+2028 and U+2029 in it.
func jsonSize(text json.RawMessage) int {
	var escaped bytes.Buffer
	json.HTMLEscape(&escaped, text)
	return escaped.Len()
}
