package tool

import (
	"math"
	"strings"
	"time"
)

// parseTime reads a date-time of RFC 3339 as encoding/json does: strictly.
// time.Parse would let a few other spellings pass.
func parseTime(text string) (t time.Time, err error) {
	err = t.UnmarshalText([]byte(text))
	return t, err
}

// parseDuration reads a duration of ISO 8601 or of Go.
func parseDuration(text string) (time.Duration, bool) {
	if units, ok := strings.CutPrefix(text, "PT"); ok {
		return parseUnits(units)
	}
	if text == "" || text[len(text)-1] < 'A' {
		return 0, false // 0 is a number without a unit that Go would take
	}
	d, err := time.ParseDuration(text)
	return d, err == nil
}

// parseUnits reads what follows PT in a duration: at least one of whole hours,
// minutes and seconds, in this order.
func parseUnits(text string) (total time.Duration, ok bool) {
	units := "HMS"
	sizes := map[byte]time.Duration{'H': time.Hour, 'M': time.Minute, 'S': time.Second}
	for ok = text != ""; text != ""; {
		end, digits := digitsEnd(text, 0)
		if !digits || end == len(text) {
			return 0, false
		}
		i := strings.IndexByte(units, text[end])
		if i < 0 {
			return 0, false
		}
		size := sizes[text[end]]
		n, state := parseSigned(text[:end], 64)
		if state != integerFits || n > int64((math.MaxInt64-total)/size) {
			return 0, false
		}
		total += time.Duration(n) * size
		units, text = units[i+1:], text[end+1:]
	}
	return total, ok
}
