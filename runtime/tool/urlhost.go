package tool

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// asciiHost returns the host of a URL in the ASCII form that is used for DNS lookups, such as xn--bcher-kva.example.
// It returns "" if the host is already ASCII. It does not use net/url, so that programs that ask no questions need
// not link it.
func asciiHost(address string) string {
	_, host, _ := strings.Cut(address, "//")
	if end := strings.IndexAny(host, `/\?#`); end >= 0 {
		host = host[:end]
	}
	host = host[strings.LastIndex(host, "@")+1:]
	host = strings.ToValidUTF8(unescapePercent(strings.TrimRight(strings.TrimRight(host, "0123456789"), ":")), "?")
	if !strings.ContainsFunc(host, isNotASCII) {
		return ""
	}
	labels := strings.FieldsFunc(strings.ToLower(host), func(r rune) bool { return strings.ContainsRune(".。．｡", r) })
	for i, label := range labels {
		if strings.ContainsFunc(label, isNotASCII) {
			labels[i] = "xn--" + encodePunycode(label)
		}
	}
	return strings.Join(labels, ".")
}

// unescapePercent decodes percent encoding, such as %2e for a dot.
func unescapePercent(text string) string {
	var b []byte
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '%' && i+2 < len(text) {
			if decoded, err := strconv.ParseUint(text[i+1:i+3], 16, 8); err == nil {
				c = byte(decoded)
				i += 2
			}
		}
		b = append(b, c)
	}
	return string(b)
}

func isNotASCII(r rune) bool { return r >= utf8.RuneSelf }

// Parameters of punycode, from RFC 3492.
const (
	base        = 36
	tMin, tMax  = 1, 26
	skew, damp  = 38, 700
	initialBias = 72
	initialN    = 128
)

// longestLabel is the maximum length of a label of a host, in characters.
const longestLabel = 63

// encodePunycode encodes a label as RFC 3492 specifies. It returns "?" if the label is too long.
func encodePunycode(label string) string {
	runes := []rune(label)
	if len(runes) > longestLabel {
		return "?"
	}
	var out []byte
	for _, r := range runes {
		if r < utf8.RuneSelf {
			out = append(out, byte(r))
		}
	}
	basic := len(out)
	if basic > 0 {
		out = append(out, '-')
	}
	n, delta, bias := rune(initialN), 0, initialBias
	for done := basic; done < len(runes); n++ {
		next := rune(unicode.MaxRune)
		for _, r := range runes {
			if r >= n {
				next = min(next, r)
			}
		}
		delta += int(next-n) * (done + 1)
		n = next
		for _, r := range runes {
			if r < n {
				delta++
			}
			if r == n {
				out = appendDelta(out, delta, bias)
				bias = adaptBias(delta, done+1, done == basic)
				delta = 0
				done++
			}
		}
		delta++
	}
	return string(out)
}

// appendDelta appends the number q as a generalized variable-length integer (RFC 3492, 3.3).
func appendDelta(out []byte, q, bias int) []byte {
	const digits = "abcdefghijklmnopqrstuvwxyz0123456789"
	for k := base; ; k += base {
		t := min(max(k-bias, tMin), tMax)
		if q < t {
			return append(out, digits[q])
		}
		out = append(out, digits[t+(q-t)%(base-t)])
		q = (q - t) / (base - t)
	}
}

// adaptBias returns the bias for the next number (RFC 3492, 6.1).
func adaptBias(delta, points int, first bool) int {
	if first {
		delta /= damp
	} else {
		delta /= 2
	}
	delta += delta / points
	k := 0
	for ; delta > (base-tMin)*tMax/2; k += base {
		delta /= base - tMin
	}
	return k + (base-tMin+1)*delta/(delta+skew)
}
