// Package leaves holds what somebody made of a value, such as a model that was asked
// to repair it, against the value: nothing in it is invented, and nothing that was
// right is lost. Its layers, from top to bottom:
//
//	check          what is wrong with what was made
//	missing        what is needed and nowhere in the original
//	compare        the original beside what was made of it
//	source, prose  what there is in the original, and what was taken from it
//	rule           what may be made of what
//	place          where values stand
package leaves
