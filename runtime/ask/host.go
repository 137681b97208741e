package ask

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// asciiHost returns the host of a URL in ASCII, as it is looked up, if the URL has it in other
// letters; else "".
func asciiHost(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	host := u.Hostname()
	if !strings.ContainsFunc(host, isNotASCII) {
		return ""
	}
	labels := strings.FieldsFunc(strings.Map(unicode.ToLower, host), func(r rune) bool { return strings.ContainsRune(".。．｡", r) })
	for i, label := range labels {
		if strings.ContainsFunc(label, isNotASCII) {
			labels[i] = "xn--" + punycode(label)
		}
	}
	return strings.Join(labels, ".")
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

// longestLabel limits, in characters, a label of a host that can be looked up.
const longestLabel = 63

// punycode encodes a label as RFC 3492 has it. It is "?" if the label is too long.
func punycode(label string) string {
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
				bias = adapt(delta, done+1, done == basic)
				delta = 0
				done++
			}
		}
		delta++
	}
	return string(out)
}

// appendDelta appends a number with digits of variable weight.
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

// adapt returns the bias of the next number.
func adapt(delta, points int, first bool) int {
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
