package syntax

import (
	"cmp"
	"io"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// The grammar below accepts every text: all punctuation that people forget is optional, and
// arrow and junk include the signs that they write instead. The Reader then checks the tree and
// reports each mistake with its position and a fix.
//
//	source = { items | "}" | "]" } .
//	items  = item { item } .
//	item   = [ ident [ arrow ] | arrow | junk ] [ value ] [ "," ] .  // not empty
//	value  = text [ arrow ] [ block ] | block | list .
//	block  = "{" [ items ] [ "}" ] .
//	list   = "[" [ items ] [ "]" ] .

// A source is a whole file. A valid file has a single item, the array.
type source struct {
	Parts []part
}

// A part of a file is a sequence of items, or a closing bracket without an opening one.
type part struct {
	Items []*Item
	Close *Token
}

// A Group is the items between two brackets: an element, an interface block or a block of fields in braces, or the
// array of the file or the list of rules in square brackets.
type Group struct {
	Open  *Token
	Items []*Item
	Close *Token // nil if it is missing

	ownItems int // number of items in the source, or 0 if the Reader added none
}

// An Item is what can be between two commas:
//
//	name --> "text" ,           name --> [ … ] ,
//	name --> "text" --> { … } , name --> { … } ,
//	"text" ,  { … } ,  [ … ] ,
//
// It can also be a part of one of these, a single word, or only a comma. The fields of
// missing parts are nil.
type Item struct {
	Key        *Token
	Arrow      *Token
	Junk       *Token // an invalid token instead of a name
	Text       *Token
	BlockArrow *Token // the arrow after a text
	Block      *Group // in braces
	List       *Group // in square brackets
	Comma      *Token

	absent bool // its value is null
	Faulty bool // the Reader reported a fault of the item as a whole
}

// Parse implements participle.Parseable. It is five times as fast as a grammar in struct tags,
// for which participle uses reflection.
func (s *source) Parse(lex *lexer.PeekingLexer) error {
	for !lex.Peek().EOF() {
		p := part{Items: parseItems(lex)}
		if len(p.Items) == 0 {
			p.Close = lex.Next()
		}
		s.Parts = append(s.Parts, p)
	}
	return nil
}

// parseItems parses items up to a closing bracket or the end.
func parseItems(lex *lexer.PeekingLexer) (items []*Item) {
	for t := lex.Peek(); !t.EOF() && t.Value != "}" && t.Value != "]"; t = lex.Peek() {
		items = append(items, parseItem(lex))
	}
	return items
}

// parseGroup parses an opening bracket and what follows up to the closing one.
func parseGroup(lex *lexer.PeekingLexer, closing string) *Group {
	g := &Group{Open: lex.Next()}
	g.Items = parseItems(lex)
	g.Close = takeMark(lex, closing)
	return g
}

// parseItem parses an item. The next token must not be a closing bracket.
func parseItem(lex *lexer.PeekingLexer) *Item {
	it := &Item{}
	switch lex.Peek().Type {
	case IdentToken:
		it.Key = lex.Next()
		it.Arrow = takeType(lex, ArrowToken)
	case JunkToken, ArrowToken:
		it.Junk = lex.Next()
	}
	if it.Text = takeType(lex, TextToken); it.Text != nil {
		it.BlockArrow = takeType(lex, ArrowToken)
	}
	switch next := lex.Peek().Value; {
	case next == "{":
		it.Block = parseGroup(lex, "}")
	case next == "[" && it.Text == nil:
		it.List = parseGroup(lex, "]")
	}
	if it.Comma = takeMark(lex, ","); it.Comma == nil && lex.Peek().Type == MarkToken && foreignComma(lex.Peek().Value) != "" {
		it.Comma = lex.Next()
	}
	return it
}

// takeMark consumes and returns the next token if it is the mark, or returns nil.
func takeMark(lex *lexer.PeekingLexer, value string) *Token {
	if lex.Peek().Value == value {
		return lex.Next()
	}
	return nil
}

// takeType consumes and returns the next token if it has the type, or returns nil.
func takeType(lex *lexer.PeekingLexer, kind lexer.TokenType) *Token {
	if lex.Peek().Type == kind {
		return lex.Next()
	}
	return nil
}

// A Token is a word, an arrow, a text, a mark, or an invalid sequence of characters.
type Token = lexer.Token

// The types of tokens. An arrow is --> or what people write instead. A text includes its
// quotes. Junk is an invalid sequence of characters.
const (
	IdentToken lexer.TokenType = lexer.EOF - 1 - iota
	ArrowToken
	TextToken
	JunkToken
	MarkToken // one of { } [ ] ,
)

// Notation implements participle's definition of a lexer.
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

// grammar is built on first use, so that programs that only import the package do not pay
// for it.
var grammar = sync.OnceValue(func() *participle.Parser[source] {
	return participle.MustBuild[source](participle.Lexer(Notation{}))
})

// parseTree parses the tokens of a scanner. The grammar accepts every text, so an error
// means that a file has more parts than participle can count.
func parseTree(s *scanner) (*source, error) {
	tokens, err := lexer.Upgrade(s)
	if err != nil {
		return &source{}, err
	}
	return grammar().ParseFromLexer(tokens)
}

// isComma reports whether the item is only a comma.
func (it *Item) isComma() bool { return it.Comma != nil && it.FirstToken() == it.Comma }

// hasValue reports whether the item has a text, a block or a list.
func (it *Item) hasValue() bool { return it.Text != nil || it.group() != nil }

// group returns the block or the list of the item, or nil.
func (it *Item) group() *Group { return cmp.Or(it.Block, it.List) }

// isWord reports whether the item is a name or junk without an arrow or a value.
func (it *Item) isWord() bool {
	return !it.hasValue() && it.Arrow == nil && (it.Key != nil || it.Junk != nil)
}

// isBareList reports whether the item is a list without a name or junk before it.
func (it *Item) isBareList() bool { return it.List != nil && it.Key == nil && it.Junk == nil }

// lacksComma reports whether the item is really two items, a prompt or a word and then an element, without
// a comma between them.
func (it *Item) lacksComma() bool {
	return it.Key != nil && it.Block != nil && it.BlockArrow == nil && (it.Text != nil || it.Arrow == nil)
}

// isBullet reports whether the item is an element after a bullet.
func (it *Item) isBullet() bool {
	word := it.Junk
	if word == nil {
		word = it.Key
	}
	return word != nil && bullets[word.Value] && it.Arrow == nil && it.Text == nil && it.Block != nil
}

// bullets are the characters before the items of a list in Markdown and YAML.
var bullets = map[string]bool{"*": true, "-": true, "+": true, "•": true}

// IsElement reports whether the item is a block without a name or text before it.
func (it *Item) IsElement() bool {
	return it.Block != nil && it.Key == nil && it.Junk == nil && it.Text == nil
}

// FirstToken returns the first token of the item.
func (it *Item) FirstToken() *Token {
	var open *Token
	if g := it.group(); g != nil {
		open = g.Open
	}
	return cmp.Or(it.Key, it.Junk, it.Text, open, it.Comma)
}

// LastToken returns the last token of the item, not counting its comma.
func (it *Item) LastToken() *Token {
	if g := it.group(); g != nil {
		return cmp.Or(g.Close, g.lastInside())
	}
	return cmp.Or(it.BlockArrow, it.Text, it.Arrow, it.FirstToken())
}

// lastInside returns the last token of the group before its closing bracket.
func (g *Group) lastInside() *Token {
	if n := len(g.Items); n > 0 {
		return g.Items[n-1].LastToken()
	}
	return g.Open
}
