package transport

import (
	"bytes"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestEvents checks that streams are read as the specification of server-sent events requires, in
// whatever pieces they arrive.
func TestEvents(t *testing.T) {
	long := strings.Repeat("x", 3*pieceSize)
	for _, test := range []struct {
		stream string
		want   []event
	}{
		{"data: a\n\n", []event{{data: []byte("a")}}},
		{"data:a\r\ndata:  b\r\n\r\n", []event{{data: []byte("a\n b")}}},
		{": hello\n\n:\n\ndata: a\n\n", []event{{data: []byte("a")}}},
		{"event: ping\n\nevent: message\nid: 7\nretry: 2000\ndata: a\n\n", []event{{name: "message", id: "7", retry: 2 * time.Second, data: []byte("a")}}},
		{"id: 1\ndata:\n\ndata: b", []event{{id: "1"}, {data: []byte("b")}}},
		{"retry: 0\n\nretry: x\n\nretry: 99999999\n\n", []event{{retry: 100 * time.Millisecond}, {retry: time.Minute}}},
		{"what: is this\nnothing\ndata: " + long + "\n\n", []event{{data: []byte(long)}}},
		{long + "\n: " + long + "\ndata: a\n\n", []event{{data: []byte("a")}}},
	} {
		for name, in := range map[string]io.Reader{"whole": strings.NewReader(test.stream), "by bytes": iotest.OneByteReader(strings.NewReader(test.stream))} {
			events := newEventReader(in, 1<<20)
			for _, want := range test.want {
				got, err := events.readEvent()
				if err != nil || got.name != want.name || got.id != want.id || got.retry != want.retry || !bytes.Equal(got.data, want.data) {
					t.Errorf("%.50q %s: got %.50v, %v, want %.50v", test.stream, name, got, err, want)
				}
			}
			if got, err := events.readEvent(); err != io.EOF {
				t.Errorf("%.50q %s: then %.50v, %v", test.stream, name, got, err)
			}
		}
	}
	var long1000 *UnreadableError
	for _, stream := range []string{"data: " + long, strings.Repeat("data: a\n", 1000), ": " + long} {
		if _, err := newEventReader(strings.NewReader(stream), 1000).readEvent(); !errors.As(err, &long1000) {
			t.Errorf("%.20q: %v", stream, err)
		}
	}
}

// TestDecodeDeep checks that values which are nested too deeply are cut from a response, which then
// has an error. A request with such values, and an incomplete message, are rejected.
func TestDecodeDeep(t *testing.T) {
	deep := strings.Repeat(`{"]":[`, maxDepth) + strings.Repeat("]}", maxDepth)
	right := `{"jsonrpc":"2.0","id":1,"result":{"a":"` + strings.Repeat("[{", maxDepth) + `"}}`
	for _, test := range []struct {
		text string
		want string // for each message, whether it has an ID, a result and an error
	}{
		{right, "IR-"},
		{`{"jsonrpc":"2.0","id":1,"result":{"a":` + deep + `,"b":[` + deep + `]}}`, "IRE"},
		{`[{"jsonrpc":"2.0","id":1,"result":{"a":` + deep + `}},` + right + "]", "IRE IR-"},
		{`{"jsonrpc":"2.0","id":1,"error":{"code":7,"message":"m","data":` + deep + `}}`, "I-E"},
		{`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":` + deep + `}}`, ""},
		{`{"jsonrpc":"2.0","id":1,"result":{"a":` + deep + `}`, "--E"},
		{`{"jsonrpc":"2.0","id":1,"result":{"a":` + deep[:len(deep)/2] + `}}`, "--E"},
		{deep, ""},
	} {
		messages, err := decodeMessages([]byte(test.text))
		var got []string
		for _, m := range messages {
			flags := []byte("---")
			if r, ok := m.(*jsonrpc.Response); ok {
				for i, has := range []bool{r.ID.IsValid(), r.Result != nil, r.Error != nil} {
					if has {
						flags[i] = "IRE"[i]
					}
				}
			}
			got = append(got, string(flags))
		}
		if all := strings.Join(got, " "); all != test.want || (err != nil) != (test.want == "") {
			t.Errorf("%.60s: got %q, %v, want %q", test.text, all, err, test.want)
		}
	}
}

// FuzzDecode checks that nothing panics, and that invalid messages are rejected.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{`{"jsonrpc":"2.0","id":1,"result":{}}`, `[{"jsonrpc":"2.0","method":"a"}]`, `{"id":[[[`, "\ufeff{}", `DEBUG "jsonrpc"`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		messages, err := decodeMessages(text)
		if (err == nil) != (len(messages) > 0) {
			t.Errorf("%q: %v, %v", text, messages, err)
		}
		for _, m := range messages {
			if r, ok := m.(*jsonrpc.Response); ok && !r.ID.IsValid() && r.Error == nil {
				t.Errorf("%q is an answer to nothing", text)
			}
		}
	})
}

// FuzzEvents checks that nothing panics, that events are within the limit, and that a stream ends.
func FuzzEvents(f *testing.F) {
	f.Add([]byte("data: a\r\n\r\nid: 1\nretry: 5\n\n"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		in := newEventReader(bytes.NewReader(stream), 100)
		for n := 0; ; n++ {
			ev, err := in.readEvent()
			if err != nil {
				return
			}
			if len(ev.data) > 100 || n > len(stream) {
				t.Fatalf("%q: event %d has %d bytes", stream, n, len(ev.data))
			}
		}
	})
}

// TestAddress checks that the description of a server that the program itself configured contains no
// secrets.
func TestAddress(t *testing.T) {
	for want, transport := range map[string]sdk.Transport{
		"server":           &sdk.CommandTransport{Command: exec.Command("/bin/server", "--key", "secret")},
		"example.com:8080": &sdk.StreamableClientTransport{Endpoint: "https://user:secret@Example.com:8080/mcp?key=secret"},
		"example.com":      &sdk.LoggingTransport{Transport: &sdk.SSEClientTransport{Endpoint: "https://example.com/sse"}},
		"":                 &sdk.IOTransport{},
	} {
		if got, _ := Describe(transport); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if CanReopen(&sdk.LoggingTransport{Transport: &sdk.IOTransport{}}) || !CanReopen(&sdk.StreamableClientTransport{}) || CanReopen(&sdk.CommandTransport{Command: exec.CommandContext(t.Context(), "x")}) {
		t.Error("which connections can be opened again is wrong")
	}
}
