package aion

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
	Parts []*part `parser:"@@*"`
}

// A part of a file is items, or a closing bracket that closes nothing.
type part struct {
	Items items        `parser:"  @@"`
	Close *lexer.Token `parser:"| @( '}' | ']' )"`
}

// A block is an element, an interface block or a block of fields.
type block struct {
	Open  *lexer.Token `parser:"@'{'"`
	Items items        `parser:"@@?"`
	Close *lexer.Token `parser:"@'}'?"`

	own int // number of items before the reader added more, or 0
}

// A list is the array of the file, or the rules.
type list struct {
	Open  *lexer.Token `parser:"@'['"`
	Items items        `parser:"@@?"`
	Close *lexer.Token `parser:"@']'?"`
}

// Items are what stands between two brackets. They are nearly all of a file, so
// they parse themselves: through tags and reflection that takes five times as long.
type items struct {
	all []*item
}

// An item is whatever may stand between two commas, anywhere:
//
//	name --> "text" ,           name --> [ … ] ,
//	name --> "text" --> { … } , name --> { … } ,
//	"text" ,  { … } ,  [ … ] ,
//
// or a part of it, a single word, or a comma alone. What it lacks is nil.
type item struct {
	Key   *lexer.Token
	Arrow *lexer.Token
	Junk  *lexer.Token // stands where a name should
	Text  *lexer.Token
	Then  *lexer.Token // the arrow behind a text
	Block *block
	List  *list
	Comma *lexer.Token

	faulty bool // the reader reported something about the item as a whole
}

// Parse implements participle.Parseable.
func (l *items) Parse(lex *lexer.PeekingLexer) error {
	for {
		switch t := lex.Peek(); {
		case !t.EOF() && t.Value != "}" && t.Value != "]":
		case len(l.all) == 0:
			return participle.NextMatch
		default:
			return nil
		}
		it, err := parseItem(lex)
		if err != nil {
			return err
		}
		l.all = append(l.all, it)
	}
}

// parseItem reads an item from the next token on, which is no closing bracket.
func parseItem(lex *lexer.PeekingLexer) (it *item, err error) {
	it = &item{}
	switch lex.Peek().Type {
	case tokenIdent:
		it.Key = lex.Next()
		it.Arrow = take(lex, tokenArrow)
	case tokenJunk, tokenArrow:
		it.Junk = lex.Next()
	}
	if it.Text = take(lex, tokenText); it.Text != nil {
		it.Then = take(lex, tokenArrow)
	}
	switch next := lex.Peek().Value; {
	case next == "{":
		it.Block, err = grammar().block.ParseFromLexer(lex, participle.AllowTrailing(true))
	case next == "[" && it.Text == nil:
		it.List, err = grammar().list.ParseFromLexer(lex, participle.AllowTrailing(true))
	}
	if lex.Peek().Value == "," {
		it.Comma = lex.Next()
	}
	return it, err
}

// take returns the next token if it is of a type, else nil.
func take(lex *lexer.PeekingLexer, kind lexer.TokenType) *lexer.Token {
	if lex.Peek().Type == kind {
		return lex.Next()
	}
	return nil
}

// The kinds of tokens. An Arrow is --> or what people write for it, a Text has
// its quotes, and Junk is what belongs to nothing.
const (
	tokenIdent lexer.TokenType = lexer.EOF - 1 - iota
	tokenArrow
	tokenText
	tokenJunk
	tokenMark // one of { } [ ] ,
)

// notation is the lexer as participle asks for it.
type notation struct{}

// Symbols implements lexer.Definition.
func (notation) Symbols() map[string]lexer.TokenType {
	return map[string]lexer.TokenType{
		"EOF": lexer.EOF, "Ident": tokenIdent, "Arrow": tokenArrow, "Text": tokenText, "Junk": tokenJunk, "Mark": tokenMark,
	}
}

// Lex implements lexer.Definition.
func (notation) Lex(name string, r io.Reader) (lexer.Lexer, error) {
	src, err := io.ReadAll(r)
	return newScanner(name, src), err
}

// A parserSet has the parser of a file and those of what nests in it.
type parserSet struct {
	source *participle.Parser[source]
	block  *participle.Parser[block]
	list   *participle.Parser[list]
}

// grammar is built on first use, so that programs that only import the package
// do not pay for it.
var grammar = sync.OnceValue(func() parserSet {
	return parserSet{
		participle.MustBuild[source](participle.Lexer(notation{})),
		participle.MustBuild[block](participle.Lexer(notation{})),
		participle.MustBuild[list](participle.Lexer(notation{})),
	}
})

// parseTree returns the tree of what the scanner reads. The grammar fits every
// text, so an error means that a file has more parts than participle can count.
func parseTree(s *scanner) (*source, error) {
	tokens, err := lexer.Upgrade(s)
	if err != nil {
		return &source{}, err
	}
	return grammar().source.ParseFromLexer(tokens)
}

// lone reports whether the item is a comma and nothing else.
func (it *item) lone() bool { return it.Comma != nil && it.first() == it.Comma }

// valued reports whether the item has a text, a block or a list.
func (it *item) valued() bool { return it.Text != nil || it.Block != nil || it.List != nil }

// word reports whether the item is a name or junk without an arrow or a value.
func (it *item) word() bool {
	return !it.valued() && it.Arrow == nil && (it.Key != nil || it.Junk != nil)
}

// element reports whether the item is a block that nothing introduces.
func (it *item) element() bool {
	return it.Block != nil && it.Key == nil && it.Junk == nil && it.Text == nil
}

// first is the token that the item starts with.
func (it *item) first() *lexer.Token {
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

// last is the token that the item ends with, its comma aside.
func (it *item) last() *lexer.Token {
	switch {
	case it.Block != nil:
		return lastOf(it.Block.Open, it.Block.Items.all, it.Block.Close)
	case it.List != nil:
		return lastOf(it.List.Open, it.List.Items.all, it.List.Close)
	case it.Then != nil:
		return it.Then
	case it.Text != nil:
		return it.Text
	case it.Arrow != nil:
		return it.Arrow
	}
	return it.first()
}

// lastOf is the last token of a block or list, which may lack its end.
func lastOf(open *lexer.Token, items []*item, end *lexer.Token) *lexer.Token {
	switch {
	case end != nil:
		return end
	case len(items) > 0:
		return items[len(items)-1].last()
	}
	return open
}
