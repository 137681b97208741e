package llm_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
)

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
		if got := llm.RetryAfter(header); got != test.want {
			t.Errorf("%q and %q are %v, want %v", test.after, test.afterMS, got, test.want)
		}
	}
	date := time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)
	if got := llm.RetryAfter(http.Header{"Retry-After": {date}}); got < 59*time.Minute || got > time.Hour {
		t.Errorf("%q is %v", date, got)
	}
}
