package syntax

import (
	"io"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// The grammar below is the notation's with everything made optional that people
// forget and everything allowed that they write instead, so that every file has
// a tree. What a sound file looks like is for the reader to say: it goes through
// the tree, and each slip it meets is a fault with a place and a remedy.
//
//	source = { items | "}" | "]" } .
//	items  = item { item } .
//	item   = [ ident [ arrow ] | arrow | junk ] [ value ] [ "," ] .  // not empty
//	value  = text [ arrow ] [ block ] | block | list .
//	block  = "{" [ items ] [ "}" ] .
//	list   = "[" [ items ] [ "]" ] .

// A source is a whole file: in sound ones a single item, the array.
type source struct {
	Parts []part
}

// A part of a file is items, or a closing bracket that closes nothing.
type part struct {
	Items Items
	Close *Token
}

// A block is an element, an interface block or a block of fields.
type Block struct {
	Open  *Token
	Items Items
	Close *Token

	own int // number of items before the reader added more, or 0
}

// A list is the array of the file, or the rules.
type List struct {
	Open  *Token
	Items Items
	Close *Token
}

// Items are what stands between two brackets.
type Items struct {
	All []*Item
}

// An item is whatever may stand between two commas, anywhere:
//
//	name --> "text" ,           name --> [ … ] ,
//	name --> "text" --> { … } , name --> { … } ,
//	"text" ,  { … } ,  [ … ] ,
//
// or a part of it, a single word, or a comma alone. What it lacks is nil.
type Item struct {
	Key   *Token
	Arrow *Token
	Junk  *Token // stands where a name should
	Text  *Token
	Then  *Token // the arrow behind a text
	Block *Block
	List  *List
	Comma *Token

	Faulty bool // the reader reported something about the item as a whole
}

// Parse implements participle.Parseable, which takes a fifth of the time that tags and
// reflection would.
func (s *source) Parse(lex *lexer.PeekingLexer) error {
	for !lex.Peek().EOF() {
		var p part
		if p.Items.parse(lex); len(p.Items.All) == 0 {
			p.Close = lex.Next()
		}
		s.Parts = append(s.Parts, p)
	}
	return nil
}

// parse reads items up to a closing bracket, or the end.
func (l *Items) parse(lex *lexer.PeekingLexer) {
	for t := lex.Peek(); !t.EOF() && t.Value != "}" && t.Value != "]"; t = lex.Peek() {
		l.All = append(l.All, parseItem(lex))
	}
}

// parseItem reads an item from the next token on, which is no closing bracket.
func parseItem(lex *lexer.PeekingLexer) *Item {
	it := &Item{}
	switch lex.Peek().Type {
	case IdentToken:
		it.Key = lex.Next()
		it.Arrow = take(lex, ArrowToken)
	case JunkToken, ArrowToken:
		it.Junk = lex.Next()
	}
	if it.Text = take(lex, TextToken); it.Text != nil {
		it.Then = take(lex, ArrowToken)
	}
	switch next := lex.Peek().Value; {
	case next == "{":
		it.Block = &Block{Open: lex.Next()}
		it.Block.Items.parse(lex)
		it.Block.Close = mark(lex, "}")
	case next == "[" && it.Text == nil:
		it.List = &List{Open: lex.Next()}
		it.List.Items.parse(lex)
		it.List.Close = mark(lex, "]")
	}
	it.Comma = mark(lex, ",")
	return it
}

// mark returns the next token if it is that mark, else nil.
func mark(lex *lexer.PeekingLexer, value string) *Token {
	if lex.Peek().Value == value {
		return lex.Next()
	}
	return nil
}

// take returns the next token if it is of a type, else nil.
func take(lex *lexer.PeekingLexer, kind lexer.TokenType) *Token {
	if lex.Peek().Type == kind {
		return lex.Next()
	}
	return nil
}

// A Token is a word, an arrow, a text, a mark, or what belongs to nothing.
type Token = lexer.Token

// The kinds of tokens. An Arrow is --> or what people write for it, a Text has
// its quotes, and Junk is what belongs to nothing.
const (
	IdentToken lexer.TokenType = lexer.EOF - 1 - iota
	ArrowToken
	TextToken
	JunkToken
	MarkToken // one of { } [ ] ,
)

// Notation is the lexer as participle asks for it.
type Notation struct{}

// Symbols implements lexer.Definition.
func (Notation) Symbols() map[string]lexer.TokenType {
	return map[string]lexer.TokenType{
		"EOF": lexer.EOF, "Ident": IdentToken, "Arrow": ArrowToken, "Text": TextToken, "Junk": JunkToken, "Mark": MarkToken,
	}
}

// Lex implements lexer.Definition.
func (Notation) Lex(name string, r io.Reader) (lexer.Lexer, error) {
	src, err := io.ReadAll(r)
	return newScanner(name, src), err
}

// grammar is built on first use, so that programs that only import the package
// do not pay for it.
var grammar = sync.OnceValue(func() *participle.Parser[source] {
	return participle.MustBuild[source](participle.Lexer(Notation{}))
})

// parseTree returns the tree of what the scanner reads. The grammar fits every
// text, so an error means that a file has more parts than participle can count.
func parseTree(s *scanner) (*source, error) {
	tokens, err := lexer.Upgrade(s)
	if err != nil {
		return &source{}, err
	}
	return grammar().ParseFromLexer(tokens)
}

// lone reports whether the item is a comma and nothing else.
func (it *Item) lone() bool { return it.Comma != nil && it.First() == it.Comma }

// valued reports whether the item has a text, a block or a list.
func (it *Item) valued() bool { return it.Text != nil || it.Block != nil || it.List != nil }

// word reports whether the item is a name or junk without an arrow or a value.
func (it *Item) word() bool {
	return !it.valued() && it.Arrow == nil && (it.Key != nil || it.Junk != nil)
}

// IsElement reports whether the item is a block that nothing introduces.
func (it *Item) IsElement() bool {
	return it.Block != nil && it.Key == nil && it.Junk == nil && it.Text == nil
}

// First is the token that the item starts with.
func (it *Item) First() *Token {
	switch {
	case it.Key != nil:
		return it.Key
	case it.Junk != nil:
		return it.Junk
	case it.Text != nil:
		return it.Text
	case it.Block != nil:
		return it.Block.Open
	case it.List != nil:
		return it.List.Open
	}
	return it.Comma
}

// Last is the token that the item ends with, its comma aside.
func (it *Item) Last() *Token {
	switch {
	case it.Block != nil:
		return lastOf(it.Block.Open, it.Block.Items.All, it.Block.Close)
	case it.List != nil:
		return lastOf(it.List.Open, it.List.Items.All, it.List.Close)
	case it.Then != nil:
		return it.Then
	case it.Text != nil:
		return it.Text
	case it.Arrow != nil:
		return it.Arrow
	}
	return it.First()
}

// lastOf is the last token of a block or list, which may lack its end.
func lastOf(open *Token, items []*Item, end *Token) *Token {
	switch {
	case end != nil:
		return end
	case len(items) > 0:
		return items[len(items)-1].Last()
	}
	return open
}
