package aion

import (
	"math/rand/v2"
	"os"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/aion/diag"
)

// A grammar is the grammar of docs/reference/notation.md: its rules, and the regular
// expressions of the parts that it does not define.
type grammar struct {
	rules  map[string]expression
	tokens map[string]*regexp.Regexp
	trees  map[string]*syntax.Regexp
}

// An expression is a part of a rule: a sequence, alternatives, a repeated or optional part, a
// name or a literal.
type expression struct {
	kind  byte // s, a, r, o, n or l
	text  string
	parts []expression
}

// readGrammar reads the grammar from the page.
func readGrammar(t *testing.T) *grammar {
	t.Helper()
	page, err := os.ReadFile("../docs/reference/notation.md")
	if err != nil {
		t.Fatal(err)
	}
	g := &grammar{map[string]expression{}, map[string]*regexp.Regexp{}, map[string]*syntax.Regexp{}}
	block := regexp.MustCompile("(?ms)^```ebnf\n(.*?)^```$").FindAllStringSubmatch(string(page), -1)
	if len(block) != 1 {
		t.Fatalf("the page has %d grammars", len(block))
	}
	words := regexp.MustCompile(`"[^"]*"|[a-z]+|[=|()\[\]{}.]`).FindAllString(block[0][1], -1)
	for len(words) > 0 {
		r := ruleReader{t: t, words: words[2:]}
		g.rules[words[0]] = r.readAlternatives()
		words = r.words[1:]
	}
	_, table, _ := strings.Cut(string(page), "| part | regular expression |")
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z]+)` \\| `(.*)` \\|$").FindAllStringSubmatch(table, -1) {
		expr := "^(?:" + strings.ReplaceAll(row[2], `\|`, "|") + ")$"
		tree, err := syntax.Parse(expr, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		g.tokens[row[1]], g.trees[row[1]] = regexp.MustCompile(expr), tree.Simplify()
	}
	g.checkNames(t)
	return g
}

// checkNames checks that each name of a rule is defined.
func (g *grammar) checkNames(t *testing.T) {
	t.Helper()
	var check func(expression)
	check = func(e expression) {
		if _, rule := g.rules[e.text]; e.kind == 'n' && !rule && g.tokens[e.text] == nil {
			t.Fatalf("%s is not defined", e.text)
		}
		for _, p := range e.parts {
			check(p)
		}
	}
	for _, rule := range g.rules {
		check(rule)
	}
}

// A ruleReader reads the right side of a rule.
type ruleReader struct {
	t     *testing.T
	words []string
}

func (r *ruleReader) readAlternatives() expression {
	all := expression{kind: 'a', parts: []expression{r.readSequence()}}
	for r.words[0] == "|" {
		r.words = r.words[1:]
		all.parts = append(all.parts, r.readSequence())
	}
	return all
}

func (r *ruleReader) readSequence() expression {
	all := expression{kind: 's'}
	for {
		word := r.words[0]
		switch word {
		case "|", ")", "]", "}", ".":
			return all
		case "(", "[", "{":
			r.words = r.words[1:]
			part := r.readAlternatives()
			if kind := map[string]byte{"[": 'o', "{": 'r'}[word]; kind != 0 {
				part = expression{kind: kind, parts: []expression{part}}
			}
			all.parts = append(all.parts, part)
		default:
			kind := byte('n')
			if word[0] == '"' {
				kind, word = 'l', strings.Trim(word, `"`)
			}
			all.parts = append(all.parts, expression{kind: kind, text: word})
		}
		r.words = r.words[1:]
	}
}

// derive returns the tokens of a random sentence of an expression.
func (g *grammar) derive(random *rand.Rand, e expression) (tokens []string) {
	switch e.kind {
	case 'l':
		return []string{e.text}
	case 'n':
		if rule, ok := g.rules[e.text]; ok {
			return g.derive(random, rule)
		}
		return []string{deriveText(random, g.trees[e.text])}
	case 'a':
		return g.derive(random, e.parts[random.IntN(len(e.parts))])
	case 's':
		for _, p := range e.parts {
			tokens = append(tokens, g.derive(random, p)...)
		}
	case 'o':
		if random.IntN(2) == 0 {
			return g.derive(random, e.parts[0])
		}
	case 'r':
		for random.IntN(2) == 0 {
			tokens = append(tokens, g.derive(random, e.parts[0])...)
		}
	}
	return tokens
}

// sampleRunes are the characters of derived texts.
var sampleRunes = []rune(" \nabcdefgxyzABCXYZ0123456789_-.,:>{}[]/\\'()|é")

// deriveText returns a random text that a regular expression matches.
func deriveText(random *rand.Rand, e *syntax.Regexp) (text string) {
	switch e.Op {
	case syntax.OpLiteral:
		return string(e.Rune)
	case syntax.OpCharClass:
		for {
			c := sampleRunes[random.IntN(len(sampleRunes))]
			for i := 0; i < len(e.Rune); i += 2 {
				if e.Rune[i] <= c && c <= e.Rune[i+1] {
					return string(c)
				}
			}
		}
	case syntax.OpAlternate:
		return deriveText(random, e.Sub[random.IntN(len(e.Sub))])
	case syntax.OpQuest, syntax.OpStar, syntax.OpPlus:
		if e.Op == syntax.OpPlus {
			text = deriveText(random, e.Sub[0])
		}
		for range random.IntN(4) {
			text += deriveText(random, e.Sub[0])
			if e.Op == syntax.OpQuest {
				break
			}
		}
		return text
	}
	for _, sub := range e.Sub { // a sequence or a group
		text += deriveText(random, sub)
	}
	return text
}

