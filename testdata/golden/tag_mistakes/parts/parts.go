// Package parts has a type whose tag other packages cannot point at.
package parts

// Bad has a mistake in its tag.
type Bad struct {
	Name string `json:"name" jsonschema:"minimum=1"`
}
