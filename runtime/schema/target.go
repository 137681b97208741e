package schema

import (
	"fmt"
	"slices"
	"strings"
)

// Target is what a definition is lowered for: the rules of a provider, or of a
// protocol.
type Target string

// The targets. The strict ones are modes in which the provider holds the model to
// the schema, of which it then takes a part only.
const (
	OpenAI          Target = "openai"           // function tools of OpenAI and of what speaks its protocol
	OpenAIStrict    Target = "openai-strict"    // the same with "strict": true
	Anthropic       Target = "anthropic"        // tools of Anthropic's Messages
	AnthropicStrict Target = "anthropic-strict" // the same with "strict": true
	Gemini          Target = "gemini"           // the parameters of Gemini's function declarations
	MCP             Target = "mcp"              // tools of the Model Context Protocol
	Ollama          Target = "ollama"           // tools of Ollama's chat
)

// Targets returns all targets, in the order of their names.
func Targets() []Target {
	return []Target{Anthropic, AnthropicStrict, Gemini, MCP, Ollama, OpenAI, OpenAIStrict}
}

// MarshalText returns the name, so that a target can be a flag, by [flag.TextVar].
func (t Target) MarshalText() ([]byte, error) { return []byte(t), nil }

// UnmarshalText takes the name of a target that there is.
func (t *Target) UnmarshalText(name []byte) error {
	if !slices.Contains(Targets(), Target(name)) {
		return unknown(string(name))
	}
	*t = Target(name)
	return nil
}

func unknown(target string) error {
	return fmt.Errorf("there is no target %q; there are %s", target, join(Targets(), ", "))
}

func join[S ~string](list []S, separator string) string {
	texts := make([]string, len(list))
	for i, s := range list {
		texts[i] = string(s)
	}
	return strings.Join(texts, separator)
}

// Strict reports whether the provider holds the model to the schema.
func (t Target) Strict() bool { return t == OpenAIStrict || t == AnthropicStrict }
