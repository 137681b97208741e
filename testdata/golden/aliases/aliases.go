// Package aliases binds functions with types that only aliases name.
package aliases
