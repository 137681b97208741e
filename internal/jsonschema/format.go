package jsonschema

import (
	"encoding/base64"
	"net/netip"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/lazyregexp"
	"github.com/aiongen/aiongen/internal/words"
)

// A Format is a format of strings that this package checks. Other formats do not restrict values, which
// JSON Schema permits.
type Format struct {
	Words string            // description of a string of the format, such as "a UUID"
	Is    func(string) bool // reports whether a string has the format
}

// formats is a slice instead of a map. A map would be created at program start, so the linker could not remove
// unused functions from it.
var formats = []struct {
	name string
	Format
}{
	{"date-time", Format{words.Time, isDateTime}},
	{"date", Format{"a date such as 2026-01-31", isDate}},
	{"time", Format{"a time with its zone, such as 15:04:05Z", isTime}},
	{"duration", Format{words.Duration, IsDuration}},
	{"period", Format{"a period such as 2026-01-31T15:04:05Z/PT1H30M", isPeriod}},
	{"email", Format{"an email address", func(s string) bool { return isEmail(s, false) }}},
	{"idn-email", Format{"an email address", func(s string) bool { return isEmail(s, true) }}},
	{"hostname", Format{"a host name", func(s string) bool { return isHostname(s, false) }}},
	{"idn-hostname", Format{"a host name", func(s string) bool { return isHostname(s, true) }}},
	{"ipv4", Format{"an IPv4 address", isIPv4}},
	{"ipv6", Format{"an IPv6 address", isIPv6}},
	{"uri", Format{"a URI", isURI}},
	{"iri", Format{"an IRI", isURI}},
	{"uri-reference", Format{words.Reference, isReference}},
	{"iri-reference", Format{"an IRI or a relative reference", isReference}},
	{"uri-template", Format{"a URI template such as /users/{id}", isURITemplate}},
	{"uuid", Format{words.UUID, isUUID}},
	{"json-pointer", Format{"a JSON Pointer", jsontext.IsPointer}},
	{"relative-json-pointer", Format{"a relative JSON Pointer such as 1/name", isRelativePointer}},
	{"regex", Format{"a regular expression", isPattern}},
	{"semver", Format{"a version such as 1.2.3", func(s string) bool { return semverPattern.Get().MatchString(s) }}},
}

// LookupFormat returns the format with a name, and reports whether this package checks it.
func LookupFormat(name string) (f Format, checked bool) {
	for i := range formats {
		if formats[i].name == name {
			return formats[i].Format, true
		}
	}
	return Format{}, false
}

// DescribeFormat describes a string of any format, checked or not.
func DescribeFormat(format string) string {
	if f, checked := LookupFormat(format); checked {
		return f.Words
	}
	return "text of the format " + format
}

// ExpectedKind describes a string of a format, for a message about a value that is not a
// string.
func ExpectedKind(format string) string {
	switch format {
	case "date-time":
		return words.WithTime
	case "duration":
		return words.WithDuration
	}
	return "a string"
}

// ExpectedFormat describes what is expected instead of the string s if it does not have the format. It
// returns "" if s has the format or the format is not checked.
func ExpectedFormat(format, s string) string {
	f, checked := LookupFormat(format)
	switch {
	case !checked || f.Is(s):
		return ""
	case f.Words == words.Time && isDateTime(s+"Z"):
		return words.Zone
	}
	return f.Words
}

// ExpectedUUID is like ExpectedFormat for the format "uuid", but does not link the code of other formats.
func ExpectedUUID(s string) string {
	if isUUID(s) {
		return ""
	}
	return words.UUID
}

func isDate(s string) bool { _, err := time.Parse(time.DateOnly, s); return err == nil }

func isPeriod(s string) bool {
	start, end, _ := strings.Cut(s, "/")
	return isDateTime(start) && (isDateTime(end) || IsDuration(end)) || IsDuration(start) && isDateTime(end)
}

// isEmail reports whether s is an address of RFC 5321 or, if international is true, of RFC 6531.
func isEmail(s string, international bool) bool {
	at := strings.LastIndexByte(s, '@')
	if at < 1 || at > 64 || len(s) > 254 {
		return false
	}
	local, domain := s[:at], s[at+1:]
	if !isMailbox(local, international) {
		return false
	}
	if literal, ok := strings.CutPrefix(domain, "["); ok && strings.HasSuffix(literal, "]") {
		literal = strings.TrimSuffix(literal, "]")
		ipv6, ok := strings.CutPrefix(literal, "IPv6:")
		return ok && isIPv6(ipv6) || isIPv4(literal)
	}
	return isHostname(domain, international)
}

