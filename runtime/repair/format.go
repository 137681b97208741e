package repair

import (
	"encoding/base64"
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// formats are the values of the keyword format that are checked. Another says
// nothing of a value, as in JSON Schema.
var formats = map[string]func(string) bool{
	"date":          func(s string) bool { _, err := time.Parse(time.DateOnly, s); return err == nil },
	"date-time":     isDateTime,
	"duration":      isDuration,
	"email":         isEmail,
	"hostname":      isHostname,
	"ipv4":          func(s string) bool { a, err := netip.ParseAddr(s); return err == nil && a.Is4() },
	"ipv6":          func(s string) bool { a, err := netip.ParseAddr(s); return err == nil && a.Is6() && a.Zone() == "" },
	"json-pointer":  regexp.MustCompile(`^(/([^~]|~[01])*)?$`).MatchString,
	"regex":         func(s string) bool { _, err := regexp.Compile(s); return err == nil },
	"time":          func(s string) bool { return isDateTime("2000-01-01T" + s) },
	"uri":           func(s string) bool { u, err := url.Parse(s); return err == nil && u.IsAbs() },
	"uri-reference": func(s string) bool { _, err := url.Parse(s); return err == nil && !strings.Contains(s, `\`) },
	"uuid":          regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`).MatchString,
}

// encodings are the values of the keyword contentEncoding that are checked.
var encodings = map[string]func(string) bool{
	"base64": func(s string) bool { _, err := base64.StdEncoding.DecodeString(s); return err == nil },
}

var duration = regexp.MustCompile(`^P(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(\d+H)?(\d+M)?(\d+S)?)?)$`)

// isDuration tells whether s is a duration of ISO 8601 in whole units.
func isDuration(s string) bool {
	return duration.MatchString(s) && s != "P" && !strings.HasSuffix(s, "T")
}

var dateTime = regexp.MustCompile(`^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// isDateTime tells whether s is a date and time of RFC 3339.
func isDateTime(s string) bool {
	if !dateTime.MatchString(s) {
		return false
	}
	_, err := time.Parse(time.RFC3339, strings.ToUpper(s))
	return err == nil
}

// isEmail tells whether s is an address alone.
func isEmail(s string) bool {
	a, err := mail.ParseAddress(s)
	return err == nil && a.Name == "" && a.Address == s
}

var label = regexp.MustCompile(`^[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$`)

func isHostname(s string) bool {
	for part := range strings.SplitSeq(s, ".") {
		if !label.MatchString(part) {
			return false
		}
	}
	return len(s) <= 253
}

// isFormat tells whether a string has a format; an unknown one it has.
func isFormat(s, format string) bool {
	check := formats[format]
	return check == nil || check(s)
}

// isContent tells whether a string is encoded as it should be.
func isContent(s, encoding string) bool {
	check := encodings[encoding]
	return check == nil || check(s)
}
