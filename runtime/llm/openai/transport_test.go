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
	for text, want := range map[string]time.Duration{
		"":                              0,
		"0":                             0,
		"7":                             7 * time.Second,
		"0.25":                          250 * time.Millisecond,
		"-7":                            0,
		"1e300":                         0,
		"NaN":                           0,
		"soon":                          0,
		"Fri, 31 Dec 1999 23:59:59 GMT": 0,
	} {
		if got := retryAfter(text); got != want {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
	}
	date := time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)
	if got := retryAfter(date); got < 59*time.Minute || got > time.Hour {
		t.Errorf("%q is %v", date, got)
	}
}
