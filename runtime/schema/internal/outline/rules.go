package outline

import (
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// Rules describes what a target accepts. The rules follow the documentation and the official SDKs of
// each provider, except where the service itself is known to behave differently.
type Rules struct {
	Target  string
	Names   NameRules // of tools
	Keys    NameRules // of properties
	AllKeys bool      // Keys also applies below the root
	Longest int       // maximum length of a tool's description, in characters; 0 for any length
	Mute    bool      // the root must not have a description, which is added to that of the tool
	AnyRoot bool      // anyOf and similar keywords are allowed at the root, if its type is object
	Filled  bool      // arrays must have items, and objects must have properties
	// Grammars means that endpoints may compile the schema to a grammar; see [Rules.WhyUnsupported].
	Grammars  bool
	PlainRefs bool // names of definitions must not need escapes in references
	Output    bool // tools have output schemas and titles

	RequestLimits Size     // for all tools of a request
	SchemaLimits  Size     // for one schema
	Dialect       *Dialect // the accepted part of JSON Schema; nil for all of it
}

// Dialect describes the part of JSON Schema that a target accepts. Every dialect includes type,
// description, enum, properties, required, items and anyOf.
type Dialect struct {
	keywords    string // additional keywords, between spaces
	formats     string // accepted values of format, between spaces
	minItems    string // accepted values of minItems, between spaces; empty for all
	Closed      bool   // objects must have additionalProperties: false
	AllRequired bool   // all members must be required
	Refs        bool   // $ref and $defs are accepted, including recursive references
	Anything    bool   // the schema {} is accepted
	AnyCase     bool   // the model may write values of an enum in another case
	// OpenAPI marks the dialect of Gemini: nullable instead of the type null, no keywords next to
	// anyOf, only strings that are not empty in enum, and no objects without properties.
	OpenAPI bool
	// RequiredAtRoot means that the provider drops the keyword required in the schemas of
	// properties and of anyOf, but not at the root or in the items of lists.
	RequiredAtRoot bool

	Depth int // maximum nesting of objects and arrays; 0 for any
}

const (
	numberKeywords = " minimum maximum exclusiveMinimum exclusiveMaximum multipleOf "
	commonFormats  = " date-time time date duration email hostname ipv4 ipv6 uuid "
)

var allRules = []*Rules{
	{Target: "openai", RequestLimits: Size{Tools: 128}, Names: NameRules{extra: "_-", longest: 64}, Longest: 1024, Filled: true, Grammars: true, PlainRefs: true},
	{
		Target: "openai-strict", RequestLimits: Size{Tools: 128}, SchemaLimits: Size{members: 5000, values: 1000, text: 120_000, longEnum: 15_000},
		Names: NameRules{extra: "_-", longest: 64}, Longest: 1024, PlainRefs: true,
		Dialect: &Dialect{
			keywords: numberKeywords + " pattern format minItems maxItems title ", formats: commonFormats,
			Closed: true, AllRequired: true, Refs: true, Depth: 10,
		},
	},
	{Target: "anthropic", Names: NameRules{extra: "_-", longest: 128}, Keys: NameRules{extra: "_.-", longest: 64}},
	{
		Target: "anthropic-strict", RequestLimits: Size{Tools: 20, Optional: 24, Unions: 16},
		Names: NameRules{extra: "_-", longest: 128}, Keys: NameRules{extra: "_.-", longest: 64},
		Dialect: &Dialect{
			keywords: " pattern format minItems title ", formats: commonFormats + "uri ", minItems: " 0 1 ", Closed: true, AnyCase: true,
		},
	},
	{
		Target: "gemini", RequestLimits: Size{Tools: 512},
		Names: NameRules{extra: "_.-", letterFirst: true, longest: 64},
		Keys:  NameRules{extra: "_", letterFirst: true, longest: 64}, AllKeys: true,
		Dialect: &Dialect{
			keywords: " minimum maximum minLength maxLength pattern format minItems maxItems title ", formats: " date-time ",
			OpenAPI: true,
		},
	},
	{Target: "mcp", Names: NameRules{extra: "_.-", longest: 128}, AnyRoot: true, Output: true},
	{Target: "ollama", Mute: true, Dialect: &Dialect{Anything: true, RequiredAtRoot: true}},
}

// RulesOf returns the rules of a target, or nil if there is no such target.
func RulesOf(target string) *Rules {
	for _, r := range allRules {
		if r.Target == target {
			return r
		}
	}
	return nil
}

// Takes reports whether the dialect accepts a keyword with the value v.
func (d *Dialect) Takes(keyword string, v *jsontext.Node) bool {
	if !strings.Contains(d.keywords, " "+keyword+" ") {
		return false
	}
	switch keyword {
	case "format":
		return strings.Contains(d.formats, " "+v.Str()+" ")
	case "pattern":
		return isSimple(v.Str()) && !IsGoOnly(v.Str())
	case "minItems":
		return d.minItems == "" || strings.Contains(d.minItems, " "+v.Text+" ")
	}
	return true
}
