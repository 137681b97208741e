package transport

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
)

// TestLogSanitized checks that messages, strings and errors in a log have no invisible characters.
func TestLogSanitized(t *testing.T) {
	var b strings.Builder
	const hidden = "\x1b\u202e\u200b\U000e0041"
	LimitLog(slog.New(slog.NewJSONHandler(&b, nil))).Warn("a"+hidden, "text", "b"+hidden, "error", errors.New("c"+hidden), "number", 7)
	for _, want := range []string{`"msg":"a    "`, `"text":"b    "`, `"error":"c    "`, `"number":7`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q has no %s", b.String(), want)
		}
	}
}
