// Package sound says what is wrong with what defines a tool.
package sound

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema/form"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// longestName is that of MCP servers, in bytes.
const longestName = 128

// Name returns what is wrong with the name of a tool; nil if nothing is.
func Name(name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return errors.New("it has no name")
	case len(name) > longestName, strings.ContainsFunc(name, stranger):
		return errors.New("a name is 1 to 128 letters, digits, underscores, dots, slashes and hyphens")
	}
	return nil
}

// stranger reports whether a character is in no name that .aion files may give, and in
// none of MCP servers, which have dots and slashes, too: providers that take none of these
// are sent other names.
func stranger(c rune) bool {
	letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
	return !letter && !('0' <= c && c <= '9') && !strings.ContainsRune("_./-", c)
}

// Definition returns all that is wrong with a name, the schemas of arguments and of
// results, which may be empty, and an example, which may be nil.
func Definition(name string, input, output, example json.RawMessage) error {
	faults := []error{Name(name)}
	for _, s := range []struct {
		what string
		text json.RawMessage
	}{{"input", input}, {"output", output}} {
		if len(s.text) == 0 {
			continue // any arguments, or any result
		}
		if err := form.Check(string(s.text)); err != nil {
			faults = append(faults, fmt.Errorf("its %s schema is none: %w", s.what, err))
		}
	}
	if _, err := jsontext.Parse(string(example), jsontext.Depth); example != nil && err != nil {
		faults = append(faults, errors.New("its example is no JSON"))
	}
	return errors.Join(faults...)
}
