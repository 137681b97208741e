package schema

import (
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// rules are what a target takes. They follow the reference of each provider and
// its official SDKs; where these differ from what the service is known to refuse,
// the service counts.
type rules struct {
	names   names    // of tools
	keys    names    // of properties
	allKeys bool     // the rule for keys holds below the root, too
	longest int      // description of a tool, in characters; 0 for any length
	mute    bool     // the root has no description: it is told in that of the tool
	anyRoot bool     // anyOf and the like may stand at the root, if its type is object
	filled  bool     // arrays have items, and objects properties
	output  bool     // there are output schemas, and titles of tools
	dialect *dialect // the part of JSON Schema that is taken; nil for all of it
}

// dialect is a part of JSON Schema. All have type, description, enum, properties,
// required, items and anyOf.
type dialect struct {
	keywords    string // more keywords, between spaces
	formats     string // those of the keyword format, between spaces
	minItems    string // the only values of minItems, between spaces; empty for all
	closed      bool   // objects have additionalProperties: false
	allRequired bool   // of optional members
	refs        bool   // $ref and $defs, also recursive
	anything    bool   // a schema may be {}
	anyCase     bool   // what the model writes of an enum may be of another case
	openAPI     bool   // Gemini's: null is nullable, anyOf stands alone, enum is of strings that are not empty, objects have properties
	depth       int    // of objects and arrays; 0 for any
}

const (
	numberKeywords = " minimum maximum exclusiveMinimum exclusiveMaximum multipleOf "
	commonFormats  = " date-time time date duration email hostname ipv4 ipv6 uuid "
)

var rulesOf = map[Target]*rules{
	OpenAI: {names: names{extra: "_-", longest: 64}, longest: 1024, filled: true},
	OpenAIStrict: {
		names: names{extra: "_-", longest: 64}, longest: 1024,
		dialect: &dialect{
			keywords: numberKeywords + " pattern format minItems maxItems title ", formats: commonFormats,
			closed: true, allRequired: true, refs: true, depth: 10,
		},
	},
	Anthropic: {names: names{extra: "_-", longest: 128}, keys: names{extra: "_.-", longest: 64}},
	AnthropicStrict: {
		names: names{extra: "_-", longest: 128}, keys: names{extra: "_.-", longest: 64},
		dialect: &dialect{
			keywords: " pattern format minItems title ", formats: commonFormats + "uri ", minItems: " 0 1 ", closed: true, anyCase: true,
		},
	},
	Gemini: {
		names: names{extra: "_.-", letterFirst: true, longest: 64},
		keys:  names{extra: "_", letterFirst: true, longest: 64}, allKeys: true,
		dialect: &dialect{
			keywords: " minimum maximum minLength maxLength pattern format minItems maxItems title ", formats: " date-time ",
			openAPI: true,
		},
	},
	MCP:    {names: names{extra: "_.-", longest: 128}, anyRoot: true, output: true},
	Ollama: {mute: true, dialect: &dialect{anything: true}},
}

// takes reports whether a keyword with this value is taken.
func (d *dialect) takes(keyword string, v *jsontext.Node) bool {
	if !strings.Contains(d.keywords, " "+keyword+" ") {
		return false
	}
	switch keyword {
	case "format":
		return strings.Contains(d.formats, " "+v.Str()+" ")
	case "pattern":
		return isSimple(v.Str()) && !isGoOnly(v.Str())
	case "minItems":
		return d.minItems == "" || strings.Contains(d.minItems, " "+v.Text+" ")
	}
	return true
}

// names are the names that a target takes: of ASCII letters, digits and some more
// characters. The zero value takes all.
type names struct {
	extra       string
	letterFirst bool // or an underscore
	longest     int
}

// fit returns the name, changed where it is not taken.
func (n names) fit(name string) string {
	if n.longest == 0 {
		return name
	}
	fitted := strings.Map(func(r rune) rune {
		if isLetter(r) || '0' <= r && r <= '9' || strings.ContainsRune(n.extra, r) {
			return r
		}
		return '_'
	}, name)
	if fitted == "" || n.letterFirst && !isLetter(rune(fitted[0])) && fitted[0] != '_' {
		fitted = "_" + fitted
	}
	return fitted[:min(len(fitted), n.longest)]
}

func isLetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

// withHash returns a fitted name with a hash of the original at its end.
func (n names) withHash(fitted, name string) string {
	h := fnv.New32a()
	h.Write([]byte(name))
	return n.withSuffix(fitted, fmt.Sprintf("_%08x", h.Sum32()))
}

func (n names) withSuffix(name, suffix string) string {
	return name[:min(len(name), n.longest-len(suffix))] + suffix
}

// fitAll returns the names of an object's members as they are taken, each of them
// another one. Those that are taken as they are come first.
func (n names) fitAll(all []string) []string {
	taken := map[string]bool{}
	for _, name := range all {
		taken[name] = n.fit(name) == name
	}
	fitted := make([]string, len(all))
	for i, name := range all {
		fitted[i] = n.fit(name)
		for next := 2; fitted[i] != name && taken[fitted[i]]; next++ {
			fitted[i] = n.withSuffix(n.fit(name), fmt.Sprintf("_%d", next))
		}
		taken[fitted[i]] = true
	}
	return fitted
}
