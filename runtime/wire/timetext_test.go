package wire

import (
	"testing"
	"time"

	"github.com/aiongen/aiongen/internal/words"
)

func TestParseTime(t *testing.T) {
	for _, text := range []string{
		"2026-01-31T5:04:05Z", "2026-01-31T15:04:05,5Z", "2026-01-31T15:04:05+24:00", "2026-01-31T15:04:05+10:60", "2026-01-31 15:04:05Z", "",
	} {
		if got, expected := parseTime(text); expected != words.Time || !got.IsZero() {
			t.Errorf("%q is read as %v, expected %q", text, got, expected)
		}
	}
	for text, want := range map[string]string{
		"2026-01-31t15:04:05z": "2026-01-31T15:04:05Z", "2026-01-31t15:04:05.5-07:00": "2026-01-31T15:04:05.5-07:00",
		"2016-12-31T23:59:60Z": "2017-01-01T00:00:00Z", "2016-12-31T16:59:60.25-07:00": "2016-12-31T17:00:00.25-07:00",
	} {
		if got, expected := parseTime(text); expected != "" || got.Format(time.RFC3339Nano) != want {
			t.Errorf("%q is read as %v, expected %q", text, got, expected)
		}
	}
	for _, text := range []string{"2026-01-31T15:04:60Z", "2026-01-31T23:59:60+01:00", "2026-01-31T23:60:60Z", "2026-01-31T23:59:61Z"} {
		if got, expected := parseTime(text); expected != words.Time || !got.IsZero() {
			t.Errorf("%q is read as %v, expected %q", text, got, expected)
		}
	}
	for _, text := range []string{"2026-01-31T15:04:05", "2026-01-31t15:04:05"} {
		if _, expected := parseTime(text); expected != words.Zone {
			t.Errorf("%q has no zone, and %q is expected", text, expected)
		}
	}
}

func TestParseDuration(t *testing.T) {
	for _, tt := range []struct {
		text string
		want time.Duration // -1 for none
	}{
		{"PT1H30M", 90 * time.Minute}, {"PT5S", 5 * time.Second}, {"1h30m", 90 * time.Minute}, {"-2s", -2 * time.Second},
		{"", -1}, {"0", -1}, {"PT", -1}, {"PT1", -1}, {"PT1M1H", -1}, {"P1D", -1}, {"PT9999999999999H", -1}, {"PT-1S", -1},
	} {
		got, expected := parseDuration(tt.text)
		if expected != "" {
			got = -1
		}
		if got != tt.want {
			t.Errorf("%q is read as %v, want %v", tt.text, got, tt.want)
		}
	}
}
