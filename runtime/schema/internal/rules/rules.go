// Package rules knows what each target takes of a definition, and keeps what is lost
// of one that it does not take whole. From top to bottom:
//
//	size       how much a schema and a request may hold
//	lowering   one definition: its name, its description, its losses
//	rules      the table of targets; what keywords a dialect takes
//	names, pattern   spellings of names and of regular expressions
package rules

import (
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// Rules are what a target takes. They follow the reference of each provider and
// its official SDKs; where these differ from what the service is known to refuse,
// the service counts.
type Rules struct {
	Target  string
	names   Names // of tools
	Keys    Names // of properties
	AllKeys bool  // the rule for keys holds below the root, too
	longest int   // description of a tool, in characters; 0 for any length
	Mute    bool  // the root has no description: it is told in that of the tool
	AnyRoot bool  // anyOf and the like may stand at the root, if its type is object
	Filled  bool  // arrays have items, and objects properties
	Output  bool  // there are output schemas, and titles of tools
	Limits  Limits
	Dialect *Dialect // the part of JSON Schema that is taken; nil for all of it
}

// Dialect is a part of JSON Schema. All have type, description, enum, properties,
// required, items and anyOf.
type Dialect struct {
	keywords    string // more keywords, between spaces
	formats     string // those of the keyword format, between spaces
	minItems    string // the only values of minItems, between spaces; empty for all
	Closed      bool   // objects have additionalProperties: false
	AllRequired bool   // of optional members
	Refs        bool   // $ref and $defs, also recursive
	Anything    bool   // a schema may be {}
	AnyCase     bool   // what the model writes of an enum may be of another case
	OpenAPI     bool   // Gemini's: null is nullable, anyOf stands alone, enum is of strings that are not empty, objects have properties
	// RequiredAtRoot says that the provider drops required in properties and in anyOf, but not
	// in the items of lists.
	RequiredAtRoot bool

	Depth int // of objects and arrays; 0 for any
}

const (
	numberKeywords = " minimum maximum exclusiveMinimum exclusiveMaximum multipleOf "
	commonFormats  = " date-time time date duration email hostname ipv4 ipv6 uuid "
)

var all = []*Rules{
	{Target: "openai", Limits: Limits{Tools: 128}, names: Names{extra: "_-", longest: 64}, longest: 1024, Filled: true},
	{
		Target: "openai-strict", Limits: Limits{Tools: 128, members: 5000, values: 1000, text: 120_000, long: 15_000},
		names: Names{extra: "_-", longest: 64}, longest: 1024,
		Dialect: &Dialect{
			keywords: numberKeywords + " pattern format minItems maxItems title ", formats: commonFormats,
			Closed: true, AllRequired: true, Refs: true, Depth: 10,
		},
	},
	{Target: "anthropic", names: Names{extra: "_-", longest: 128}, Keys: Names{extra: "_.-", longest: 64}},
	{
		Target: "anthropic-strict", Limits: Limits{Tools: 20, Optional: 24, Unions: 16},
		names: Names{extra: "_-", longest: 128}, Keys: Names{extra: "_.-", longest: 64},
		Dialect: &Dialect{
			keywords: " pattern format minItems title ", formats: commonFormats + "uri ", minItems: " 0 1 ", Closed: true, AnyCase: true,
		},
	},
	{
		Target: "gemini", Limits: Limits{Tools: 512},
		names: Names{extra: "_.-", letterFirst: true, longest: 64},
		Keys:  Names{extra: "_", letterFirst: true, longest: 64}, AllKeys: true,
		Dialect: &Dialect{
			keywords: " minimum maximum minLength maxLength pattern format minItems maxItems title ", formats: " date-time ",
			OpenAPI: true,
		},
	},
	{Target: "mcp", names: Names{extra: "_.-", longest: 128}, AnyRoot: true, Output: true},
	{Target: "ollama", Mute: true, Dialect: &Dialect{Anything: true, RequiredAtRoot: true}},
}

// Takes reports whether a keyword with this value is taken.
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
