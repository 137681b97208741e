// Package goname spells names: those of Go from those of the notation and back,
// and all that mean the same. Its set of names hands out those that are free.
package goname

import (
	"go/token"
	"strings"
	"unicode"
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
	first := []rune(part)
	first[0] = unicode.ToUpper(first[0])
	return string(first)
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

// Snake turns a Go name into the JSON name of an argument: userID is
// user_id, HTTPServer is http_server, userIDs is user_ids.
func Snake(name string) string {
	r := []rune(name)
	var b strings.Builder
	for i, c := range r {
		if unicode.IsUpper(c) && i > 0 && r[i-1] != '_' && beginsWord(r, i) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

func beginsWord(r []rune, i int) bool {
	if !unicode.IsUpper(r[i-1]) {
		return true
	}
	return i+1 < len(r) && unicode.IsLower(r[i+1]) && !isPlural(r, i+1)
}

// isPlural reports whether the letter at i is the s of several initialisms: IDs.
func isPlural(r []rune, i int) bool {
	return r[i] == 's' && (i+1 == len(r) || unicode.IsUpper(r[i+1]))
}

// Spells reports whether goName is a Go spelling of a snake_case name, each
// word capitalised, initialisms either way; the first word may be in lower
// case, for functions that are not exported.
func Spells(snake, goName string) bool {
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

// Loose is a name without what distinguishes spellings: user_id and userID are
// one.
func Loose(name string) string { return strings.ToLower(strings.Join(Words(name), "")) }
