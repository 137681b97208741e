package definition

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// longestName is the limit of MCP servers, in bytes.
const longestName = 128

// CheckName returns an error if the name of a tool is invalid.
func CheckName(name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return errors.New("it has no name")
	case len(name) > longestName, strings.ContainsFunc(name, isInvalidInName):
		return errors.New("a name is 1 to 128 letters, digits, underscores, dots, slashes and hyphens")
	}
	return nil
}

// isInvalidInName reports whether a character is invalid in the names of .aion files and of MCP servers,
// which also allow dots and slashes. Providers that do not accept these receive other names.
func isInvalidInName(c rune) bool {
	letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
	return !letter && !('0' <= c && c <= '9') && !strings.ContainsRune("_./-", c)
}

// Check returns everything that is wrong with a name, with the schemas of arguments and of results, which may
// be empty, and with an example, which may be nil.
func Check(name string, input, output, example json.RawMessage) error {
	faults := []error{CheckName(name)}
	for _, s := range []struct {
		what string
		text json.RawMessage
	}{{"input", input}, {"output", output}} {
		if len(s.text) == 0 {
			continue // any arguments or any result
		}
		if err := jsonschema.CheckForm(string(s.text)); err != nil {
			faults = append(faults, fmt.Errorf("its %s schema is invalid: %w", s.what, err))
		}
	}
	if _, err := jsontext.Parse(string(example), jsontext.Depth); example != nil && err != nil {
		faults = append(faults, errors.New("its example is not JSON"))
	}
	return errors.Join(faults...)
}
