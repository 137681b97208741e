package remote

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/content"
)

// TestDecodeContent decodes what a server writes for each kind of content.
func TestDecodeContent(t *testing.T) {
	for block, want := range map[string]content.Part{
		`{"type":"image","mimeType":"image/png","data":"4oCm"}`:                                       content.Image("image/png", []byte("…")),
		`{"type":"audio","mimeType":"","data":"UklGRg=="}`:                                            content.Audio("audio/*", []byte("RIFF")),
		`{"type":"resource","resource":{"uri":"file:///a.txt","mimeType":"text/html","text":"é"}}`:    content.File("file:///a.txt", "text/html", []byte("é")),
		`{"type":"resource","resource":{"uri":"file:///b","text":"é"}}`:                               content.File("file:///b", "text/plain", []byte("é")),
		`{"type":"resource","resource":{"uri":"file:///c","blob":"/w=="}}`:                            content.File("file:///c", "application/octet-stream", []byte{0xff}),
		`{"type":"resource","resource":{"uri":"file:///empty","mimeType":"text/plain","blob":""}}`:    content.File("file:///empty", "text/plain", []byte{}),
		`{"type":"resource_link","uri":"https://example.com/","name":"home","description":"A page."}`: {URL: "https://example.com/", Name: "home", Description: "A page."},
	} {
		var result sdk.CallToolResult
		if err := json.Unmarshal([]byte(`{"content":[`+block+`]}`), &result); err != nil {
			t.Fatal(err)
		}
		got, ok := decodeContent(result.Content[0])
		if diff := cmp.Diff(want, got); !ok || diff != "" {
			t.Errorf("%s: %t\n%s", block, ok, diff)
		}
	}
	for _, c := range []sdk.Content{&sdk.TextContent{Text: "hello"}, &sdk.EmbeddedResource{}, &sdk.ResourceLink{}} {
		if got, ok := decodeContent(c); ok {
			t.Errorf("%T is decoded as %v", c, got)
		}
	}
}
