package aion_test

import (
	"strings"
	"testing"

	"github.com/aiongen/aiongen/aion"
)

func TestTokens(t *testing.T) {
	src := "\ufeff[ // tools\r\n  { name --> \"é\",\n    link --> \"\"\"a\n\tb\"\"\" } ; ]"
	letters := map[aion.TokenKind]byte{
		aion.NameToken: 'n', aion.TextToken: 't', aion.ArrowToken: 'a', aion.MarkToken: 'm', aion.CommentToken: 'c', aion.WrongToken: 'w',
	}
	var kinds, texts strings.Builder
	for _, token := range aion.Tokens("x.aion", []byte(src)) {
		kinds.WriteByte(letters[token.Kind])
		span := token.Span
		texts.WriteString(src[span.Start.Offset:span.End.Offset] + "|")
		if before := src[:span.End.Offset]; strings.Count(before, "\n")+1 != span.End.Line || span.File != "x.aion" {
			t.Errorf("%v ends in line %d", span, span.End.Line)
		}
	}
	if want := "mcmnatmnatmwm"; kinds.String() != want {
		t.Errorf("kinds %s, want %s", kinds.String(), want)
	}
	if want := "[|// tools|{|name|-->|\"é\"|,|link|-->|\"\"\"a\n\tb\"\"\"|}|;|]|"; texts.String() != want {
		t.Errorf("texts %s, want %s", texts.String(), want)
	}
}
