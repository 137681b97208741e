package schema

import (
	"fmt"
	"slices"
)

// Target is the provider or protocol for which a definition is lowered.
type Target string

// The targets. For a strict target, the provider enforces the schema, but accepts only part of JSON Schema.
const (
	OpenAI          Target = "openai"           // function tools of OpenAI and of compatible providers
	OpenAIStrict    Target = "openai-strict"    // function tools of OpenAI with "strict": true
	Anthropic       Target = "anthropic"        // tools of Anthropic's Messages API
	AnthropicStrict Target = "anthropic-strict" // tools of Anthropic's Messages API with "strict": true
	Gemini          Target = "gemini"           // the parameters of Gemini's function declarations
	MCP             Target = "mcp"              // tools of the Model Context Protocol
	Ollama          Target = "ollama"           // tools of Ollama's chat API
)

// Targets returns all targets, sorted by name.
func Targets() []Target {
	return []Target{Anthropic, AnthropicStrict, Gemini, MCP, Ollama, OpenAI, OpenAIStrict}
}

// MarshalText returns the name. It allows a target to be a command-line flag; see [flag.TextVar].
func (t Target) MarshalText() ([]byte, error) { return []byte(t), nil }

// UnmarshalText accepts the name of a target.
func (t *Target) UnmarshalText(name []byte) error {
	if !slices.Contains(Targets(), Target(name)) {
		return newUnknownTarget(string(name))
	}
	*t = Target(name)
	return nil
}

func newUnknownTarget(target string) error {
	return fmt.Errorf("unknown target %q, expected one of %s", target, joinTexts(Targets(), ", ", func(t Target) string { return string(t) }))
}

// Strict reports whether the provider enforces the schema.
func (t Target) Strict() bool { return t == OpenAIStrict || t == AnthropicStrict }
