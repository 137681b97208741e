package llm

import (
	"encoding/json"
	"regexp"
	"strings"
)

// ObjectArguments returns the arguments of a call in a form that endpoints accept. It replaces
// arguments that are not a JSON object with {}, and unpaired surrogates such as \ud83d, which many
// endpoints reject, with U+FFFD. It is for implementations of [Model].
func ObjectArguments(arguments json.RawMessage) json.RawMessage {
	if !json.Valid(arguments) || !strings.HasPrefix(strings.TrimSpace(string(arguments)), "{") {
		return json.RawMessage("{}")
	}
	return surrogates.ReplaceAllFunc(arguments, func(found []byte) []byte {
		if len(found) == len(`\ud83d`) {
			return []byte(`\ufffd`)
		}
		return found
	})
}

var surrogates = regexp.MustCompile(`\\\\|\\u[dD][89aAbB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}`)