func isAlphanumeric(c rune) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// isMailbox reports whether s is valid before the @ of an email address.
func isMailbox(s string, international bool) bool {
	if len(s) > 1 && s[0] == '"' && strings.HasSuffix(s, `"`) {
		return !strings.ContainsAny(s[1:len(s)-1], `"\`)
	}
	return isDotted(s, func(c rune) bool {
		return isAlphanumeric(c) || strings.ContainsRune("!#$%&'*+-/=?^_`{|}~", c) || international && c >= utf8.RuneSelf
	})
}

// isDotted reports whether s consists of non-empty parts with dots between them, whose
// characters isAllowed accepts.
func isDotted(s string, isAllowed func(rune) bool) bool {
	for part := range strings.SplitSeq(s, ".") {
		if part == "" || strings.ContainsFunc(part, func(c rune) bool { return !isAllowed(c) }) {
			return false
		}
	}
	return true
}

// isHostname reports whether s is a host name of RFC 1123 or, if international is true, of RFC 5890. There may be
// a dot at its end. It does not check the tables of characters of RFC 5890.
func isHostname(s string, international bool) bool {
	s = strings.TrimSuffix(s, ".")
	for part := range strings.SplitSeq(s, ".") {
		if len(part) > 63 || strings.HasPrefix(part, "-") || strings.HasSuffix(part, "-") {
			return false
		}
	}
	return len(s) <= 253 && isDotted(s, func(c rune) bool {
		return isAlphanumeric(c) || c == '-' || international && c >= utf8.RuneSelf && unicode.In(c, unicode.L, unicode.M, unicode.N)
	})
}

func isIPv4(s string) bool { a, err := netip.ParseAddr(s); return err == nil && a.Is4() }

func isIPv6(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is6() && a.Zone() == ""
}

func isURI(s string) bool { u := parseURI(s); return u != nil && u.IsAbs() }

// isReference reports whether s is a URI or a relative reference.
func isReference(s string) bool { return parseURI(s) != nil && !strings.Contains(s, `\`) }

// parseURI returns nil if s is not a URI or reference.
func parseURI(s string) *url.URL {
	u, err := url.Parse(s)
	if err != nil {
		return nil
	}
	if host := u.Hostname(); strings.Contains(host, ":") && (!strings.HasPrefix(u.Host, "[") || !isIPv6(host)) {
		return nil
	}
	return u
}

var uriTemplatePattern = lazyregexp.Regexp{Text: `^([^\x00- "<>\\^` + "`" + `{|}\x7f]|\{[^\x00- "<>\\^` + "`" + `{}\x7f]+\})*$`}

// isURITemplate reports whether s is a template of RFC 6570. It does not check the content of
// the braces.
func isURITemplate(s string) bool {
	return uriTemplatePattern.Get().MatchString(s) && utf8.ValidString(s)
}

// isUUID reports whether s is a UUID of five groups of hexadecimal digits.
func isUUID(s string) bool {
	for i, c := range []byte(s) {
		if hyphen := i == 8 || i == 13 || i == 18 || i == 23; hyphen != (c == '-') || !hyphen && !isHex(c) {
			return false
		}
	}
	return len(s) == 36
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|' ' && c|' ' <= 'f' }

func isRelativePointer(s string) bool {
	rest := strings.TrimLeft(s, "0123456789")
	up := s[:len(s)-len(rest)]
	return up != "" && (up == "0" || up[0] != '0') && (rest == "#" || jsontext.IsPointer(rest))
}

var semverPattern = lazyregexp.Regexp{Text: `^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}(-(0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)(\.(0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*))*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$`}

// DecodeBase64 decodes base64 in the standard or URL-safe alphabet, with or without padding.
func DecodeBase64(s string) ([]byte, error) {
	encoding := base64.StdEncoding
	if strings.ContainsAny(s, "-_") {
		encoding = base64.URLEncoding
	}
	if !strings.Contains(s, "=") {
		encoding = encoding.WithPadding(base64.NoPadding)
	}
	return encoding.DecodeString(s)
}
