// Package buffer provides buffers for text that is read and written: JSON text with limits on its length and
// depth, and short texts that share one piece of memory, because separate allocations would take longer than
// the copies. A short text keeps its whole piece of memory alive, so pieces are small.
package buffer
