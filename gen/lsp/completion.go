package lsp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen"
	"github.com/aiongen/aiongen/gen/lsp/internal/protocol"
	"github.com/aiongen/aiongen/internal/values"
	"github.com/aiongen/aiongen/internal/words"
)

// The kinds of completion items.
const (
	methodItem   = 2
	functionItem = 3
	fieldItem    = 5
	variableItem = 6
	classItem    = 7
	propertyItem = 10
	keywordItem  = 14
	snippetItem  = 15
	constantItem = 21
)

// A completer collects the completions at a cursor, the likeliest first.
type completer struct {
	*view
	*cursor
	items []protocol.CompletionItem
}

// complete lists the completions at a position. After a trigger character outside of a text, the list
// is empty: an editor would insert its first property when the user starts a new line.
func (v *view) complete(p protocol.CompletionParams) (protocol.CompletionList, error) {
	c := &completer{view: v, cursor: newCursor(v.text, v.offset(p.Position)), items: []protocol.CompletionItem{}}
	if c.inText || p.Context.TriggerKind != protocol.TriggerCharacter {
		c.completeCursor()
	}
	return protocol.CompletionList{Items: c.items}, nil
}

func (c *completer) completeCursor() {
	switch region := c.region(); {
	case !c.inText && c.key == "":
		c.completeNames(region)
	case c.inText && region == inElement && c.key == "function":
		c.completeFunction()
	case c.inText && region == inElement && c.key == "args_schema":
		c.addTypes()
	case c.inText && (region == inBlock || region == inSchema):
		c.completeNote()
	}
}

// add adds an item that replaces the word before the cursor.
func (c *completer) add(kind int, label, text, detail, doc string) {
	replaced := c.rangeOf(c.cursor.offset-len(c.word), c.cursor.offset)
	item := protocol.CompletionItem{
		Label: label, Kind: kind, Detail: detail, SortText: fmt.Sprintf("%05d", len(c.items)),
		TextEdit: &protocol.TextEdit{Range: replaced, NewText: text},
	}
	if doc != "" {
		item.Documentation = c.markup(c.escape(doc))
	}
	c.items = append(c.items, item)
}

// addFunction adds a function. Its filter text begins with the qualifier that the user has written, such
// as a variable, so that clients also find the function if its name has another qualifier.
func (c *completer) addFunction(f gen.Symbol, kind int) {
	c.add(kind, f.Name, f.Name, f.Type, f.Doc)
	if filter := c.word[:strings.LastIndexByte(c.word, '.')+1] + f.Name[strings.LastIndexByte(f.Name, '.')+1:]; filter != f.Name {
		c.items[len(c.items)-1].FilterText = filter // only if needed: with a filter text, Neovim 0.7 ignores the replaced range
	}
}

