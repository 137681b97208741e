package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema/form"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/tool/internal/show"
)

// DefinitionError says that a tool cannot be registered for its definition.
type DefinitionError struct {
	Tool string // its name, which may be what is wrong
	Err  error  // everything that is wrong
}

// Error lists what is wrong.
func (e *DefinitionError) Error() string {
	return fmt.Sprintf("tool %q cannot be registered: %s", e.Tool, strings.ReplaceAll(e.Err.Error(), "\n", "; "))
}

// Unwrap returns what is wrong.
func (e *DefinitionError) Unwrap() error { return e.Err }

// checkName returns what is wrong with the name of a tool.
func checkName(d *Definition) error {
	if err := nameFault(d.Name); err != nil {
		return &DefinitionError{Tool: d.Name, Err: err}
	}
	return nil
}

func nameFault(name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return errors.New("it has no name")
	case !show.IsPrintable(name):
		return errors.New("its name has characters that cannot be shown")
	}
	return nil
}

// deepestExample is how deeply an example may be nested.
const deepestExample = 1000

// checkByHand returns what is wrong with the definition of a tool that was made by
// hand.
func checkByHand(d *Definition) error {
	var faults []error
	if err := nameFault(d.Name); err != nil {
		faults = append(faults, err)
	}
	for _, s := range []struct {
		what string
		text json.RawMessage
	}{{"input", d.Input}, {"output", d.Output}} {
		if len(s.text) == 0 {
			continue // any arguments, or any result
		}
		if err := form.Check(string(s.text)); err != nil {
			faults = append(faults, fmt.Errorf("its %s schema is none: %w", s.what, err))
		}
	}
	if _, err := jsontext.Parse(string(d.Example), deepestExample); d.Example != nil && err != nil {
		faults = append(faults, errors.New("its example is no JSON"))
	}
	if faults == nil {
		return nil
	}
	return &DefinitionError{Tool: d.Name, Err: errors.Join(faults...)}
}
