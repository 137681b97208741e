// Package report is what is said of a text that was read: the edits in the making,
// and why it cannot be read.
package report
