package peer

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/aiongen/aiongen/runtime/internal/secret"
	"github.com/aiongen/aiongen/runtime/tool"
)

// State is the state of a call that the client keeps between two requests of the call. It is signed
// but not encrypted, so the client can read it.
type State struct {
	CallDigest string            `json:"of"`                 // the result of the function [CallDigest]
	Answers    []tool.Answer     `json:"answers,omitempty"`  // the answers so far
	Approval   string            `json:"approval,omitempty"` // the person who approved the call
	Asked      map[string]string `json:"asked"`              // digests of the pending questions, by name
	Expires    time.Time         `json:"until"`
}

// CallDigest returns a digest of the method, the name, the arguments and the user of a call.
// White space and the order of members in the arguments do not matter.
func CallDigest(method, name string, arguments json.RawMessage, user string) string {
	text, err := json.Marshal([]any{method, name, canonicalJSON(arguments), user})
	if err != nil {
		panic(err) // cannot fail for strings and canonical JSON
	}
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// canonicalJSON returns arguments without white space and with sorted members, because a client may
// encode the same arguments differently in each request. For invalid JSON, which the registry
// rejects, it returns null.
func canonicalJSON(arguments json.RawMessage) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(arguments))
	d.UseNumber()
	var value any
	_ = d.Decode(&value)
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // impossible: a value that was decoded from JSON always encodes
	}
	return text
}

// Key signs states and verifies their signatures.
type Key struct{ secret secret.Value[[]byte] }

// NewKey derives a key from the name of a server and a shared secret. If shared is empty, it uses a
// random secret. Servers with the same secret but different names reject each other's states.
func NewKey(shared []byte, server string) Key {
	if len(shared) == 0 {
		shared = make([]byte, sha256.Size)
		rand.Read(shared) // never fails
	}
	return Key{secret.New(Key{secret.New(shared)}.computeMAC([]byte(server)))}
}

// maxStateBytes limits an encoded state, in bytes.
const maxStateBytes = 1 << 20

// Seal encodes and signs a state.
func (k Key) Seal(s State) (string, error) {
	raw, err := json.Marshal(s)
	if err == nil && len(raw) > maxStateBytes {
		err = fmt.Errorf("the answers so far have %d bytes, more than the limit of %d", len(raw), maxStateBytes)
	}
	if err != nil {
		return "", err
	}
	text := encodeBase64(raw)
	return text + "." + k.signText(text), nil
}

// Open verifies and returns a sealed state. It returns an error if the state was not signed with this
// key, belongs to another call, or has expired.
func (k Key) Open(sealed, callDigest string, now time.Time) (State, error) {
	var s State
	text, signature, _ := strings.Cut(sealed, ".")
	raw, err := base64.RawURLEncoding.DecodeString(text)
	switch {
	case !hmac.Equal([]byte(signature), []byte(k.signText(text))) || err != nil || json.Unmarshal(raw, &s) != nil:
		return State{}, errors.New("this server did not issue it")
	case s.CallDigest != callDigest:
		return State{}, errors.New("it belongs to another call: repeat the request with the same name, arguments and user")
	case !now.Before(s.Expires):
		return State{}, fmt.Errorf("it expired at %s", s.Expires.UTC().Format(time.RFC3339))
	}
	return s, nil
}

func (k Key) computeMAC(text []byte) []byte {
	mac := hmac.New(sha256.New, k.secret.Reveal())
	mac.Write(text)
	return mac.Sum(nil)
}

// signText returns the signature of an encoded state. It signs the base64 text instead of the decoded
// bytes, because several base64 texts decode to the same bytes.
func (k Key) signText(text string) string { return encodeBase64(k.computeMAC([]byte(text))) }

func encodeBase64(data []byte) string { return base64.RawURLEncoding.EncodeToString(data) }
