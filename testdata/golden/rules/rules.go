// Package rules has rules alone.
package rules
