// Package instead is what a lambda can hold in the place of what it cannot.
package instead

import (
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
)

// Advice is what a lambda can hold in the place of something that it cannot.
type Advice struct {
	write string // an expression; empty if there is none
	note  string // what is different about it, or what else to do
}

// Helps adds what to write; it reports whether there is something.
func (i Advice) Helps(d *diag.Diagnostic) bool {
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

// functions is for functions of Python. In the expressions of these tables s and
// t are texts, xs and ys lists, d is a dict, a and b are integers, and x is anything.
var functions = map[string]Advice{
	"chr":        {note: "call a Go function that returns string(rune(n))"},
	"dict":       {write: "{'a': x}"},
	"divmod":     {write: "[a // b, a % b]"},
	"enumerate":  {note: "call a Go function that returns each element with its index"},
	"filter":     {write: "[y for y in xs if y]"},
	"format":     {write: "f'{a:.2f}'"},
	"isinstance": {note: "give the argument one type in its note"},
	"list":       {write: "[y for y in xs]"},
	"map":        {write: "[str(y) for y in xs]"},
	"ord":        {note: "call a Go function that returns int([]rune(s)[0])"},
	"pow":        {write: "a ** b"},
	"range":      {write: "[y for y in xs]", note: "which needs no index; for numbers, call a Go function that returns them"},
	"repr":       {write: "str(x)", note: "which is the same unless x is a str"},
	"reversed":   {write: "xs[::-1]"},
	"set":        {note: "call a Go function that drops what is there twice"},
	"tuple":      {write: "[a, b]"},
	"type":       {note: "give the argument one type in its note"},
	"zip":        {note: "call a Go function that pairs the elements"},
}

// methods is for methods of lists, dicts and strings, and for what other
// languages call them.
var methods = map[kind.Kind]map[string]Advice{
	kind.List: {
		"append":   {write: "xs + [x]"},
		"copy":     {write: "xs[:]"},
		"count":    {write: "len([y for y in xs if y == x])"},
		"extend":   {write: "xs + ys"},
		"filter":   {write: "[y for y in xs if y]"},
		"includes": {write: "x in xs"},
		"index":    {note: "call a Go function that calls slices.Index"},
		"insert":   {write: "xs[:a] + [x] + xs[a:]"},
		"length":   {write: "len(xs)"},
		"map":      {write: "[str(y) for y in xs]"},
		"pop":      {write: "xs[-1]", note: "and xs[:-1] for the others"},
		"push":     {write: "xs + [x]"},
		"remove":   {write: "[y for y in xs if y != x]", note: "which removes all that are equal"},
		"reverse":  {write: "xs[::-1]"},
		"sort":     {write: "sorted(xs)"},
	},
	kind.Dict: {
		"copy":   {write: "d"},
		"get":    {write: "d['a'] if 'a' in d else None"},
		"items":  {write: "[[k, d[k]] for k in d]"},
		"keys":   {write: "[k for k in d]"},
		"pop":    {write: "d['a']"},
		"update": {note: "call a Go function that calls maps.Copy"},
		"values": {write: "[d[k] for k in d]"},
	},
	kind.Str: {
		"capitalize":   {write: "s[:1].title() + s[1:].lower()"},
		"charAt":       {write: "s[a]"},
		"contains":     {write: "t in s"},
		"endsWith":     {write: "s.endswith(t)"},
		"includes":     {write: "t in s"},
		"index":        {write: "s.find(t)", note: "which is -1 where there is none"},
		"indexOf":      {write: "s.find(t)"},
		"isdigit":      {write: "s != '' and s.strip('0123456789') == ''", note: "which knows no other digits"},
		"len":          {write: "len(s)"},
		"length":       {write: "len(s)"},
		"ljust":        {write: "s + ' ' * (a - len(s))"},
		"partition":    {write: "s.split(t, 1)", note: "which is without the separator"},
		"removeprefix": {write: "s[len(t):] if s.startswith(t) else s"},
		"removesuffix": {write: "s[:len(s) - len(t)] if s.endswith(t) else s"},
		"rjust":        {write: "' ' * (a - len(s)) + s"},
		"splitlines":   {write: "s.split('\\n')", note: "which knows one end of a line, and finds a line behind the last one"},
		"startsWith":   {write: "s.startswith(t)"},
		"substring":    {write: "s[a:b]"},
		"toLowerCase":  {write: "s.lower()"},
		"toUpperCase":  {write: "s.upper()"},
		"trim":         {write: "s.strip()"},
		"zfill":        {write: "'0' * (a - len(s)) + s", note: "for a text without a sign"},
	},
}

// Of is what to write in the place of a method of values of a kind. Of what is
// known when it is there, the name tells the kind.
func Of(k kind.Kind, method string) Advice {
	if k != kind.Any {
		return methods[k][method]
	}
	for _, k := range []kind.Kind{kind.Str, kind.List, kind.Dict} {
		if found, ok := methods[k][method]; ok {
			return found
		}
	}
	return Advice{}
}

// OfFunction is what to write in the place of a function of Python.
func OfFunction(name string) Advice { return functions[name] }

// Expressions are those that messages say to write.
func Expressions() (list []string) {
	tables := []map[string]Advice{functions}
	for _, table := range methods {
		tables = append(tables, table)
	}
	for _, table := range tables {
		for _, advice := range table {
			if advice.write != "" {
				list = append(list, advice.write)
			}
		}
	}
	return list
}
