package schema

import (
	"fmt"
	"hash/fnv"
	"strings"
)

// rules are what a target takes. Sources are the reference of each provider and
// its official SDKs; where these differ from what the service is known to refuse,
// the service counts.
type rules struct {
	names   names // of tools
	keys    names // of properties; the zero value takes all
	longest int   // description of a tool, in characters; 0 for any length
	output  bool  // there are output schemas, and titles of tools
}

var rulesOf = map[Target]*rules{
	OpenAI:          {names: names{extra: "_-", longest: 64}, longest: 1024},
	OpenAIStrict:    {names: names{extra: "_-", longest: 64}, longest: 1024},
	Anthropic:       {names: names{extra: "_-", longest: 128}, keys: names{extra: "_.-", longest: 64}},
	AnthropicStrict: {names: names{extra: "_-", longest: 128}, keys: names{extra: "_.-", longest: 64}},
	Gemini:          {names: names{extra: "_.-", letterFirst: true, longest: 64}, keys: names{extra: "_", letterFirst: true, longest: 64}},
	MCP:             {names: names{extra: "_.-", longest: 128}, output: true},
	Ollama:          {},
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
	suffix := fmt.Sprintf("_%08x", h.Sum32())
	return fitted[:min(len(fitted), n.longest-len(suffix))] + suffix
}
