package inspect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

const (
	maxShown       = 256 << 10 // bytes of a value or a text on a page
	maxIndentDepth = 64        // nesting of JSON that is indented; indentation makes deep values much longer
)

// moment is a time as pages show it.
type moment struct {
	Machine string // RFC 3339, for the attribute datetime
	Text    string
}

func newMoment(t time.Time) moment {
	if t.IsZero() {
		return moment{}
	}
	t = t.UTC()
	return moment{t.Format(time.RFC3339Nano), t.Format("2006-01-02 15:04:05 UTC")}
}

// durationText returns a duration with two or three digits.
func durationText(d time.Duration) string {
	switch {
	case d <= 0:
		return "0 s"
	case d < time.Millisecond:
		return fmt.Sprintf("%d µs", d.Microseconds())
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return strconv.FormatFloat(math.Round(d.Seconds()*10)/10, 'f', -1, 64) + " s"
	}
	return d.Round(time.Second).String()
}

// prettyJSON returns the content of a JSON string, and the result of [indentJSON] for everything else.
func prettyJSON(text json.RawMessage) string {
	var single string
	if json.Unmarshal(text, &single) == nil && len(text) > 0 && text[0] == '"' {
		return single
	}
	return indentJSON(text)
}

// cutText shortens a text with more than maxShown bytes.
func cutText(text string) string {
	if len(text) <= maxShown {
		return text
	}
	return fmt.Sprintf("%s\n… %d more bytes", words.Cut(text, maxShown), len(text)-maxShown)
}

// shortText returns a text in one line for a row of a table.
func shortText(text string) string {
	const maxBytes = 160
	return words.Cut(strings.Join(strings.Fields(words.Cut(text, 2*maxBytes)), " "), maxBytes)
}

// indentJSON indents JSON. It returns a text that is not JSON, too long or too deeply nested unchanged.
func indentJSON(text json.RawMessage) string {
	if len(text) > maxShown {
		return string(text)
	}
	if _, err := jsontext.Parse(string(text), maxIndentDepth); err != nil {
		return string(text)
	}
	var b bytes.Buffer
	_ = json.Indent(&b, text, "", "  ") // it is JSON
	return b.String()
}
