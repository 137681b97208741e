package lsp

import (
	"cmp"
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/lsp/internal/protocol"
	"github.com/aiongen/aiongen/internal/values"
)

// A tokenType is the type of a semantic token: an index of tokenTypes.
type tokenType int

const (
	commentToken tokenType = iota
	propertyToken
	functionToken
	parameterToken
	variableToken
	typeToken
	keywordToken
	stringToken
	numberToken
	noToken // not in tokenTypes
)

// tokenTypes are the names of the types in the protocol, in the order of the constants.
var tokenTypes = []string{"comment", "property", "function", "parameter", "variable", "type", "keyword", "string", "number"}

// A highlight is a range of a document that is shown as a token of one type.
type highlight struct {
	from, to int
	meaning  tokenType
}

// semanticTokens returns the tokens of a document. They cover everything that an editor colors, so it
// needs no grammar of its own.
func (d *document) semanticTokens(protocol.DocumentParams) *protocol.SemanticTokens {
	return &protocol.SemanticTokens{Data: d.encodeTokens(d.highlights())}
}

// encodeTokens encodes tokens as the protocol requires: five numbers for each, with a position relative
// to the token before. It splits tokens at line breaks.
func (d *document) encodeTokens(all []highlight) []uint32 {
	data := []uint32{}
	var last protocol.Position
	for _, t := range all {
		for line := range strings.Lines(string(d.text[t.from:t.to])) {
			from := t.from
			t.from += len(line)
			line = strings.TrimRight(line, "\r\n")
			content := strings.TrimLeft(line, " \t")
			start := d.position(from + len(line) - len(content))
			end := d.position(from + len(line))
			if start.Line != end.Line || start.Character == end.Character {
				continue
			}
			character := start.Character
			if start.Line == last.Line {
				character -= last.Character
			}
			data = append(data, start.Line-last.Line, character, end.Character-start.Character, uint32(t.meaning), 0)
			last = start
		}
	}
	return data
}

// highlights returns the highlights of a document in source order. It drops those that overlap an
// earlier one.
func (d *document) highlights() []highlight {
	doc := d.parse()
	var h highlighter
	for _, c := range doc.Comments {
		h.addSpan(c.Span, commentToken)
	}
	for _, p := range d.properties() {
		h.addSpan(p.key, propertyToken)
		if p.token != noToken {
			h.addSpan(p.value, p.token)
		}
	}
	for _, el := range doc.Elements {
		h.addElement(el)
	}
	slices.SortStableFunc(h, func(a, b highlight) int { return cmp.Compare(a.from, b.from) })
	end := 0
	return slices.DeleteFunc(h, func(t highlight) bool {
		if t.from < end || t.to > len(d.text) {
			return true
		}
		end = t.to
		return false
	})
}

// A highlighter collects highlights.
type highlighter []highlight

func (h *highlighter) add(from, to int, meaning tokenType) {
	if from < to {
		*h = append(*h, highlight{from, to, meaning})
	}
}

func (h *highlighter) addSpan(at diag.Span, meaning tokenType) {
	h.add(at.Start.Offset, at.End.Offset, meaning)
}

// addElement adds the entries of an element and the text of its function.
func (h *highlighter) addElement(el *aion.Element) {
	for _, e := range entriesOf(el) {
		h.addSpan(e.Name.Span, parameterToken)
		h.addNote(&e.Note)
	}
	if el.Function == nil {
		return
	}
	text := el.Function.Text
	switch source := strings.TrimSpace(text.Value); {
	case strings.HasPrefix(source, "lambda"):
		h.addLambda(text)
	case strings.HasPrefix(source, "func"):
		h.addLiteral(text)
	default:
		h.addSpan(text.Span, functionToken)
	}
}

// number matches the numbers in notes.
var number = regexp.MustCompile(`^-?[0-9.]+$`)

