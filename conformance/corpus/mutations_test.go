package corpus_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// node is a JSON value that may be changed into an invalid one: members keep their order and may
// repeat; scalars and keys are text, valid or not.
type node struct {
	kind     jsontext.Kind // '{', '[', or that of a scalar
	text     string        // of a scalar
	keys     []string      // of an object, quoted
	children []*node
}

// parseNode parses a valid JSON text.
func parseNode(text string) *node {
	return parseNext(jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true)))
}

func parseNext(d *jsontext.Decoder) *node {
	n := &node{kind: d.PeekKind()}
	if n.kind != '{' && n.kind != '[' {
		n.text = string(mustValue(d.ReadValue()))
		return n
	}
	mustValue(d.ReadToken())
	for d.PeekKind() != '}' && d.PeekKind() != ']' {
		if n.kind == '{' {
			n.keys = append(n.keys, string(mustValue(d.ReadValue())))
		}
		n.children = append(n.children, parseNext(d))
	}
	mustValue(d.ReadToken())
	return n
}

func mustValue[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

func (n *node) String() string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

func (n *node) write(b *strings.Builder) {
	if n.kind != '{' && n.kind != '[' {
		b.WriteString(n.text)
		return
	}
	b.WriteByte(byte(n.kind))
	for i, child := range n.children {
		if i > 0 {
			b.WriteByte(',')
		}
		if n.kind == '{' {
			b.WriteString(n.keys[i])
			b.WriteByte(':')
		}
		child.write(b)
	}
	b.WriteByte(byte(n.kind) + 2) // the closing bracket, in ASCII
}

// descendants returns the node and all nodes in it.
func (n *node) descendants() []*node {
	list := []*node{n}
	for _, child := range n.children {
		list = append(list, child.descendants()...)
	}
	return list
}

func (n *node) clone() *node {
	c := *n
	c.keys, c.children = slices.Clone(n.keys), slices.Clone(n.children)
	for i, child := range c.children {
		c.children[i] = child.clone()
	}
	return &c
}

// mutations change one thing in a document, or nothing if the document has no such thing.
var mutations = []func(*mutator){
	(*mutator).otherValue, (*mutator).otherValue, (*mutator).otherNumber, (*mutator).otherString, (*mutator).otherString,
	(*mutator).makeNull, (*mutator).dropMember, (*mutator).addMember, (*mutator).repeatMember, (*mutator).renameMember,
	(*mutator).otherKey, (*mutator).reorderMembers, (*mutator).addElement, (*mutator).dropElement, (*mutator).wrapValue, (*mutator).unwrapValue,
	(*mutator).swapValues, (*mutator).toggleQuotes, (*mutator).editString, (*mutator).editNumber,
}

// mutator changes a document at random.
type mutator struct {
	*rand.Rand
	root *node
}

// mutateDocument returns the document with some changes, mostly to values, sometimes to bytes.
func mutateDocument(r *rand.Rand, document string) string {
	m := mutator{r, parseNode(document)}
	for range m.IntN(4) {
		mutations[m.IntN(len(mutations))](&m)
	}
	text := m.root.String()
	if m.IntN(16) == 0 {
		text = m.editBytes(text)
	}
	return text
}

// randomNode returns a random node for which wanted returns true, or nil if there is none.
func (m *mutator) randomNode(wanted func(*node) bool) *node {
	list := slices.DeleteFunc(m.root.descendants(), func(n *node) bool { return !wanted(n) })
	if len(list) == 0 {
		return nil
	}
	return list[m.IntN(len(list))]
}

func (m *mutator) anyNode() *node { return m.randomNode(func(*node) bool { return true }) }

func (m *mutator) ofKind(kinds ...jsontext.Kind) *node {
	return m.randomNode(func(n *node) bool { return slices.Contains(kinds, n.kind) })
}

// randomParent returns a random object or array that is not empty, and the index of one of its
// children.
func (m *mutator) randomParent(kind jsontext.Kind) (n *node, i int) {
	n = m.randomNode(func(n *node) bool { return n.kind == kind && len(n.children) > 0 })
	if n == nil {
		return &node{}, -1
	}
	return n, m.IntN(len(n.children))
}

func (m *mutator) randomWord(list []string) string { return list[m.IntN(len(list))] }

var otherValues = []string{`null`, `true`, `false`, `0`, `1`, `-1`, `1.5`, `""`, `"a"`, `"red"`, `[]`, `{}`, `[[]]`, `[null]`, `{"a":1}`, `{"a":null}`, `{"":{}}`}

func (m *mutator) otherValue() { *m.anyNode() = *parseNode(m.randomWord(otherValues)) }

func (m *mutator) makeNull() { *m.anyNode() = node{kind: 'n', text: "null"} }

var edgeNumbers = []string{
	"0", "-0", "0.0", "1", "-1", "5.0", "5e0", "50e-1", "0.5", "2.5e1", "1e2", "1E+2", "0e5", "0e-5", "1e-5",
	"127", "128", "-128", "-129", "255", "256", "32767", "32768", "-32768", "-32769", "65535", "65536",
	"2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296", "4294967295.0", "42949672950e-1",
	"9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
	"18446744073709551615", "18446744073709551616", "1.8446744073709551615e19", "1e19", "1e20", "1e99", "-1e99", "1e-99",
	"3.4028234663852886e38", "3.4028235677973366e38", "3.5e38", "1.7976931348623157e308", "1.7976931348623159e308", "1e309", "-1e400", "1e-400", "5e-394", "1e1000",
}

func (m *mutator) otherNumber() {
	if n := m.ofKind('0'); n != nil {
		n.text = m.randomWord(edgeNumbers)
	}
}

var otherStrings = []string{
	`""`, `"a"`, `" "`, `"red"`, `"Red"`, `"\u0072ed"`, `"red "`, `"♥"`, `"\u2665"`, `"0"`, `"1"`, `"null"`, `"true"`, `"[]"`, `"A b"`,
	`"2026-01-02T03:04:05Z"`, `"2026-01-02t03:04:05Z"`, `"2026-01-02T03:04:05z"`, `"2026-01-02T03:04:05"`, `"2026-01-02 03:04:05Z"`, `"2026-01-02"`,
	`"2026-01-02T03:04:05.123456789123+23:59"`, `"2026-01-02T03:04:05,5Z"`, `"2026-01-02T03:04:05.Z"`, `"2026-01-02T3:04:05Z"`, `"2026-1-2T03:04:05Z"`,
	`"2026-12-31T23:59:60Z"`, `"2016-12-31T18:59:60-05:00"`, `"2026-02-29T00:00:00Z"`, `"2024-02-29T24:00:00Z"`, `"0000-01-01T00:00:00Z"`, `"2026-01-02T03:04:05+24:00"`,
	`"2026-01-02T03:04:05-00:00"`, `"2026-01-02T03:04:05+0100"`, `"2026-01-02T03:04:05+01:60"`, `"2026-13-01T00:00:00Z"`,
	`"PT1H30M"`, `"PT1H30M5S"`, `"PT5S1M"`, `"PT"`, `"P"`, `"P1D"`, `"P1Y2M3DT4H5M6S"`, `"P2W"`, `"PT1.5S"`, `"PT0S"`, `"PT01S"`, `"PT1H5S"`, `"pt1h"`, `"P1H"`, `"PT1D"`, `"-PT1H"`,
	`"PT9999999999999999999S"`, `"PT2562047H47M16S"`, `"PT2562047H47M17S"`, `"P1DT"`, `"PT1HT1M"`, `"PT1M1M"`,
	`"1h30m"`, `"1.5h"`, `"-1h"`, `"+1h"`, `"90"`, `"1h 30m"`, `"1µs"`, `"1us"`, `".5s"`, `"1d"`, `"9999999h"`,
	`"aGk="`, `"aGk"`, `"aGk=="`, `"aG k="`, `"aGk\n="`, `"_-8="`, `"_-8"`, `"/+8="`, `"/-8="`, `"a"`, `"===="`, `"YQ=="`, `"YR=="`, `"YQ="`,
	`"https://example.com/a?b=c#d"`, `"http://[::1"`, `"http://[fe80::1%25eth0]/"`, `"%"`, `"a b"`, `":"`, `"\\\\host"`, `"http://a:b/"`, `"http://::1/"`,
	`"10.0.0.1"`, `"010.0.0.1"`, `"10.0.0"`, `"::1"`, `"fe80::1%eth0"`, `"::ffff:1.2.3.4"`, `"10.0.0.0/8"`, `"10.0.0.0/33"`, `"::/0"`, `"1::2::3"`,
	`"\"a\""`, `"\"\\u0061\""`, `"\"\\u006\""`, `"\"\\x\""`, `"\"\\ud800\""`, `"\"\n\""`, `"\"a\" "`, `"\"\""`, `"1.0"`, `"1e2"`, `"-0"`, `"fe80::1%\n"`, `"<<var:x>>"`, `"<<<var:x>>"`,
	`"123e4567-e89B-12d3-a456-426614174000"`, `"123e4567e89b12d3a456426614174000"`, `"{123e4567-e89b-12d3-a456-426614174000}"`,
	`"INFO"`, `"WARN+3"`, `"debug"`, `"INFO-"`, `"\ud83d\ude00"`, `"\ud83d"`, `"\ude00\ud83d"`, `"\u0000"`,
}

func (m *mutator) otherString() {
	if n := m.ofKind('"'); n != nil {
		n.text = m.randomWord(otherStrings)
	}
}

func (m *mutator) dropMember() {
	if n, i := m.randomParent('{'); i >= 0 {
		n.keys, n.children = slices.Delete(n.keys, i, i+1), slices.Delete(n.children, i, i+1)
	}
}

func (m *mutator) addMember() {
	if n := m.ofKind('{'); n != nil {
		i := m.IntN(len(n.keys) + 1)
		value := parseNode(m.randomWord(otherValues))
		n.keys, n.children = slices.Insert(n.keys, i, m.randomWord(otherKeys)), slices.Insert(n.children, i, value)
	}
}

func (m *mutator) repeatMember() {
	if n, i := m.randomParent('{'); i >= 0 {
		n.keys, n.children = append(n.keys, n.keys[i]), append(n.children, n.children[i].clone())
	}
}

// renameMember changes the case of a key, or how it is escaped, which does not change its meaning.
func (m *mutator) renameMember() {
	if n, i := m.randomParent('{'); i >= 0 {
		key := n.keys[i]
		switch m.IntN(4) {
		case 0:
			n.keys[i] = strings.ToUpper(key)
		case 1:
			n.keys[i] = key[:len(key)-1] + `s"`
		default:
			if c := key[1]; 'a' <= c && c <= 'z' {
				n.keys[i] = `"\u00` + string("67"[c>>4-6]) + string("0123456789abcdef"[c&15]) + key[2:]
			}
		}
	}
}

var otherKeys = []string{`""`, `"a"`, `"name"`, `"id"`, `"v"`, `"x"`, `"1"`, `"01"`, `"+1"`, `"-1"`, `"-0"`, `"0"`, `"1.0"`, `"1e0"`, `" 1"`, `"300"`, `"-129"`, `"9223372036854775808"`, `"red"`, `"a b"`, `"~/"`}

func (m *mutator) otherKey() {
	if n, i := m.randomParent('{'); i >= 0 {
		n.keys[i] = m.randomWord(otherKeys)
	}
}

func (m *mutator) reorderMembers() {
	if n, i := m.randomParent('{'); i >= 0 {
		n.keys[0], n.keys[i] = n.keys[i], n.keys[0]
		n.children[0], n.children[i] = n.children[i], n.children[0]
	}
}

func (m *mutator) addElement() {
	if n := m.ofKind('['); n != nil {
		element := parseNode(m.randomWord(otherValues))
		if len(n.children) > 0 && m.IntN(4) > 0 {
			element = n.children[0].clone()
		}
		n.children = append(n.children, element)
	}
}

func (m *mutator) dropElement() {
	if n, i := m.randomParent('['); i >= 0 {
		n.children = slices.Delete(n.children, i, i+1)
	}
}

func (m *mutator) wrapValue() {
	n := m.anyNode()
	*n = node{kind: '[', children: []*node{n.clone()}}
}

func (m *mutator) unwrapValue() {
	if n := m.randomNode(func(n *node) bool { return len(n.children) == 1 }); n != nil {
		*n = *n.children[0]
	}
}

// swapValues swaps two values, neither of which contains the other.
func (m *mutator) swapValues() {
	a, b := m.anyNode(), m.anyNode()
	if !slices.Contains(a.descendants(), b) && !slices.Contains(b.descendants(), a) {
		*a, *b = *b, *a
	}
}

// toggleQuotes turns a scalar into a string, or a string that holds a number into that number.
func (m *mutator) toggleQuotes() {
	n := m.ofKind('0', '"', 't', 'f', 'n')
	switch {
	case n == nil:
	case n.kind != '"':
		*n = node{kind: '"', text: `"` + n.text + `"`}
	case jsontext.Value(strings.Trim(n.text, `"`)).Kind() == '0' && jsontext.Value(strings.Trim(n.text, `"`)).IsValid():
		*n = node{kind: '0', text: strings.Trim(n.text, `"`)}
	}
}

// editString changes one character of a string or key.
func (m *mutator) editString() {
	text := new(string)
	if n := m.ofKind('"', '{'); n != nil && n.kind == '"' {
		text = &n.text
	} else if n != nil && len(n.keys) > 0 {
		text = &n.keys[m.IntN(len(n.keys))]
	}
	if len(*text) < 2 {
		return
	}
	i := 1 + m.IntN(len(*text)-1)
	piece := m.randomWord([]string{"", "a", "Z", "0", "9", " ", "-", "+", ".", ":", "/", "%", `\n`, `\u0030`, `\\`, `\ud800`, "é", "\xff", "\x01", "T"})
	*text = (*text)[:i] + piece + (*text)[min(i+m.IntN(2), len(*text)-1):]
}

var longExponent = regexp.MustCompile(`[eE][+-]?\d{4}`)

// editNumber changes one character of a number, but avoids exponents that would slow the validator
// down.
func (m *mutator) editNumber() {
	if n := m.ofKind('0'); n != nil {
		i := m.IntN(len(n.text) + 1)
		piece := m.randomWord([]string{"", "0", "1", "9", "00", ".", ".0", ".5", "e", "e1", "-", "+"})
		text := n.text[:i] + piece + n.text[min(i+m.IntN(2), len(n.text)):]
		if !longExponent.MatchString(text) {
			n.text = text
		}
	}
}

// editBytes changes, inserts or deletes one byte, or truncates the text.
func (m *mutator) editBytes(text string) string {
	i := m.IntN(len(text) + 1)
	switch m.IntN(4) {
	case 0:
		return text[:i]
	case 1:
		return text[:i] + string(byte(m.IntN(256))) + text[i:]
	case 2:
		return text[:i] + m.randomWord([]string{" ", "\n\t", "\ufeff", "//", ",", "}", "]", `"`, "{}", "\x00"}) + text[i:]
	}
	return text[:i] + text[min(i+1, len(text)):]
}
