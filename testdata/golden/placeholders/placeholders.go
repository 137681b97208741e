// Package placeholders has a template with placeholders that are misspelt.
package placeholders
