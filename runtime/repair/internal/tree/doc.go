// Package tree is what is to be known of the values that are read from malformed text,
// beside what they are: which had no quotes and which are missing; and what a schema
// says of a value that is still to be read.
package tree
