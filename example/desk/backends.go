package desk

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/openai"
)

// Backends are the places and providers that a program adds to the command.
type Backends struct {
	Places    []Place    // where workers may execute runs
	Providers []Provider // of models, in addition to openai
}

// Provider is a provider of models, with the name that selects it.
type Provider struct {
	Name string
	Key  string // environment variable with the key

	// Open returns a model at the provider, or at an endpoint with the same protocol if the base URL is not empty.
	Open func(baseURL, model string) (llm.Model, error)
}

// unavailable are the backends that only the program in the module deploy supports.
var unavailable = Backends{
	Places: []Place{
		{Flag: "postgres", Usage: "let workers execute runs with the PostgreSQL database at a `URL`"},
		{Flag: "temporal", Usage: "let workers execute runs with the Temporal server at an `address`"},
	},
	Providers: []Provider{{Name: "anthropic"}, {Name: "gemini"}, {Name: "responses"}},
}

// unavailableMessage returns the error message for a flag that selects an unavailable backend.
func unavailableMessage(flag, value string) string {
	return fmt.Sprintf("-%s needs the program in the module deploy: go run -C deploy ./desk -%[1]s %s …", flag, safeLine(value))
}

// chatCompletions is the provider of models at OpenAI and at endpoints that support its protocol Chat Completions.
var chatCompletions = Provider{Name: "openai", Key: "OPENAI_API_KEY", Open: func(baseURL, model string) (llm.Model, error) {
	return openai.New(model, openai.BaseURL(baseURL), openai.Key(os.Getenv("OPENAI_API_KEY"))), nil
}}

// setProvider selects the provider that the flag -provider names. It returns an error message about the flags of the
// model, or "".
func (s *settings) setProvider(others []Provider) string {
	all := append([]Provider{chatCompletions}, others...)
	names := make([]string, len(all))
	for i, p := range all {
		names[i] = p.Name
	}
	at := slices.Index(names, cmp.Or(s.providerName, chatCompletions.Name))
	switch {
	case at < 0:
		return fmt.Sprintf("-provider must be one of %s", strings.Join(names, ", "))
	case all[at].Open == nil:
		return unavailableMessage("provider", s.providerName)
	case s.providerName != "" && s.model == "":
		return "-provider needs -model"
	case s.providerName == "" && (s.url == "") != (s.model == ""):
		return "use -model-url and -model together, or -model with -provider"
	}
	s.provider = all[at]
	return ""
}
