package openai

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestLimited(t *testing.T) {
	for _, test := range []struct {
		text  string
		limit int
		whole bool
	}{
		{"", 0, true}, {"12345", 5, true}, {"12345", 6, true}, {"12345", 4, false}, {"1", 0, false},
	} {
		text, err := io.ReadAll(&limited{io.NopCloser(strings.NewReader(test.text)), test.limit})
		if (err == nil) != test.whole || err != nil && !errors.Is(err, errTooLong) || test.whole && string(text) != test.text {
			t.Errorf("%q of at most %d bytes: %q, %v", test.text, test.limit, text, err)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	for _, test := range []struct {
		after, afterMS string
		want           time.Duration
	}{
		{"", "", 0},
		{"0", "", 0},
		{"7", "", 7 * time.Second},
		{"0.25", "", 250 * time.Millisecond},
		{"-7", "", 0},
		{"1e300", "", 0},
		{"NaN", "", 0},
		{"soon", "", 0},
		{"Fri, 31 Dec 1999 23:59:59 GMT", "", 0},
		{"2", "1500", 1500 * time.Millisecond},
		{"", "20.5", 20500 * time.Microsecond},
		{"2", "soon", 2 * time.Second},
		{"2", "0", 0},
	} {
		header := http.Header{"Retry-After": {test.after}, "Retry-After-Ms": {test.afterMS}}
		if got := retryAfter(header); got != test.want {
			t.Errorf("%q and %q are %v, want %v", test.after, test.afterMS, got, test.want)
		}
	}
	date := time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)
	if got := retryAfter(http.Header{"Retry-After": {date}}); got < 59*time.Minute || got > time.Hour {
		t.Errorf("%q is %v", date, got)
	}
}