// matches reports whether tokens are a sentence of a rule.
func (g *grammar) matches(rule string, tokens []string) bool {
	return slices.Contains(g.ends(g.rules[rule], tokens, []int{0}), len(tokens))
}

// ends returns the offsets at which an expression can end that starts at one of some offsets.
func (g *grammar) ends(e expression, tokens []string, starts []int) (ends []int) {
	switch e.kind {
	case 'l', 'n':
		if rule, ok := g.rules[e.text]; ok && e.kind == 'n' {
			return g.ends(rule, tokens, starts)
		}
		for _, at := range starts {
			if at < len(tokens) && (e.kind == 'l' && tokens[at] == e.text || e.kind == 'n' && g.tokens[e.text].MatchString(tokens[at])) {
				ends = append(ends, at+1)
			}
		}
	case 'a':
		for _, p := range e.parts {
			ends = append(ends, g.ends(p, tokens, starts)...)
		}
	case 's':
		ends = starts
		for _, p := range e.parts {
			ends = g.ends(p, tokens, ends)
		}
	case 'o', 'r':
		ends = slices.Clone(starts)
		for next := g.ends(e.parts[0], tokens, starts); len(next) > 0; next = g.ends(e.parts[0], tokens, next) {
			ends = append(ends, next...)
			if e.kind == 'o' {
				break
			}
		}
	}
	slices.Sort(ends)
	return slices.Compact(ends)
}

// ruleCodes are the codes of faults of documents that the grammar describes: they concern
// values, and properties that exclude or need each other.
var ruleCodes = []diag.Code{
	"missing-name", "missing-function", "missing-description", "repeated-property", "repeated-prompt", "repeated-tool", "schema-without-function",
	"bad-name", "bad-url", "bad-type-name", "empty-text", "missing-number", "bad-number", "misplaced-none", "wrong-value",
	"bad-type", "missing-type", "note-option", "bad-literal", "repeated-option", "bad-bound", "bad-default", "bad-enum",
}

// TestGrammarDocuments derives documents from the grammar and mutates their tokens. The parser
// must accept those that the grammar describes and report an error in all others.
func TestGrammarDocuments(t *testing.T) {
	g := readGrammar(t)
	random := rand.New(rand.NewPCG(38, 5))
	valid, invalid := 0, 0
	for range 1000 {
		tokens := g.derive(random, g.rules["document"])
		if len(tokens) > 200 {
			continue
		}
		if !g.matches("document", tokens) {
			t.Fatalf("the recognizer rejects %q", tokens)
		}
		for _, sentence := range [][]string{tokens, mutateTokens(random, tokens), mutateTokens(random, tokens)} {
			src := joinTokens(random, sentence)
			_, list := Parse("a.aion", []byte(src))
			faults := slices.DeleteFunc(slices.Clone(list), func(d *diag.Diagnostic) bool {
				return d.Severity != diag.Error || slices.Contains(ruleCodes, d.Code)
			})
			switch accepted := g.matches("document", sentence); {
			case accepted && len(faults) > 0:
				t.Fatalf("the grammar describes this, but the parser reports %v:\n%s", faults, src)
			case !accepted && list.Err() == nil:
				t.Fatalf("the grammar does not describe this, but the parser accepts it:\n%s", src)
			case accepted:
				valid++
			default:
				invalid++
			}
		}
	}
	t.Logf("%d documents of the grammar, %d others", valid, invalid)
	if valid < 1000 || invalid < 1000 {
		t.Errorf("%d documents of the grammar and %d others are too few", valid, invalid)
	}
}

// joinTokens writes tokens with white space and comments between them.
func joinTokens(random *rand.Rand, tokens []string) string {
	var b strings.Builder
	for _, token := range tokens {
		b.WriteString(token)
		b.WriteString([]string{" ", "\n", "  \r\n\t", " // a --> \"b\n"}[random.IntN(4)])
	}
	return b.String()
}

// mutateTokens returns tokens with one change.
func mutateTokens(random *rand.Rand, tokens []string) []string {
	tokens = slices.Clone(tokens)
	others := []string{"[", "]", "{", "}", ",", "-->", "name", "function", "rules", "arg-1", "x", `"a"`, `"""b"""`, ":", "="}
	at := random.IntN(len(tokens))
	switch random.IntN(4) {
	case 0:
		return slices.Delete(tokens, at, at+1)
	case 1:
		return slices.Insert(tokens, at, others[random.IntN(len(others))])
	case 2:
		tokens[at] = others[random.IntN(len(others))]
	default:
		other := random.IntN(len(tokens))
		tokens[at], tokens[other] = tokens[other], tokens[at]
	}
	return tokens
}

// TestGrammarNotes derives notes from the grammar. The parser must accept their form.
func TestGrammarNotes(t *testing.T) {
	g := readGrammar(t)
	random := rand.New(rand.NewPCG(38, 6))
	values := []diag.Code{"bad-bound", "bad-default", "bad-enum", "repeated-option", "note-option"}
	for range 1200 {
		var text strings.Builder
		for _, token := range g.derive(random, g.rules["note"]) {
			if token == "(" || token == "|" {
				text.WriteByte(' ')
			}
			text.WriteString(token)
			if token == "|" {
				text.WriteByte(' ')
			}
		}
		note, list := ParseNote(text.String())
		for _, d := range list {
			if d.Severity == diag.Error && !slices.Contains(values, d.Code) {
				t.Fatalf("%s: %v", text.String(), d)
			}
		}
		if note.Type == "" {
			t.Fatalf("%s has no type", text.String())
		}
	}
}
