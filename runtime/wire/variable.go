package wire

import "github.com/aiongen/aiongen/runtime/wire/internal/tape"

// ReferencePattern is the regular expression that a reference is described with in
// JSON Schemas.
const ReferencePattern = "^<<var:[A-Za-z0-9_.-]{1,64}>>$"

// IsVariable reports whether a name is one that a variable can have: 1 to 64
// letters, digits, hyphens, dots and underscores.
func IsVariable(name string) bool { return tape.IsVariable(name) }
