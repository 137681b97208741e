package mcp_test

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/mcp"
	"github.com/aiongen/aiongen/runtime/tool"
)

// newFolder creates a folder with files, next to a secret outside of it.
func newFolder(t *testing.T) string {
	t.Helper()
	outside := t.TempDir()
	dir := filepath.Join(outside, "docs")
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(outside, "secret.txt"), "secret")
	write(filepath.Join(dir, "a.txt"), "text")
	write(filepath.Join(dir, "sub", "b c.json"), `{"b":1}`)
	write(filepath.Join(dir, "sub", "100%.bin"), "\x00\xff")
	write(filepath.Join(dir, "empty"), "")
	for name, target := range map[string]string{
		"inside": "sub/b c.json", "sub/up": "../a.txt", "folder": "sub", "chain": "inside",
		"leaves": "../secret.txt", "absolute": filepath.Join(outside, "secret.txt"), "parent": "..", "sub/far": "../../secret.txt",
		"loop": "loop", "by-chain": "leaves", "self": "../docs/a.txt",
	} {
		if err := os.Symlink(target, filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// files maps URIs to contents; a content that begins with "!" means that there is no such file.
var files = map[string]string{
	"docs:///a.txt": "text", "docs:///sub/b%20c.json": `{"b":1}`, "docs:///sub/100%25.bin": "\x00\xff", "docs:///empty": "", "docs:///%61.txt": "text",
	"docs:///inside": `{"b":1}`, "docs:///sub/up": "text", "docs:///folder/b%20c.json": `{"b":1}`, "docs:///chain": `{"b":1}`,
	"docs:///leaves": "!", "docs:///absolute": "!", "docs:///parent/secret.txt": "!", "docs:///sub/far": "!", "docs:///loop": "!", "docs:///by-chain": "!",
	"docs:///self": "!", "docs:///folder/../a.txt": "!", "docs:///folder/far": "!", "docs:///parent/docs/a.txt": "!",
	"docs:///../secret.txt": "!", "docs:///%2e%2e/secret.txt": "!", "docs:///%2E%2E%2Fsecret.txt": "!", "docs:///..%2fsecret.txt": "!",
	"docs:///sub/%2e%2e/%2e%2e/secret.txt": "!", "docs:///..%5csecret.txt": "!", "docs:////etc/passwd": "!", "docs:///%2fetc/passwd": "!",
	"docs:///": "!", "docs:///.": "!", "docs:///sub": "!", "docs:///sub/": "!", "docs:///./a.txt": "!", "docs:///a.txt/": "!", "docs:///sub//b%20c.json": "!",
	"docs:///a.txt/b": "!does not exist", "docs:///inside/b": "!does not exist", "docs:///" + strings.Repeat("a", 300): "!does not exist", "docs:///sub/" + strings.Repeat("a", 300) + "/b": "!does not exist",
	"docs:///none": "!does not exist", "docs:///%252e%252e/secret.txt": "!", "docs:///a.txt%00": "!NUL", "docs:///a.txt%00.png": "!NUL", "docs:///\x00": "!NUL",
	"docs:///%ff": "!UTF-8", "docs:///%c0%ae%c0%ae/secret.txt": "!UTF-8", "docs:///%ed%a0%80": "!UTF-8",
}

// Clients read the files of a file system, and nothing else.
func TestServeFS(t *testing.T) {
	dir := newFolder(t)
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	parent, err := fs.Sub(os.DirFS(filepath.Dir(dir)), "docs")
	if err != nil {
		t.Fatal(err)
	}
	for name, fsys := range map[string]fs.FS{"DirFS": os.DirFS(dir), "Root": root.FS(), "Sub": parent} {
		s := newServer(t, tool.NewRegistry())
		if err := s.AddResource(mcp.ServeFS("docs", "docs:///", fsys)); err != nil {
			t.Fatal(err)
		}
		session := connectClient(t, s, stateless, nil)
		for uri, want := range files {
			result, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
			if why, nothing := strings.CutPrefix(want, "!"); nothing {
				if err == nil || !strings.Contains(err.Error(), why) || strings.Contains(err.Error(), "permitted") {
					t.Errorf("%s: %s: %v, %v", name, uri, result, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %s: %v", name, uri, err)
				continue
			}
			if c := result.Contents[0]; c.Text+string(c.Blob) != want || c.URI != uri {
				t.Errorf("%s: %s: %+v", name, uri, c)
			}
		}
	}
}

// Types are derived from names or from data, and files have a size limit.
func TestServeFSTypes(t *testing.T) {
	s := newServer(t, tool.NewRegistry(), mcp.MaxResult(64<<20))
	err := s.AddResource(mcp.ServeFS("docs", "docs:///", fstest.MapFS{
		"a.json": {Data: []byte("{}")}, "README": {Data: []byte("text")}, "b.png": {Data: []byte("not one")}, "data": {Data: []byte("\x89PNG\r\n\x1a\n")},
		"big": {Data: make([]byte, 16<<20+1)},
	}))
	if err != nil {
		t.Fatal(err)
	}
	session := connectClient(t, s, stateless, nil)
	for name, media := range map[string]string{"a.json": "application/json", "README": "text/plain; charset=utf-8", "b.png": "image/png", "data": "image/png", "big": ""} {
		result, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "docs:///" + name})
		switch {
		case media == "" && (err == nil || !strings.Contains(err.Error(), "16777216 bytes")):
			t.Errorf("%s: %v", name, err)
		case media != "" && (err != nil || result.Contents[0].MIMEType != media):
			t.Errorf("%s: %+v, %v", name, result, err)
		}
	}
}

// Paths are completed, within the file system.
// countingFS counts the bytes that are read from its files.
type countingFS struct {
	fs.FS
	bytes *atomic.Int64
}

func (c countingFS) Open(name string) (fs.File, error) {
	f, err := c.FS.Open(name)
	return countingFile{f, c.bytes}, err
}

type countingFile struct {
	fs.File
	bytes *atomic.Int64
}

func (f countingFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	f.bytes.Add(int64(n))
	return n, err
}

// A file that exceeds MaxResult is not read to its end.
func TestServeFSReadsUpToMaxResult(t *testing.T) {
	const limit = 64 << 10
	s := newServer(t, tool.NewRegistry(), mcp.MaxResult(limit))
	var read atomic.Int64
	files := countingFS{fstest.MapFS{"big": {Data: bytes.Repeat([]byte("a"), 8<<20)}, "small": {Data: bytes.Repeat([]byte("a"), limit/2)}}, &read}
	if err := s.AddResource(mcp.ServeFS("docs", "docs:///", files)); err != nil {
		t.Fatal(err)
	}
	session := connectClient(t, s, stateless, nil)
	if _, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "docs:///big"}); err == nil || !strings.Contains(err.Error(), "more than 65536 bytes") {
		t.Error(err)
	}
	if n := read.Load(); n > limit+1 {
		t.Errorf("%d bytes of the file were read", n)
	}
	if _, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "docs:///small"}); err != nil {
		t.Error(err)
	}
}

