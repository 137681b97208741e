package lambda

import (
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// replacement suggests what to write instead of a call of an unsupported function or method.
type replacement struct {
	write string // an expression, or ""
	more  string // an expression for a call with two arguments, or ""
	note  string // how the value of the expression differs, or what to do if there is no expression

	notInGo bool // Go cannot do this either
}

// addHelp adds the suggestion to a diagnostic. It reports whether there is one.
func (i replacement) addHelp(d *diag.Diagnostic) bool {
	if i.notInGo {
		d.WithCause(pysyntax.ErrNotInGo)
	}
	switch {
	case i.write == "" && i.note == "":
		return false
	case i.write == "":
		d.WithHelp("%s", i.note)
	case i.note == "":
		d.WithHelp("write %s", i.write)
	default:
		d.WithHelp("write %s, %s", i.write, i.note)
	}
	return true
}

// functionReplacements maps Python functions to replacements. In the expressions of these tables, s and t are strings,
// xs and ys lists, d is a dict, a and b are integers, p is a float, and x is any value.
var functionReplacements = map[string]replacement{
	"__import__": {note: "neither a lambda nor Go can import a module whose name is in a string: write a Go function that imports a Go package, and call it instead", notInGo: true},
	"compile":    {note: evaluationHelp, notInGo: true},
	"dict":       {note: "write a dict: {'a': x}, or {k: v for …}"},
	"divmod":     {note: "write a list: [a // b, a % b]"},
	"enumerate":  {note: "call a Go function that returns each element with its index"},
	"eval":       {note: evaluationHelp, notInGo: true},
	"exec":       {note: "neither a lambda nor Go can run code in a string: write what that code does as a Go function, and call the function instead of exec", notInGo: true},
	"filter":     {note: "write a list comprehension: [… for x in xs if …]"},
	"format":     {write: "f'{a:.2f}'"},
	"isinstance": {note: "leave out the test: the note of an argument gives it one type"},
	"list":       {note: "write a list: [a, b], or [… for x in xs]"},
	"map":        {note: "write a list comprehension: [… for x in xs]"},
	"pow":        {note: "write pow(a, b) with two numbers, or pow(a, b, n) with three integers"},
	"print":      {note: "leave out print: the value of the lambda is its result"},
	"reversed":   {note: "write a slice: xs[::-1]"},
	"set":        {note: "call a Go function that removes duplicates"},
	"type":       {note: "call a Go function that tests the type of an any"},
	"zip":        {note: "call a Go function that pairs the elements"},
}

// evaluationHelp is the help for functions such as eval, which take an expression as a string.
const evaluationHelp = "neither a lambda nor Go can run code in a string: write the expression itself, with an argument for each value in it, for example lambda a, b: a + b"

// methodReplacements maps methods to replacements, by the kind of the receiver. It includes methods of other
// languages, such as toLowerCase.
var methodReplacements = map[ir.Kind]map[string]replacement{
	ir.List: {
		"append":   {write: "xs + [x]", note: "which is a new list"},
		"copy":     {write: "xs[:]"},
		"count":    {write: "len([y for y in xs if y == x])"},
		"extend":   {write: "xs + ys", note: "which is a new list"},
		"filter":   {write: "[y for y in xs if y]"},
		"includes": {write: "x in xs"},
		"index":    {write: "next((k for k, y in enumerate(xs) if y == x), None)", note: "which is None if no element is equal"},
		"insert":   {write: "xs[:a] + [x] + xs[a:]", note: "which is a new list"},
		"length":   {write: "len(xs)"},
		"map":      {write: "[str(y) for y in xs]"},
		"pop":      {write: "xs[-1]", note: "which leaves the list unchanged"},
		"push":     {write: "xs + [x]"},
		"remove":   {write: "[y for y in xs if y != x]", note: "which removes all equal elements"},
		"reverse":  {write: "xs[::-1]", note: "which is a new list"},
		"sort":     {write: "sorted(xs)", note: "which is a new list"},
	},
	ir.Dict: {
		"copy":       {write: "d"},
		"items":      {write: "[[k, d[k]] for k in d]"},
		"keys":       {write: "[k for k in d]"},
		"pop":        {write: "d['a']", more: "d.get('a', b)", note: "which leaves the dict unchanged"},
		"setdefault": {write: "d.get('a')", more: "d.get('a', b)", note: "which leaves the dict unchanged"},
		"update":     {write: "{**d, **x}", note: "which is a new dict"},
		"values":     {write: "[d[k] for k in d]"},
	},
	ir.Float: {
		"is_integer": {write: "p % 1 == 0"},
	},
	ir.Str: {
		"charAt":      {write: "s[a]"},
		"contains":    {write: "t in s"},
		"decode":      {note: "leave out decode: a str is text already"},
		"encode":      {note: "lambdas support strings but not bytes: write a Go function that takes a string and converts it with []byte(s), and call it here"},
		"endsWith":    {write: "s.endswith(t)"},
		"format_map":  {note: "name the values instead: s.format(a=…, b=…)"},
		"includes":    {write: "t in s"},
		"indexOf":     {write: "s.find(t)"},
		"isascii":     {write: "all(ord(y) < 128 for y in s)"},
		"isprintable": {note: "call a Go function that uses unicode.IsPrint"},
		"len":         {write: "len(s)"},
		"length":      {write: "len(s)"},
		"startsWith":  {write: "s.startswith(t)"},
		"substring":   {write: "s[a:b]"},
		"toLowerCase": {write: "s.lower()"},
		"translate":   {note: "call a Go function that uses strings.NewReplacer: a translation table maps code points, and dicts here have strings as keys"},
		"toUpperCase": {write: "s.upper()"},
		"trim":        {write: "s.strip()"},
	},
}

// methodReplacement returns the replacement for a method of values of kind k. If k is Any, it returns the first one
// that has this method name.
func methodReplacement(k ir.Kind, method string) replacement {
	if k != ir.Any {
		return methodReplacements[k][method]
	}
	for _, k := range []ir.Kind{ir.Str, ir.List, ir.Dict} {
		if found, ok := methodReplacements[k][method]; ok {
			return found
		}
	}
	return replacement{}
}

// functionReplacement returns the replacement for a Python function.
func functionReplacement(name string) replacement { return functionReplacements[name] }
