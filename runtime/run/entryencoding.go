package run

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/tool"
)

// encodeOutcome encodes an [outcomeData]. It copies the output, which may be long, only once.
func encodeOutcome(attempt int, call *tool.Call) (json.RawMessage, error) {
	bare := *call
	bare.Output = nil
	head, err := jsontext.Encode(outcomeData{Attempt: attempt, Call: &bare})
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

// Maximum lengths in bytes of an effect and of a call ID, which may be part of an effect.
const (
	maxKeyLength    = 768
	maxCallIDLength = maxKeyLength - len(callPrefix)
)

// effectKey joins parts into the name of an effect. Models may choose parts of any length. If the
// name is too long, a hash replaces everything after its first part.
func effectKey(parts ...string) string { return joinEffectKey(maxKeyLength, parts) }

// generateCallID returns the ID of the nth call of a step.
func generateCallID(run, step string, n int) string {
	return joinEffectKey(maxCallIDLength, []string{run, step, strconv.Itoa(n)})
}

// generateAgentCallID returns the ID of the nth call of a step of an agent that carries out a call.
// [ParseCallID] reads it.
func generateAgentCallID(call, step string, n int) string {
	return joinEffectKey(maxCallIDLength, []string{call, stepEscaper.Replace(step) + ":" + strconv.Itoa(n)})
}

// callPrefix begins the name of an effect in which the function of a call asks the model. The ID of
// the call follows.
const callPrefix = PurposeQuestion + "/"

func joinEffectKey(longest int, parts []string) string {
	name := strings.ToValidUTF8(strings.Join(parts, "/"), "\uFFFD")
	if len(name) <= longest {
		return name
	}
	hash := sha256.Sum256([]byte(name))
	return name[:strings.IndexByte(name, '/')+1] + hex.EncodeToString(hash[:])
}

// normalizeRequest returns a request as if it had been written to a journal and read again, so that
// a call has the same request in a replay.
func normalizeRequest(r tool.Request) (x tool.Request, err error) {
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

// laterTime returns the later of two times, without monotonic clock and in UTC as in journals.
func laterTime(a, b time.Time) time.Time {
	if a = a.UTC().Round(0); a.Before(b) {
		return b
	}
	return a
}
