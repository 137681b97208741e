package note

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// EncodeOutcome writes a [Came]. The output, which may be long, is copied once.
func EncodeOutcome(attempt int, call *tool.Call) (json.RawMessage, error) {
	bare := *call
	bare.Output = nil
	head, err := jsontext.Encode(Came{Attempt: attempt, Call: &bare})
	if err != nil || call.Output == nil {
		return head, err
	}
	const member = `,"output":`
	text := make([]byte, 0, len(head)+len(member)+len(call.Output))
	text = append(text, head[:len(head)-1]...)
	text = append(text, member...)
	text = append(text, call.Output...)
	return append(text, '}'), nil
}

// Bounds of an effect and of the ID of a call, of which it may be, in bytes.
const (
	longestKey = 768
	longestID  = longestKey - len(ofCall)
)

// Key names an effect by what it is about. What models chose may be anything: what is too
// long becomes its hash.
func Key(parts ...string) string { return key(longestKey, parts) }

// ID names a call by run and step, and its number there.
func ID(run, step string, n int) string {
	return key(longestID, []string{run, step, strconv.Itoa(n)})
}

// ofCall is what the effect of a question begins with that the function of a call asks the
// model; its ID follows.
const ofCall = record.ForQuestion + "/"

func key(longest int, parts []string) string {
	name := strings.ToValidUTF8(strings.Join(parts, "/"), "\uFFFD")
	if len(name) <= longest {
		return name
	}
	hash := sha256.Sum256([]byte(name))
	return name[:strings.IndexByte(name, '/')+1] + hex.EncodeToString(hash[:])
}

// Normalise returns a request as it comes out of a journal, so that a call which is
// made again is the same.
func Normalise(r tool.Request) (x tool.Request, err error) {
	text, err := jsontext.Encode(r)
	if err == nil {
		err = json.Unmarshal(text, &x)
	}
	var b bytes.Buffer
	if err == nil && json.Compact(&b, x.Arguments) == nil {
		x.Arguments = b.Bytes()
	}
	return x, err
}

// Later returns the later of two times, as journals keep it.
func Later(a, b time.Time) time.Time {
	if a = a.UTC().Round(0); a.Before(b) {
		return b
	}
	return a
}
