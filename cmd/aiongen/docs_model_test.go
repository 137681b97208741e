//go:build unix

package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// modelAnswer is an answer in testdata/model/PAGE.json, where PAGE is the name of the page without
// extension and with dashes for slashes: howto-agents.json. The first answer fits whose texts in When
// occur in the request and those in Unless do not, so an interrupted run gets the same answers again.
type modelAnswer struct {
	When, Unless []string
	Text         json.RawMessage // a string, or JSON that the model writes as text
	Calls        []struct {
		Name      string
		Arguments json.RawMessage
	}
}

// docModel is a double of a model endpoint, also of the one at OpenAI.
type docModel struct {
	url         string
	proxy       string // leads to the endpoint as https://api.openai.com
	certificate string // a file
	answers     []modelAnswer
	mu          sync.Mutex
	problems    []string
}

// startModel starts the model of a page.
func startModel(t *testing.T, p *docPage) *docModel {
	t.Helper()
	m := &docModel{}
	name := strings.ReplaceAll(strings.TrimPrefix(strings.TrimSuffix(p.name, ".md"), "docs/"), "/", "-")
	text, err := os.ReadFile("testdata/model/" + name + ".json")
	if err == nil {
		err = json.Unmarshal(text, &m.answers)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("%s: %v", name, err)
	}
	server := httptest.NewServer(http.HandlerFunc(m.serve))
	t.Cleanup(server.Close)
	m.url = server.URL
	m.startOpenAI(t)
	return m
}

// stop returns what went wrong with requests.
func (m *docModel) stop() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.problems
}

// serve answers a request of the chat completions protocol.
func (m *docModel) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || r.URL.Path != "/v1/chat/completions" || r.TLS != nil && len(r.Header.Get("Authorization")) <= len("Bearer ") {
		m.refuse(w, fmt.Sprintf("the model got %s without a key or a body: %v", r.URL, err))
		return
	}
	answer := m.findAnswer(string(body))
	if answer == nil {
		m.refuse(w, "no answer fits the request "+string(body))
		return
	}
	message := map[string]any{"role": "assistant", "content": answer.text()}
	finish := "stop"
	for i, call := range answer.Calls {
		finish = "tool_calls"
		calls, _ := message["tool_calls"].([]any)
		message["tool_calls"] = append(calls, map[string]any{
			"index": i, "id": fmt.Sprintf("call-%d", i), "type": "function",
			"function": map[string]any{"name": call.Name, "arguments": string(call.Arguments)},
		})
	}
	part := "message"
	var request struct{ Stream bool }
	if err := json.Unmarshal(body, &request); err == nil && request.Stream {
		part = "delta"
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: ")
		defer func() { _, _ = io.WriteString(w, "\ndata: [DONE]\n\n") }() // the client may be killed
	}
	_ = json.NewEncoder(w).Encode(map[string]any{
		"choices": []any{map[string]any{"index": 0, "finish_reason": finish, part: message}},
		"usage":   map[string]any{"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
	})
}

// refuse answers with an error that is not repeated, and records it.
func (m *docModel) refuse(w http.ResponseWriter, problem string) {
	m.mu.Lock()
	m.problems = append(m.problems, problem)
	m.mu.Unlock()
	http.Error(w, problem, http.StatusBadRequest)
}

// findAnswer returns the first answer that fits a request.
func (m *docModel) findAnswer(request string) *modelAnswer {
	containsAny := func(texts []string, want bool) bool {
		for _, text := range texts {
			if strings.Contains(request, text) == want {
				return true
			}
		}
		return false
	}
	for i, a := range m.answers {
		if !containsAny(a.When, false) && !containsAny(a.Unless, true) {
			return &m.answers[i]
		}
	}
	return nil
}

// text returns the text of an answer.
func (a *modelAnswer) text() string {
	var text string
	if json.Unmarshal(a.Text, &text) == nil {
		return text
	}
	return string(a.Text)
}

// atOpenAI returns commands to which https://api.openai.com is the double from the line on that sets the
// key, as it is to a reader who sets nothing else. Earlier commands, such as go mod tidy, use the network.
func (m *docModel) atOpenAI(commands string) string {
	var b strings.Builder
	b.WriteString("unset MODEL_URL; trusted=$SSL_CERT_FILE; proxy=$HTTPS_PROXY\n")
	for line := range strings.Lines(commands) {
		b.WriteString(line)
		if strings.Contains(line, "OPENAI_API_KEY=") {
			fmt.Fprintf(&b, "export HTTPS_PROXY=%s SSL_CERT_FILE=%s\n", m.proxy, m.certificate)
		}
	}
	b.WriteString("\nHTTPS_PROXY=$proxy; [ -n \"$proxy\" ] || unset HTTPS_PROXY\n")
	fmt.Fprintf(&b, "SSL_CERT_FILE=$trusted; [ -n \"$trusted\" ] || unset SSL_CERT_FILE; export MODEL_URL=%s/v1\n", m.url)
	return b.String()
}

// startOpenAI starts a proxy that connects to api.openai.com, which is the double with a certificate of its own,
// and to no other host.
func (m *docModel) startOpenAI(t *testing.T) {
	t.Helper()
	const host = "api.openai.com"
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: host}, DNSNames: []string{host}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	m.certificate = filepath.Join(t.TempDir(), "certificate.pem")
	if err := os.WriteFile(m.certificate, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o666); err != nil {
		t.Fatal(err)
	}
	openAI := httptest.NewUnstartedServer(http.HandlerFunc(m.serve))
	openAI.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	openAI.StartTLS()
	t.Cleanup(openAI.Close)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect || r.Host != host+":443" {
			http.Error(w, "this proxy leads to "+host, http.StatusForbidden)
			return
		}
		m.tunnel(w, openAI.Listener.Addr().String())
	}))
	t.Cleanup(proxy.Close)
	m.proxy = proxy.URL
}

// tunnel connects the client of a proxy with an address, until either of them closes.
func (m *docModel) tunnel(w http.ResponseWriter, address string) {
	server, err := net.Dial("tcp", address)
	if err != nil {
		m.refuse(w, err.Error())
		return
	}
	defer server.Close()
	client, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		m.refuse(w, err.Error())
		return
	}
	defer client.Close()
	if _, err := io.WriteString(client, "HTTP/1.1 200 OK\r\n\r\n"); err != nil {
		return // the client is gone
	}
	go func() {
		_, _ = io.Copy(server, buffered)
		_ = server.Close()
	}()
	_, _ = io.Copy(client, server)
}
