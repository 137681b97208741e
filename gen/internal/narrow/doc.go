// Package narrow makes of a type what notes leave of it: some of its fields, at the
// ends of paths, or values by reference and as text. It knows types as the model has
// them.
//
// Its layers, from top to bottom:
//
//	path  what the paths of a note leave
//	lost  paths that lead nowhere
//	form  values by reference, and as text
package narrow
