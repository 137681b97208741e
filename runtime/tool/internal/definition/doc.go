// Package definition checks and changes the definitions of tools: names, schemas and examples.
package definition
