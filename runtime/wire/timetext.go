package wire

import (
	"math"
	"strings"
	"time"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// parseTime parses a date-time of RFC 3339, or returns what was expected instead. A leap second becomes the following
// second.
func parseTime(text string) (t time.Time, expected string) {
	if t, ok := jsonschema.ParseDateTime(text); ok {
		return t, ""
	}
	if _, ok := jsonschema.ParseDateTime(text + "Z"); ok {
		return time.Time{}, words.Zone
	}
	return time.Time{}, words.Time
}

// parseDuration parses a duration in the format of ISO 8601 or of Go, or returns what was expected instead. It rejects
// days and longer units with a separate message, because their length depends on a calendar.
func parseDuration(text string) (d time.Duration, expected string) {
	if units, ok := strings.CutPrefix(text, "PT"); ok {
		if d, ok = parseUnits(units); ok {
			return d, ""
		}
	}
	if jsonschema.IsDuration(text) {
		return 0, "a duration in hours, minutes and seconds such as PT1H30M"
	}
	d, err := time.ParseDuration(text)
	if err != nil || text[len(text)-1] < 'A' { // Go accepts 0 without a unit
		return 0, words.Duration
	}
	return d, ""
}

// parseUnits parses the part of a duration after PT: at least one integer of hours, minutes or seconds, in
// this order.
func parseUnits(text string) (total time.Duration, ok bool) {
	for _, unit := range []struct {
		letter byte
		size   time.Duration
	}{{'H', time.Hour}, {'M', time.Minute}, {'S', time.Second}} {
		end := len(text) - len(strings.TrimLeft(text, "0123456789"))
		if end == 0 || end == len(text) || text[end] != unit.letter {
			continue
		}
		n, state := jsontext.ParseSigned(text[:end], 64)
		if state != jsontext.Fits || n > int64((math.MaxInt64-total)/unit.size) {
			return 0, false
		}
		total += time.Duration(n) * unit.size
		text, ok = text[end+1:], true
	}
	return total, ok && text == ""
}
