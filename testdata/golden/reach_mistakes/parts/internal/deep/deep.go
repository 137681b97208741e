// Package deep is internal to parts.
package deep

// Field is an interface that nobody else can name.
type Field interface{ Bits() int }

// Holder has a channel, which anybody could name.
type Holder struct{ Events chan int }
