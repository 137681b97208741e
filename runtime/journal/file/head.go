package file

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// parseHeadText parses the text of a head. Listing runs parses so many heads that encoding/json would
// take most of the time. It is therefore used only for a head that formatHead would write differently.
func parseHeadText(text []byte) (head, error) {
	if h, ok := parsePlainHead(string(text)); ok {
		return h, nil
	}
	var h head
	err := json.Unmarshal(text, &h)
	return h, err
}

// parsePlainHead parses a text as formatHead writes it: the members in their order, without white
// space and escapes. It reports false for any other text.
func parsePlainHead(text string) (head, bool) {
	var h head
	m := memberReader{rest: text, failed: !strings.HasPrefix(text, "{")}
	h.Format = readInt[int](&m, `{"format":`)
	h.N = readInt[int](&m, `,"n":`)
	h.Kind = m.readText(`,"kind":"`)
	h.By = m.readText(`,"by":"`)
	h.Seen = readInt[int](&m, `,"seen":`)
	h.Time = m.readTime(`,"time":"`)
	h.Status = m.readText(`,"status":"`)
	h.WaitsFor = m.readText(`,"waits_for":"`)
	h.Effect = m.readText(`,"effect":"`)
	h.Run = m.readText(`,"run":"`)
	h.Bytes = readInt[int64](&m, `,"bytes":`)
	h.Sum = readInt[uint32](&m, `,"sum":`)
	h.Part = readInt[int](&m, `,"part":`)
	h.Of = readInt[int](&m, `,"of":`)
	return h, !m.failed && m.rest == "}"
}

// memberReader reads the members of an object one after the other. Each method takes the text before
// the value of a member, such as `,"run":"`. If rest begins with it, the method reads the value.
// Otherwise it returns a zero value, because the member was left out.
type memberReader struct {
	rest   string
	failed bool // a value is not in the expected form
}

func readInt[T int | int64 | uint32](m *memberReader, prefix string) T {
	rest, found := strings.CutPrefix(m.rest, prefix)
	if !found {
		return 0
	}
	end, _ := jsontext.NumberEnd(rest, 0)
	n, err := strconv.ParseInt(rest[:end], 10, 64)
	m.rest, m.failed = rest[end:], m.failed || err != nil || int64(T(n)) != n
	return T(n)
}

func (m *memberReader) readText(prefix string) string {
	rest, found := strings.CutPrefix(m.rest, prefix)
	if !found {
		return ""
	}
	text := rest[:jsontext.PlainEnd(rest, 0)]
	rest, closed := strings.CutPrefix(rest[len(text):], `"`)
	m.rest, m.failed = rest, m.failed || !closed
	return text
}

func (m *memberReader) readTime(prefix string) (t time.Time) {
	if strings.HasPrefix(m.rest, prefix) {
		err := t.UnmarshalText([]byte(m.readText(prefix)))
		m.failed = m.failed || err != nil
	}
	return t
}
