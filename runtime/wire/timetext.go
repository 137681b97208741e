package wire

import (
	"math"
	"strings"
	"time"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// parseTime parses a date-time of RFC 3339, or returns what was expected instead. The letters T and Z may be
// lower case. A leap second becomes the following second, because package time does not support leap seconds.
func parseTime(text string) (t time.Time, expected string) {
	if t, ok := parseStrictTime(text); ok {
		return t, ""
	}
	if _, ok := parseStrictTime(text + "Z"); ok {
		return time.Time{}, words.Zone
	}
	return time.Time{}, words.Time
}

func parseStrictTime(text string) (time.Time, bool) {
	const seconds = len("2006-01-02T15:04:")
	if len(text) > seconds+2 && (text[len("2006-01-02")] == 't' || text[len(text)-1] == 'z') {
		text = strings.ToUpper(text)
	}
	leap := len(text) > seconds+2 && text[seconds:seconds+2] == "60"
	if leap {
		text = text[:seconds] + "59" + text[seconds+2:]
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil || !isStrictTime(text) {
		return t, false
	}
	if leap { // a leap second is only valid at the end of a UTC day
		utc := t.UTC()
		return t.Add(time.Second), utc.Hour() == 23 && utc.Minute() == 59
	}
	return t, true
}

// isStrictTime reports whether a date-time that package time accepts conforms to RFC 3339. Package time
// also accepts an hour of one digit, a comma before the fraction, and offsets of a day and more.
func isStrictTime(text string) bool {
	if text[len("2006-01-02T15")] != ':' || text[len("2006-01-02T15:04:05")] == ',' {
		return false
	}
	zone := text[len(text)-len("07:00"):]
	return text[len(text)-1] == 'Z' || zone[:2] < "24" && zone[3:] < "60"
}

// parseDuration parses a duration in the format of ISO 8601 or of Go, or returns what was expected instead. It rejects
// days and longer units with a separate message, because their length depends on a calendar.
func parseDuration(text string) (d time.Duration, expected string) {
	if units, ok := strings.CutPrefix(text, "PT"); ok {
		if d, ok = parseUnits(units); ok {
			return d, ""
		}
	}
	if isISODuration(text) {
		return 0, "a duration in hours, minutes and seconds such as PT1H30M"
	}
	d, err := time.ParseDuration(text)
	if err != nil || text[len(text)-1] < 'A' { // Go accepts 0 without a unit
		return 0, words.Duration
	}
	return d, ""
}

// isISODuration reports whether text is an ISO 8601 duration of any length in any units.
func isISODuration(text string) bool {
	date, clock, timed := strings.Cut(text, "T")
	date, ok := strings.CutPrefix(date, "P")
	return ok && len(text) > len("P") && (hasUnits(date, "YMD") && (!timed || clock != "" && hasUnits(clock, "HMS")) || !timed && hasUnits(date, "W"))
}

// hasUnits reports whether text consists of integers, each followed by one of the units, in the order of units.
// Units may be omitted.
func hasUnits(text, units string) bool {
	for _, unit := range []byte(units) {
		rest := strings.TrimLeft(text, "0123456789")
		if rest != "" && len(rest) < len(text) && rest[0] == unit {
			text = rest[1:]
		}
	}
	return text == ""
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
