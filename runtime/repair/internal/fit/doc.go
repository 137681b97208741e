// Package fit makes of a value one of a schema, if there is exactly one way. Its
// layers, from top to bottom:
//
//	arguments       all arguments of a call, and what is said of them
//	fit             a value by a schema, and the parts of it
//	convert, names  other types; names, and values of an enum, in other spellings
//	fitter          what is fitted and known
//	outcome         what becomes of a value
package fit
