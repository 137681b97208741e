package jsonschema

import (
	"strings"
	"time"
)

// ParseDateTime parses a date-time of RFC 3339, and reports whether text is one. The letters T and Z may be lower
// case. A leap second becomes the following second, because package time does not support leap seconds.
func ParseDateTime(text string) (time.Time, bool) {
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

// isTime reports whether s is a time of RFC 3339. It accepts second 60 only in the last
// minute of a day in UTC.
func isTime(s string) bool { return isDateTime("2026-01-31T" + s) }

func isDateTime(s string) bool { _, ok := ParseDateTime(s); return ok }

// IsDuration reports whether text is an ISO 8601 duration of any length in any units.
func IsDuration(text string) bool {
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
