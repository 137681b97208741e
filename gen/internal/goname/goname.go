// Package goname converts names of the notation to Go names and back, and compares spellings. Names
// is a set of names in use, whose method Take finds a free name.
package goname

import (
	"go/token"
	"go/types"
	"strings"
	"unicode"
	"unicode/utf8"
)

// initialisms are the words that are written in capitals in Go names.
var initialisms = map[string]bool{
	"ACL": true, "API": true, "ASCII": true, "CPU": true, "CSS": true, "CSV": true, "DB": true, "DNS": true,
	"EOF": true, "GUID": true, "HTML": true, "HTTP": true, "HTTPS": true, "ID": true, "IP": true, "JSON": true,
	"MCP": true, "QPS": true, "RAM": true, "RPC": true, "SLA": true, "SMTP": true, "SQL": true, "SSH": true,
	"TCP": true, "TLS": true, "TTL": true, "UDP": true, "UI": true, "UID": true, "URI": true, "URL": true,
	"UTF8": true, "UUID": true, "VM": true, "XML": true, "XMPP": true, "XSRF": true, "XSS": true, "YAML": true,
}

// Exported converts the name of a tool or an argument to an exported Go name: get_url becomes
// GetURL. It adds the prefix fallback if the result would not be an exported Go name: 3d becomes
// Arg3d.
func Exported(name, fallback string) string {
	var b strings.Builder
	for _, part := range SplitWords(name) {
		b.WriteString(Capitalize(part))
	}
	if s := b.String(); token.IsIdentifier(s) && token.IsExported(s) {
		return s
	}
	return fallback + b.String()
}

// SplitWords returns the words of a name in the notation: get and url for get_url.
func SplitWords(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// Capitalize returns a word as it is written in Go names: id becomes ID.
func Capitalize(part string) string {
	upper := strings.ToUpper(part)
	if initialisms[strings.TrimRight(upper, "0123456789")] || initialisms[upper] {
		return upper
	}
	if singular, ok := strings.CutSuffix(upper, "S"); ok && initialisms[singular] {
		return singular + "s"
	}
	first, size := utf8.DecodeRuneInString(part)
	return string(unicode.ToUpper(first)) + part[size:]
}

// Unexported converts an exported Go name to an unexported one: URLPath becomes urlPath, ID
// becomes id.
func Unexported(name string) string {
	r := []rune(name)
	n := 0
	for n < len(r) && unicode.IsUpper(r[n]) {
		n++
	}
	if n > 1 && n < len(r) && unicode.IsLower(r[n]) && !isPlural(r, n) {
		n-- // the last capital begins the next word
	}
	return strings.ToLower(string(r[:n])) + string(r[n:])
}

// LookupType returns the entry for a type in a table, whose keys are full names such as time.Time.
// It does not allocate, because it is called often.
func LookupType[V any](table map[string]V, t *types.TypeName) (known V, ok bool) {
	if t.Pkg() == nil {
		return known, false
	}
	var room [64]byte
	full := append(append(append(room[:0], t.Pkg().Path()...), '.'), t.Name()...)
	known, ok = table[string(full)]
	return known, ok
}

// mixedCaseWords are words with capitals inside.
var mixedCaseWords = []string{
	"GitHub", "GitLab", "GraphQL", "IPv4", "IPv6", "MySQL", "NaN", "NoSQL", "OAuth", "PostgreSQL", "YouTube",
}

// SnakeCase converts a Go name to the JSON name of an argument: userID becomes user_id,
// HTTPServer http_server, userIDs user_ids, and IsNaN is_nan.
func SnakeCase(name string) string {
	r := []rune(name)
	var b strings.Builder
	for i, end := 0, 0; i < len(r); i++ { // a mixed-case word ends at end
		begins := i >= end && (i == end || beginsWord(r, i)) && r[i] != '_'
		if begins && i > 0 && r[i-1] != '_' {
			b.WriteByte('_')
		}
		if begins {
			end = max(end, i+leadingWordLength(string(r[i:])))
		}
		b.WriteRune(unicode.ToLower(r[i]))
	}
	return b.String()
}

// leadingWordLength returns the length of the mixed-case word at the beginning of a name, or 0 if
// there is none.
func leadingWordLength(name string) int {
	for _, word := range mixedCaseWords {
		rest, ok := strings.CutPrefix(name, word)
		if next, _ := utf8.DecodeRuneInString(rest); ok && !unicode.IsLower(next) && !unicode.IsDigit(next) {
			return len(word)
		}
	}
	return 0
}

// beginsWord reports whether a word begins at i. A single capital at the start belongs to the first
// word, as in HGet.
func beginsWord(r []rune, i int) bool {
	switch {
	case i == 0 || isVersion(r, i):
		return true
	case !unicode.IsUpper(r[i]):
		return false
	case !unicode.IsUpper(r[i-1]):
		return true
	}
	return i > 1 && i+1 < len(r) && unicode.IsLower(r[i+1]) && !isPlural(r, i+1) && !isVersion(r, i+1)
}

// isVersion reports whether the letter at i begins a version number after capitals, as in
// KVv2.
func isVersion(r []rune, i int) bool {
	return i > 1 && i+1 < len(r) && r[i] == 'v' && unicode.IsUpper(r[i-1]) && unicode.IsUpper(r[i-2]) && unicode.IsDigit(r[i+1])
}

// isPlural reports whether the letter at i is the plural s of an initialism, as in IDs.
func isPlural(r []rune, i int) bool {
	return r[i] == 's' && (i+1 == len(r) || unicode.IsUpper(r[i+1]))
}

// IsSpelling reports whether goName is a Go spelling of a snake_case name: user_id matches UserID,
// UserId, userID and userId. It also reports true if SnakeCase converts goName to snake: HGet is a
// spelling of hget.
func IsSpelling(snake, goName string) bool {
	if goName != "" && SnakeCase(goName) == snake {
		return true
	}
	rest := goName
	for i, part := range strings.Split(snake, "_") {
		if part == "" || len(rest) < len(part) {
			return false
		}
		word := rest[:len(part)]
		rest = rest[len(part):]
		upper := strings.ToUpper(part)
		title := upper[:1] + part[1:]
		if word != title && (word != upper || !initialisms[upper]) && (i > 0 || word != part) {
			return false
		}
	}
	return rest == ""
}