// These replacers escape and unescape the characters that have a meaning in snippets.
var (
	escapeSnippet   = strings.NewReplacer(`\`, `\\`, `$`, `\$`, `}`, `\}`)
	unescapeSnippet = strings.NewReplacer(`\\`, `\`, `\$`, `$`, `\}`, `}`)
)

// addSnippet adds an item whose text has placeholders. A client that does not support snippets gets the
// text up to the first placeholder.
func (c *completer) addSnippet(kind int, label, snippet, detail, doc string) {
	if c.server.client.TextDocument.Completion.CompletionItem.SnippetSupport {
		c.add(kind, label, snippet, detail, doc)
		c.items[len(c.items)-1].InsertTextFormat = 2
		return
	}
	text, _, _ := strings.Cut(snippet, "$1")
	c.add(kind, label, unescapeSnippet.Replace(text), detail, doc)
}

// completeNames adds the names of properties, arguments, results and fields.
func (c *completer) completeNames(r region) {
	switch r {
	case inArray:
		for _, p := range arrayProperties {
			if !c.hasName(p.name) {
				c.addSnippet(snippetItem, p.name, p.snippet, "", p.help)
			}
		}
	case inElement:
		for _, p := range elementProperties {
			if !c.hasName(p.name) {
				c.addSnippet(propertyItem, p.name, p.snippet, "", p.help)
			}
		}
	case inBlock, inSchema:
		c.completeEntries(r)
	}
}

// completeEntries adds the arguments and results that are not described yet or, if the word has a dot, the
// fields of the value before the dot.
func (c *completer) completeEntries(r region) {
	b, ok := c.functionBinding(c.cursor.offset)
	if !ok {
		return
	}
	if parent := strings.LastIndexByte(c.word, '.'); parent >= 0 {
		for _, f := range b.Fields(c.word[:parent]) {
			name := c.word[:parent+1] + f.Name
			c.addSnippet(fieldItem, name, escapeSnippet.Replace(name)+` --> "$1"`, f.Type, f.Doc)
		}
		return
	}
	entries := b.Entries
	if r == inSchema {
		entries = b.Arguments
	}
	for _, e := range entries() {
		if !c.hasName(e.Name) {
			c.addSnippet(fieldItem, e.Name, escapeSnippet.Replace(e.Name)+` --> "$1"`, e.Type, e.Doc)
		}
	}
}

// completeFunction adds functions and methods. In a lambda or function literal, it adds only what these
// can call.
func (c *completer) completeFunction() {
	name := c.documentName()
	source := strings.TrimSpace(c.text)
	if name == "" {
		return
	}
	session := c.module.session
	switch owner, hasOwner := c.wordOwner(); {
	case strings.HasPrefix(source, "lambda") || strings.HasPrefix(source, "func"):
		c.word = c.word[strings.LastIndexAny(c.word, "()*/-")+1:]
		if owner, hasOwner = c.wordOwner(); hasOwner {
			c.completeMember(name, owner)
			return
		}
		c.addFunctions(slices.DeleteFunc(session.Functions(name), func(f gen.Symbol) bool { return strings.Contains(f.Name, ".") }))
	case hasOwner:
		c.addFunctions(slices.Concat(session.VariableMethods(name, owner), session.PackageFunctions(name, owner)))
		fallthrough
	default:
		c.addFunctions(session.Functions(name))
	}
}

// completeMember adds what may follow "owner." in a lambda or function literal: the methods of a
// parameter, or the functions of a package.
func (c *completer) completeMember(document, owner string) {
	if methods := c.parameterMethods(document, c.cursor, owner); len(methods) > 0 {
		for _, f := range methods {
			f.Name = owner + f.Name[strings.LastIndexByte(f.Name, '.'):]
			c.addFunction(f, methodItem)
		}
	} else if functions := c.module.session.ImportedFunctions(document, owner); len(functions) > 0 {
		c.addFunctions(functions)
	} else {
		c.addImportable(document, owner)
	}
}

// wordOwner returns the name before the only dot of the word.
func (c *completer) wordOwner() (owner string, ok bool) {
	i := strings.LastIndexByte(c.word, '.')
	if i <= 0 || strings.ContainsAny(c.word[:i], ".(") {
		return "", false
	}
	return c.word[:i], true
}

// addFunctions adds functions: first those with the name of the tool, then those that are not tools yet,
// then the others.
func (c *completer) addFunctions(functions []gen.Symbol) {
	bound := map[string]bool{}
	for _, b := range c.bindings() {
		bound[b.Declared.String()] = true
	}
	tool := ""
	if el := c.elementAt(c.cursor.offset); el != nil {
		tool = words.FoldName(el.Name.Value)
	}
	rank := func(f gen.Symbol) int {
		switch short := f.Name[strings.LastIndexByte(f.Name, '.')+1:]; {
		case tool != "" && words.FoldName(short) == tool:
			return 0
		case f.Declared.File != "" && bound[f.Declared.String()]:
			return 2
		}
		return 1
	}
	slices.SortStableFunc(functions, func(a, b gen.Symbol) int { return rank(a) - rank(b) })
	for _, f := range functions[:min(len(functions), maxItems)] {
		kind := functionItem
		if strings.Contains(f.Name, ").") {
			kind = methodItem
		}
		c.addFunction(f, kind)
	}
}

// maxItems limits the functions of one list.
const maxItems = 1000

// completeNote adds the types, options or values of options that may be written in a note.
func (c *completer) completeNote() {
	parts := strings.Split(c.text, "|")
	part := strings.TrimLeft(parts[len(parts)-1], " \n")
	option, value, hasValue := strings.Cut(part, "=")
	switch {
	case len(parts) == 1 && !strings.ContainsAny(part, "( "):
		c.addTypes()
	case hasValue:
		c.completeValue(option, value)
	case len(parts) > 1 && !strings.Contains(part, " "):
		c.addOptions(parts)
	}
}

// addTypes adds the types that may be written at the cursor. In a note, these are type words such as int,
// and the types of the package. In args_schema, they are the struct types of the package.
func (c *completer) addTypes() {
	if c.key != "args_schema" {
		for _, word := range values.TypeWords {
			c.add(keywordItem, word, word, "", "")
		}
	}
	if name := c.documentName(); name != "" {
		for _, t := range c.module.session.Types(name) {
			if c.key != "args_schema" || strings.HasPrefix(t.Type, "struct") {
				c.add(classItem, t.Name, t.Name, "", t.Doc)
			}
		}
	}
}

// addOptions adds the options that a note does not have yet.
func (c *completer) addOptions(parts []string) {
	onResult := strings.HasPrefix(c.key, "return-")
	for _, o := range values.Options {
		for _, form := range o.Forms() {
			written := slices.ContainsFunc(parts[:len(parts)-1], func(part string) bool {
				return strings.HasPrefix(strings.TrimSpace(part), form) && (strings.HasSuffix(form, "=") || strings.TrimSpace(part) == form)
			})
			if !written && (onResult && o.OnResult(form) || !onResult && !o.OnlyResult) {
				c.add(keywordItem, form, form, "", o.Help)
			}
		}
	}
}

// completeValue adds the constants or fields that may follow an option.
func (c *completer) completeValue(name, value string) {
	b, isBound := c.functionBinding(c.cursor.offset)
	option, isOption := values.FindOption(name)
	if !isBound || !isOption {
		return
	}
	value = value[strings.LastIndexByte(value, ',')+1:]
	switch option.Value {
	case values.OneLiteral, values.LiteralList:
		c.word = value
		for _, constant := range b.Constants(c.key) {
			c.add(constantItem, constant.Name, constant.Name, constant.Type, constant.Doc)
		}
	case values.PathsOfValue, values.PathsWithText:
		if strings.Contains(value, ":") {
			return
		}
		path := strings.Split(value, ".")
		c.word = path[len(path)-1]
		for _, f := range b.Fields(c.key, path[:len(path)-1]...) {
			c.add(fieldItem, f.Name, f.Name, f.Type, f.Doc)
		}
	}
}
