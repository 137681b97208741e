package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// longestToolName is the limit for names of MCP tools, in bytes.
const longestToolName = 128

// checkName returns an error if the name of a tool is invalid.
func checkName(name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return errors.New("it has no name")
	case len(name) > longestToolName, strings.ContainsFunc(name, isInvalidInToolName):
		return errors.New("a name is 1 to 128 letters, digits, underscores, dots, slashes and hyphens")
	}
	return nil
}

// isInvalidInToolName reports whether a character is invalid in the name of a tool. Dots and slashes are valid,
// because tools of MCP servers have such names. Package schema replaces them for providers that do not accept them.
func isInvalidInToolName(c rune) bool {
	return !words.IsToolNameChar(c) && c != '.' && c != '/'
}

// checkDefinition returns everything that is wrong with the name, the schemas and the example of a definition.
func checkDefinition(d *Definition) error {
	faults := []error{checkName(d.Name)}
	for _, s := range []struct {
		what string
		text json.RawMessage
	}{{"input", d.Input}, {"output", d.Output}} {
		if len(s.text) == 0 {
			continue // without a schema, any value is allowed
		}
		if err := jsonschema.CheckForm(string(s.text)); err != nil {
			faults = append(faults, fmt.Errorf("its %s schema is invalid: %w", s.what, err))
		}
	}
	if _, err := jsontext.Parse(string(d.Example), jsontext.Depth); d.Example != nil && err != nil {
		faults = append(faults, errors.New("its example is not JSON"))
	}
	return errors.Join(faults...)
}