func TestServeFSComplete(t *testing.T) {
	s := newServer(t, tool.NewRegistry())
	if err := s.AddResource(mcp.ServeFS("docs", "docs:///", os.DirFS(newFolder(t)))); err != nil {
		t.Fatal(err)
	}
	session := connectClient(t, s, stateless, nil)
	for typed, want := range map[string][]string{
		"a": {"a.txt"}, "s": {"sub/"}, "f": {"folder/"}, "": {"a.txt", "chain", "empty", "folder/", "inside", "sub/"}, "sub/": {"sub/100%.bin", "sub/b c.json", "sub/up"}, "sub/1": {"sub/100%.bin"}, "folder/b": {"folder/b c.json"}, "none/": {}, "parent/": {}, "../": {}, "/": {}, "\x00/": {},
	} {
		got, err := session.Complete(t.Context(), &sdk.CompleteParams{Ref: &sdk.CompleteReference{Type: "ref/resource", URI: "docs:///{+path}"}, Argument: sdk.CompleteParamsArgument{Name: "path", Value: typed}})
		if err != nil || !slices.Equal(got.Completion.Values, want) {
			t.Errorf("%q: %v, %v", typed, got, err)
		}
	}
}

// Functions that read resources never receive NUL bytes or invalid UTF-8, however they are encoded.
func TestWrongURIs(t *testing.T) {
	var read []string
	s := newServer(t, tool.NewRegistry())
	note := func(_ context.Context, variables map[string]string) (content.Part, error) {
		read = append(read, variables["name"])
		return content.Text("read"), nil
	}
	for _, uri := range []string{"note://{name}", "path://{+name}", "query://x{?name}", "fragment://x{#name}"} {
		if err := s.AddResource(mcp.Resource{URI: uri, Name: "n", Read: note}); err != nil {
			t.Fatal(err)
		}
	}
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	session := sendRequest(t, http.MethodPost, server.URL, initialize).Header.Get("Mcp-Session-Id")
	for _, uri := range []string{"note://", "path://a/", "query://x?name=", "fragment://x#"} {
		for _, end := range []string{"%00", "a%00b", `\u0000`, "%ff", "%C3%28", "%c0%80", "%ed%a0%80", "\xff", "%e2%82", "%f4%90%80%80"} {
			for _, method := range []string{"resources/read", "resources/subscribe"} {
				answer, err := io.ReadAll(sendRequest(t, http.MethodPost, server.URL, `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{"uri":"`+uri+end+`"}}`, "Mcp-Session-Id", session).Body)
				if err != nil || !strings.Contains(string(answer), "-32602") && !strings.Contains(string(answer), "-32002") {
					t.Errorf("%s of %q: %s, %v", method, uri+end, answer, err)
				}
			}
		}
		answer, err := io.ReadAll(sendRequest(t, http.MethodPost, server.URL, `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"`+uri+`%c3%a9"}}`, "Mcp-Session-Id", session).Body)
		if err != nil || !strings.Contains(string(answer), `"text":"read"`) {
			t.Errorf("%s: %s, %v", uri, answer, err)
		}
	}
	const listen = `{"jsonrpc":"2.0","id":1.5,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["note://x","note://%00"]},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	answer, err := io.ReadAll(sendRequest(t, http.MethodPost, server.URL, listen, "Mcp-Protocol-Version", stateless, "Mcp-Method", "subscriptions/listen").Body)
	if err != nil || !strings.Contains(string(answer), "NUL") || !strings.Contains(string(answer), `"id":1.5`) {
		t.Errorf("%s, %v", answer, err)
	}
	// In an earlier version, a URI that the SDK cannot encode as JSON ended the connection.
	for _, uri := range []string{"none://\\u0001", "none://\\u0007", "none://\U000e0041"} {
		answer, err := io.ReadAll(sendRequest(t, http.MethodPost, server.URL, `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"`+uri+`"}}`, "Mcp-Session-Id", session).Body)
		if err != nil || !strings.Contains(string(answer), "not found") {
			t.Errorf("%q: %s, %v", uri, answer, err)
		}
	}
	if len(read) != 4 {
		t.Errorf("read is %q", read)
	}
}
