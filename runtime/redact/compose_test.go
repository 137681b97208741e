package redact_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/redact"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestLayers hides secrets under up to three random layers of escapes and encodings.
func TestLayers(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long with the race detector; the full suite runs it")
	}
	layers := []struct {
		name  string
		write func(string) string
	}{
		{"JSON", jsontext.Quote}, {"unicode escapes", func(s string) string { return encodeUnits(s, `\u%04x`) }}, {"Go escapes", func(s string) string { return bytewise(s, `\x%02x`) }},
		{"query", url.QueryEscape}, {"percent", func(s string) string { return bytewise(s, "%%%02x") }},
		{"base64", func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }}, {"base64 URL", func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte("ab" + s)) }},
		{"hex", func(s string) string { return hex.EncodeToString([]byte(s)) }}, {"HTML", func(s string) string { return html.EscapeString("<" + s + ">") }}, {"HTML numbers", func(s string) string { return encodeUnits(s, "&#%d;") }},
		{"a sentence", func(s string) string { return "(see " + s + ")" }}, {"a query", func(s string) string { return "key=" + s + "&x=1" }}, {"bytes", func(s string) string { return fmt.Sprint([]byte(s)) }},
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 1500 {
		secret := secrets[r.IntN(len(secrets))]
		text, name := secret, ""
		for range 1 + r.IntN(3) {
			layer := layers[r.IntN(len(layers))]
			text, name = layer.write(text), name+", "+layer.name
		}
		f := form{name, text, jsontext.Quote(text)}
		all := matrixShapes(f)
		s := all[r.IntN(len(all))]
		if told, log := writtenOutput(t, redact.New(hidesSecrets), learningEvent(secret), s.what); containsSecret(told+log, f, secret) {
			t.Errorf("%s%s of %q is shown: %s", s.name, name, secret, log)
		}
	}
}

// TestCutQuotes checks that faults and errors that quote the beginning of a long value do not show it,
// whether it was hidden before or is hidden now.
func TestCutQuotes(t *testing.T) {
	before := matrixTools
	defer func() { matrixTools = before }()
	matrixTools = append([]tool.Definition{}, before...)
	schema := json.RawMessage(`{"type":"object","properties":{"to":{"type":"integer"},"body":{"enum":["a","b"]},"list":{"type":"array","items":{"type":"number"}},"map":{"type":"object","additionalProperties":{"type":"boolean"}},"mail":{"type":"string","maxLength":5}},"additionalProperties":false}`)
	matrixTools[2].Input = schema
	matrixTools[1].Input = json.RawMessage(strings.ReplaceAll(string(schema), "body", "password"))
	for _, secret := range []string{"sk-proj-AbCd0123EfGh4567IjKl89MnOpQrStUvWxYz-aa11bb22cc33dd44ee55ff66gg77hh88ii99", "ada.lovelace-1815@analytical-engine.example.com", "https://a.example/very/long/path?token=Zx81Qw72Er63Ty54Ui45Op36As27Df18"} {
		for _, arguments := range []string{`{"to":S}`, `{"body":S}`, `{"list":[S]}`, `{"map":{S:true}}`, `{"map":{"a":S}}`, `{"mail":S}`, `{S:1}`, `S`, `[S]`, `{"to":{"a":S}}`, `{"to":1,"to":S}`, `{"body":S`, `{"bodi":S}`, `{"to":"1 S"}`} {
			arguments = strings.ReplaceAll(arguments, "S", jsontext.Quote(secret))
			for _, options := range [][]tool.Option{nil, {tool.Tolerant(repair.Arguments)}} {
				var log strings.Builder
				o := outcome{result: learningEvent(secret).Call.Output}
				r := matrixRegistry(t, &log, redact.New(hidesSecrets), &o, options...)
				if strings.Contains(arguments, "body") {
					r.Call(t.Context(), tool.Request{ID: "s/1/1", Name: "open_vault", Arguments: json.RawMessage(strings.ReplaceAll(arguments, "body", "password"))})
				}
				r.Call(t.Context(), tool.Request{ID: "r/1/1", Name: "find_customer", Arguments: json.RawMessage(`{"id":"C-1"}`)})
				r.Call(t.Context(), tool.Request{ID: "r/2/1", Name: "send", Arguments: json.RawMessage(arguments)})
				const part = 14
				for i := 0; i+part <= len(secret); i++ {
					if strings.Contains(log.String(), secret[i:i+part]) {
						t.Fatalf("%s: %s", arguments, log.String())
					}
				}
			}
		}
	}
}
