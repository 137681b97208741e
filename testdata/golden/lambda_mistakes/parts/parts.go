// Package parts has functions, fields and methods of one spelling each.
package parts

// GetURL gets a URL.
func GetURL() {}

// GetUrl does so, too.
func GetUrl() {}

// A Page has two fields and two methods of one spelling.
type Page struct{ PageID, PageId, NextID int }

// Last is one.
var Last Page

// AsURL is a URL.
func (Page) AsURL() string { return "" }

// AsUrl is, too.
func (Page) AsUrl() string { return "" }
