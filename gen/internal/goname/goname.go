// Package goname spells names: those of Go from those of the notation and back,
// and all that mean the same. Its set of names hands out those that are free.
package goname

import (
	"go/token"
	"go/types"
	"strings"
	"unicode"
	"unicode/utf8"
)

// initialisms are the words that Go names write in capitals.
var initialisms = map[string]bool{
	"ACL": true, "API": true, "ASCII": true, "CPU": true, "CSS": true, "CSV": true, "DB": true, "DNS": true,
	"EOF": true, "GUID": true, "HTML": true, "HTTP": true, "HTTPS": true, "ID": true, "IP": true, "JSON": true,
	"MCP": true, "QPS": true, "RAM": true, "RPC": true, "SLA": true, "SMTP": true, "SQL": true, "SSH": true,
	"TCP": true, "TLS": true, "TTL": true, "UDP": true, "UI": true, "UID": true, "URI": true, "URL": true,
	"UTF8": true, "UUID": true, "VM": true, "XML": true, "XMPP": true, "XSRF": true, "XSS": true, "YAML": true,
}

// Exported turns the name of a tool or an argument into an exported Go name:
// get_url is GetURL. Where no letter is left it is fallback.
func Exported(name, fallback string) string {
	var b strings.Builder
	for _, part := range Words(name) {
		b.WriteString(Capitalised(part))
	}
	if s := b.String(); token.IsIdentifier(s) && token.IsExported(s) {
		return s
	}
	return fallback + b.String()
}

// Words are the words of a name in the notation.
func Words(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// Capitalised is a word as Go names have it: Id is ID.
func Capitalised(part string) string {
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

// Unexported turns an exported Go name into an unexported one: URLPath is
// urlPath, ID is id.
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

// Known is what a table has for a type by its full name: that of its package, a dot and
// its own. It is asked for each type, several times.
func Known[V any](table map[string]V, t *types.TypeName) (known V, ok bool) {
	if t.Pkg() == nil {
		return known, false
	}
	var room [64]byte
	full := append(append(append(room[:0], t.Pkg().Path()...), '.'), t.Name()...)
	known, ok = table[string(full)]
	return known, ok
}

// oneWord are words with capitals within.
var oneWord = []string{
	"GitHub", "GitLab", "GraphQL", "IPv4", "IPv6", "MySQL", "NaN", "NoSQL", "OAuth", "PostgreSQL", "YouTube",
}

// Snake turns a Go name into the JSON name of an argument: userID is
// user_id, HTTPServer is http_server, userIDs is user_ids, IsNaN is is_nan.
func Snake(name string) string {
	r := []rune(name)
	var b strings.Builder
	for i, end := 0, 0; i < len(r); i++ { // a word that was taken whole ends at end
		begins := i >= end && (i == end || beginsWord(r, i)) && r[i] != '_'
		if begins && i > 0 && r[i-1] != '_' {
			b.WriteByte('_')
		}
		if begins {
			end = max(end, i+lenOneWord(string(r[i:])))
		}
		b.WriteRune(unicode.ToLower(r[i]))
	}
	return b.String()
}

// lenOneWord is the length of the word with capitals within that a name begins with,
// 0 if it begins with none.
func lenOneWord(name string) int {
	for _, word := range oneWord {
		rest, ok := strings.CutPrefix(name, word)
		if next, _ := utf8.DecodeRuneInString(rest); ok && !unicode.IsLower(next) && !unicode.IsDigit(next) {
			return len(word)
		}
	}
	return 0
}

// beginsWord reports whether a word begins at i, by its letters. A capital in front
// of the first word is of that word, as in HGet.
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

// isVersion reports whether the letter at i begins the version of capitals: KVv2.
func isVersion(r []rune, i int) bool {
	return i > 1 && i+1 < len(r) && r[i] == 'v' && unicode.IsUpper(r[i-1]) && unicode.IsUpper(r[i-2]) && unicode.IsDigit(r[i+1])
}

// isPlural reports whether the letter at i is the s of several initialisms: IDs.
func isPlural(r []rune, i int) bool {
	return r[i] == 's' && (i+1 == len(r) || unicode.IsUpper(r[i+1]))
}

// Spells reports whether goName is a Go spelling of a snake_case name, each
// word capitalised, initialisms either way; the first word may be in lower
// case, for functions that are not exported. That which Snake makes of it is one,
// too: hget of HGet.
func Spells(snake, goName string) bool {
	if goName != "" && Snake(goName) == snake {
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
