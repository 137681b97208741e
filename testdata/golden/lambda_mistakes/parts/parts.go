// Package parts has two functions of one spelling.
package parts

// GetURL gets a URL.
func GetURL() {}

// GetUrl does so, too.
func GetUrl() {}
