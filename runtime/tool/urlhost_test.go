package tool

import (
	"strings"
	"testing"
)

// TestHost checks that a host that may be mistaken for another one is also shown in ASCII.
func TestHost(t *testing.T) {
	for host, want := range map[string]string{
		"gооgle.com":                   "xn--ggle-55da.com", // with two Cyrillic letters
		"Bücher.example:8080":          "xn--bcher-kva.example",
		"例え。テスト":                       "xn--r8jz45g.xn--zckzah",
		"münchen.de":                   "xn--mnchen-3ya.de",
		"他们为什么不说中文":                    "xn--ihqwcrb4cv8a8dqg056pqjye",
		"Pročprostěnemluvíčesky":       "xn--proprostnemluvesky-uyb24dma41a",
		"g%D0%BEogle.com":              "xn--gogle-jye.com",
		"google.com@g\u043eogle.com:1": "xn--gogle-jye.com",
		"x%é":                          "xn--x%-cja",
		strings.Repeat("é", 100):       "xn--?",
	} {
		q := AskVisit("Log in.", "https://"+host+"/x")
		if got := q.String(); got != "Log in. (https://"+host+"/x, host "+want+")" {
			t.Errorf("%s: %s", host, got)
		}
		if got := q.Message(); got != "Log in. (the host of the URL is "+want+")" {
			t.Errorf("%s: %s", host, got)
		}
	}
	q := AskVisit("Log in.", "https://example.com/é")
	if q.String() != "Log in. (https://example.com/é)" || q.Message() != "Log in." {
		t.Errorf("%s; %s", q, q.Message())
	}
}

// TestFrom checks that the origin of a question is shown first, and is part of the question.
func TestFrom(t *testing.T) {
	for _, q := range []Question{AskPerson("May transfer run?", nil), AskVisit("Pay.", "https://example.com"), AskRoots()} {
		plain := q
		q.From = `tool "pay" of MCP server "far"`
		if !strings.HasPrefix(q.String(), q.From+" asks: ") || !strings.HasPrefix(q.Message(), q.From+" asks: ") {
			t.Errorf("%s; %s", q, q.Message())
		}
		if q.Check(plain.Accept(nil)) == nil {
			t.Error("the answer to a question of somebody else is taken")
		}
	}
}
