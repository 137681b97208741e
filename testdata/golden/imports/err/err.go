// Package err has the name of a variable in generated code.
package err

// Log keeps errors.
type Log struct{ last string }

// Report keeps an error.
func (l *Log) Report(text string) { l.last = text }
