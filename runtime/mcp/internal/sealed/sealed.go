// Package sealed signs what a client carries from one request of a call to the next, so
// that no server has to keep it: the answers that the call has so far.
package sealed

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

	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/internal/secret"
)

// State is what is known of a call between two of its requests. It is signed, not
// encrypted: its client knows all that is in it.
type State struct {
	Of       string            `json:"of"`                 // digest of the call; see [Digest]
	Answers  []ask.Answer      `json:"answers,omitempty"`  // that it has
	Approval string            `json:"approval,omitempty"` // of a person
	Asked    map[string]string `json:"asked"`              // digests of the questions that are open now, by the names that the client answers them by
	Until    time.Time         `json:"until"`              // it is worth nothing then
}

// Digest is that of the call that a state belongs to: of what is called, of the
// arguments, however they are written, and of who calls.
func Digest(method, name string, arguments json.RawMessage, user string) string {
	text, err := json.Marshal([]any{method, name, Canonical(arguments), user})
	if err != nil {
		panic(err) // it is made of strings and JSON
	}
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// Canonical returns arguments as JSON without space, with the members of objects in the
// order of their names, since clients may write them anew for every request. What is no
// JSON is refused elsewhere, and null.
func Canonical(arguments json.RawMessage) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(arguments))
	d.UseNumber()
	var value any
	_ = d.Decode(&value)
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // it was read from JSON
	}
	return text
}

// Key signs states and verifies their signatures.
type Key struct{ secret secret.Value[[]byte] }

// NewKey returns the key that servers of a name have by a secret, or a random one if there
// is none: what one server was answered is nothing to others that share its secret.
func NewKey(shared []byte, server string) Key {
	if len(shared) == 0 {
		shared = make([]byte, sha256.Size)
		rand.Read(shared) // never fails
	}
	return Key{secret.New(Key{secret.New(shared)}.sign([]byte(server)))}
}

// longest bounds a state, in bytes, as does a message what comes back.
const longest = 1 << 20

// Seal returns a state as text.
func (k Key) Seal(s State) (string, error) {
	raw, err := json.Marshal(s)
	if err == nil && len(raw) > longest {
		err = fmt.Errorf("the answers so far take %d bytes, and may take %d", len(raw), longest)
	}
	if err != nil {
		return "", err
	}
	text := encode(raw)
	return text + "." + k.signature(text), nil
}

// Open returns the state that was sealed with the same secret for a call, if it is not
// over.
func (k Key) Open(sealed, of string, now time.Time) (State, error) {
	var s State
	text, signature, _ := strings.Cut(sealed, ".")
	raw, err := base64.RawURLEncoding.DecodeString(text)
	switch {
	case !hmac.Equal([]byte(signature), []byte(k.signature(text))) || err != nil || json.Unmarshal(raw, &s) != nil:
		return State{}, errors.New("it is none that this server wrote")
	case s.Of != of:
		return State{}, errors.New("it is that of another call: what is called, its arguments and who calls must stay the same")
	case !now.Before(s.Until):
		return State{}, fmt.Errorf("it was to be used until %s", s.Until.UTC().Format(time.RFC3339))
	}
	return s, nil
}

func (k Key) sign(text []byte) []byte {
	mac := hmac.New(sha256.New, k.secret.Reveal())
	mac.Write(text)
	return mac.Sum(nil)
}

// signature is that of a text as it is carried: bytes may be written in several ways.
func (k Key) signature(text string) string { return encode(k.sign([]byte(text))) }

func encode(data []byte) string { return base64.RawURLEncoding.EncodeToString(data) }
