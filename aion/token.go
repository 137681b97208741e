package aion

import (
	"slices"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/aiongen/aiongen/aion/diag"
)

// Token is a piece of a file, for editors and other tools that show one.
type Token struct {
	Kind TokenKind
	Span diag.Span
}

// TokenKind tells tokens apart.
type TokenKind int

// The kinds of tokens.
const (
	NameToken    TokenKind = iota // the name of a property, argument or type
	TextToken                     // a string or a text block, its quotes included
	ArrowToken                    // -->
	MarkToken                     // a bracket, a brace or a comma
	CommentToken                  // a comment, up to the end of its line
	WrongToken                    // what no file may have
)

var tokenKinds = map[lexer.TokenType]TokenKind{
	tokenIdent: NameToken, tokenText: TextToken, tokenArrow: ArrowToken, tokenMark: MarkToken, tokenJunk: WrongToken,
}

// Tokens cuts a file into tokens, in their order, whether or not it is sound.
// Between them is white space, and what is no text or a comment of another
// language. Where brackets nest too deep
// to be told apart, the tokens end. The name is for the spans only.
func Tokens(name string, src []byte) []Token {
	s := newScanner(name, src)
	var tokens []Token
	for {
		t, _ := s.Next() // reports what is wrong, and never fails
		if t.Type == lexer.EOF {
			break
		}
		start := diag.Pos{Offset: t.Pos.Offset, Line: t.Pos.Line, Column: t.Pos.Column}
		tokens = append(tokens, Token{tokenKinds[t.Type], diag.Span{File: name, Start: start, End: moved(start, t.Value)}})
	}
	for _, c := range s.comments {
		tokens = append(tokens, Token{CommentToken, c.Span})
	}
	slices.SortFunc(tokens, func(a, b Token) int { return a.Span.Start.Offset - b.Span.Start.Offset })
	return tokens
}