// addNote adds the type, the options and the text of a note.
func (h *highlighter) addNote(n *aion.Note) {
	text := n.Written()
	index := text.Index()
	add := func(from, to int, meaning tokenType) {
		h.addSpan(index.Between(from, to), meaning)
	}
	from := 0
	for i, part := range strings.Split(text.Value, "|") {
		name, value, hasValue := strings.Cut(part, "=")
		option, isOption := values.FindOption(strings.TrimSpace(name))
		switch start := from + len(part) - len(strings.TrimLeft(part, " \t\n")); {
		case i == 0 && n.Type != "" && strings.HasPrefix(text.Value[start:], n.Type):
			add(start, start+len(n.Type), typeToken)
			add(start+len(n.Type), from+len(part), stringToken)
		case i > 0 && isOption:
			add(start, from+len(name), keywordToken)
			if hasValue {
				addValue(add, option, from+len(name)+1, value)
			}
		default:
			add(start, from+len(part), stringToken)
		}
		from += len(part) + 1
	}
}

// addValue adds the items in the value of an option. The value begins at the offset from.
func addValue(add func(from, to int, meaning tokenType), option values.Option, from int, value string) {
	paths, text, hasText := value, "", false
	if option.Value == values.PathsWithText {
		paths, text, hasText = strings.Cut(value, ":")
	}
	for item := range strings.SplitSeq(paths, ",") {
		meaning := stringToken
		switch option.Value {
		case values.PathsOfValue, values.PathsWithText:
			meaning = propertyToken
		default:
			if number.MatchString(strings.TrimSpace(item)) {
				meaning = numberToken
			}
		}
		add(from, from+len(item), meaning)
		from += len(item) + 1
	}
	if hasText {
		add(from, from+len(text), stringToken)
	}
}

// lambdaTokens matches the tokens of a lambda that are highlighted.
var (
	lambdaTokens   = regexp.MustCompile(`[fFrR]*(?:'[^'\n]*'|"[^"\n]*")|[0-9][0-9._]*|[\pL_][\pL\pN_]*`)
	lambdaKeywords = []string{"lambda", "if", "else", "for", "in", "and", "or", "not", "is", "None", "True", "False"}
)

// addLambda adds the tokens of a lambda.
func (h *highlighter) addLambda(text aion.Text) {
	index := text.Index()
	head, _, _ := strings.Cut(text.Value, ":")
	var params []string
	for _, at := range lambdaTokens.FindAllStringIndex(text.Value, -1) {
		word, rest := text.Value[at[0]:at[1]], strings.TrimLeft(text.Value[at[1]:], " ")
		meaning := variableToken
		switch {
		case strings.HasSuffix(word, "'") || strings.HasSuffix(word, `"`):
			meaning = stringToken
		case word[0] >= '0' && word[0] <= '9':
			meaning = numberToken
		case slices.Contains(lambdaKeywords, word):
			meaning = keywordToken
		case at[1] <= len(head) || slices.Contains(params, word):
			params, meaning = append(params, word), parameterToken
		case strings.HasPrefix(rest, "("):
			meaning = functionToken
		case strings.HasSuffix(text.Value[:at[0]], "."):
			meaning = propertyToken
		}
		h.addSpan(index.Between(at[0], at[1]), meaning)
	}
}

// addLiteral adds the tokens of a Go function literal.
func (h *highlighter) addLiteral(text aion.Text) {
	index := text.Index()
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(text.Value))
	var s scanner.Scanner
	s.Init(file, []byte(text.Value), func(token.Position, string) {}, scanner.ScanComments)
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return
		}
		var meaning tokenType
		switch from := file.Offset(pos); {
		case tok == token.COMMENT:
			meaning = commentToken
		case tok == token.STRING || tok == token.CHAR:
			meaning = stringToken
		case tok == token.INT || tok == token.FLOAT || tok == token.IMAG:
			meaning = numberToken
		case tok == token.IDENT && strings.HasPrefix(text.Value[from+len(literal):], "("):
			meaning = functionToken
		case tok == token.IDENT:
			meaning = variableToken
		case tok.IsKeyword():
			meaning = keywordToken
		default:
			continue
		}
		from := file.Offset(pos)
		h.addSpan(index.Between(from, min(from+len(literal), len(text.Value))), meaning)
	}
}
