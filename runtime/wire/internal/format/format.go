// Package format reads what strings say as what package time has a type for: dates
// with their times, and durations.
package format

import (
	"math"
	"strings"
	"time"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// Time reads a date-time of RFC 3339, or says what was expected in its place. The letters T
// and Z may be small. A leap second is the second after it, since package time has none.
func Time(text string) (t time.Time, expected string) {
	if t, ok := strictTime(text); ok {
		return t, ""
	}
	if _, ok := strictTime(text + "Z"); ok {
		return time.Time{}, words.Zone
	}
	return time.Time{}, words.Time
}

func strictTime(text string) (time.Time, bool) {
	const seconds = len("2006-01-02T15:04:")
	if len(text) > seconds+2 && (text[len("2006-01-02")] == 't' || text[len(text)-1] == 'z') {
		text = strings.ToUpper(text)
	}
	leap := len(text) > seconds+2 && text[seconds:seconds+2] == "60"
	if leap {
		text = text[:seconds] + "59" + text[seconds+2:]
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil || !isStrict(text) {
		return t, false
	}
	if leap { // only at the end of a day of UTC
		utc := t.UTC()
		return t.Add(time.Second), utc.Hour() == 23 && utc.Minute() == 59
	}
	return t, true
}

// isStrict tells whether a date-time that package time reads has none of the
// liberties that it allows: an hour of one digit, a comma before the fraction,
// an offset of a day and more.
func isStrict(text string) bool {
	if text[len("2006-01-02T15")] != ':' || text[len("2006-01-02T15:04:05")] == ',' {
		return false
	}
	zone := text[len(text)-len("07:00"):]
	return text[len(text)-1] == 'Z' || zone[:2] < "24" && zone[3:] < "60"
}

// Duration reads a duration of ISO 8601 or of Go, or says what was expected in its
// place: days and what is longer depend on a calendar, which is said where they are
// given.
func Duration(text string) (d time.Duration, expected string) {
	if units, ok := strings.CutPrefix(text, "PT"); ok {
		if d, ok = parseUnits(units); ok {
			return d, ""
		}
	}
	if isISO(text) {
		return 0, "a duration in hours, minutes and seconds such as PT1H30M"
	}
	d, err := time.ParseDuration(text)
	if err != nil || text[len(text)-1] < 'A' { // 0 is a number without a unit that Go takes
		return 0, words.Duration
	}
	return d, ""
}

// isISO reports whether text is a duration of ISO 8601 in any units, and of any length.
func isISO(text string) bool {
	date, clock, timed := strings.Cut(text, "T")
	date, ok := strings.CutPrefix(date, "P")
	return ok && len(text) > len("P") && (isIn(date, "YMD") && (!timed || clock != "" && isIn(clock, "HMS")) || !timed && isIn(date, "W"))
}

// isIn reports whether text is whole numbers of some of the units, in their order.
func isIn(text, units string) bool {
	for _, unit := range []byte(units) {
		rest := strings.TrimLeft(text, "0123456789")
		if rest != "" && len(rest) < len(text) && rest[0] == unit {
			text = rest[1:]
		}
	}
	return text == ""
}

// parseUnits reads what follows PT in a duration: at least one of whole hours,
// minutes and seconds, in this order.
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
