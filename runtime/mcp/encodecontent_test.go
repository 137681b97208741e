package mcp

import (
	"encoding/json"
	"testing"

	"github.com/aiongen/aiongen/runtime/content"
)

func TestEncodePart(t *testing.T) {
	named := content.File("", "application/pdf", []byte("%PDF"))
	named.Name = "may 2026.pdf"
	for want, p := range map[string]content.Part{
		`{"type":"text","text":"hello"}`:                                                                                       content.Text("hello"),
		`{"type":"audio","mimeType":"audio/wav","data":"UklGRg=="}`:                                                            content.Audio("audio/wav", []byte("RIFF")),
		`{"type":"resource","resource":{"uri":"file:///a.txt","mimeType":"text/plain; charset=utf-8","text":"é"}}`:             content.File("file:///a.txt", "text/plain; charset=utf-8", []byte("é")),
		`{"type":"resource","resource":{"uri":"file:///a.json","mimeType":"application/json","text":"{}"}}`:                    content.File("file:///a.json", "application/json", []byte("{}")),
		`{"type":"resource","resource":{"uri":"file:///b.txt","mimeType":"text/plain","blob":"/w=="}}`:                         content.File("file:///b.txt", "text/plain", []byte{0xff}),
		`{"type":"resource","resource":{"uri":"attachment:///may%202026.pdf","mimeType":"application/pdf","blob":"JVBERg=="}}`: named,
		`{"type":"resource_link","uri":"https://example.com/","name":"home"}`:                                                  content.Link("https://example.com/", "home"),
		`{"type":"resource","resource":{"uri":"file:///empty","mimeType":"text/plain","blob":""}}`:                             content.File("file:///empty", "text/plain", []byte{}),
		`{"type":"resource_link","mimeType":"image/png","uri":"https://example.com/a.png","name":"https://example.com/a.png","description":"A cat."}`: {
			URL: "https://example.com/a.png", Media: "image/png", Description: "A cat."},
	} {
		text, err := json.Marshal(encodePart(p, "2026-07-28"))
		if string(text) != want || err != nil {
			t.Errorf("%v:\ngot  %s, %v\nwant %s", p, text, err, want)
		}
	}
}

// TestEncodePartOldVersions checks that content which a version does not support becomes text.
func TestEncodePartOldVersions(t *testing.T) {
	link, audio := content.Link("https://example.com/", "home"), content.Audio("audio/wav", []byte("RIFF"))
	for _, tt := range []struct {
		version string
		part    content.Part
		want    string
	}{
		{"2024-11-05", audio, `{"type":"text","text":"audio (audio/wav, 4 bytes)"}`},
		{"2025-03-26", audio, `{"type":"audio","mimeType":"audio/wav","data":"UklGRg=="}`},
		{"2025-03-26", link, `{"type":"text","text":"link (home, https://example.com/)"}`},
		{"2025-06-18", link, `{"type":"resource_link","uri":"https://example.com/","name":"home"}`},
	} {
		if got, err := json.Marshal(encodePart(tt.part, tt.version)); string(got) != tt.want || err != nil {
			t.Errorf("%s: %s, %v", tt.version, got, err)
		}
	}
}
