// Package model is the bound model: what the .aion files of a package and its
// Go code say together, resolved down to every name that will be printed.
// Binding builds it and emission prints it; nothing in it needs a type checker
// or a parser.
//
// Its layers, from top to bottom:
//
//	model, tool   a package, and a tool of it
//	type, gotype  types as JSON has them, and as Go does
//	refs          which types have references within
//	runtime       the names of the runtime that generated code uses
package model

// Package is one package of generated code.
type Package struct {
	Path, Name string   // of the package that the generated files belong to
	Source     string   // from the generated files to the .aion files: "", or "../tools/"
	Imports    []Import // every package that generated code may name, by path
	Files      []File   // in .aion name order
	Deps       []*Dep   // in the order of first use

	Prompts *Prompts // nil if the .aion files have none

	// Local gives the names of variables in generated functions, where the
	// usual one of Locals would hide something that they refer to.
	Local map[string]string
}

// Locals are the usual names of parameters and variables in generated functions.
var Locals = []string{
	"a", "all", "call", "ctx", "d", "data", "e", "err", "in", "lead", "logger", "o", "payload", "query", "r", "scope", "store",
	"t", "text", "v", "x",
}

// Tools returns the tools of all files, in order.
func (p *Package) Tools() []*Tool {
	var tools []*Tool
	for i := range p.Files {
		tools = append(tools, p.Files[i].Tools...)
	}
	return tools
}

// Notes returns those on all tools.
func (p *Package) Notes() (notes []string) {
	for _, t := range p.Tools() {
		notes = append(notes, t.Notes...)
	}
	return notes
}

// Import is a package and the name it goes by in generated code.
type Import struct {
	Path, Name string
	Renamed    bool // Name is not the package's own
}

// Prompts is what the .aion files say beside their elements.
type Prompts struct {
	Base   string // the system prompt without its rules
	System string // the same with them
	Rules  []string
	Query  []Segment // the template of a wrapped query
}

// Segment is a piece of a template: text, or a place for the user's query or
// for the payload.
type Segment struct {
	Text           string
	Query, Payload bool
}

// File is the generated counterpart of one .aion file.
type File struct {
	Name    string  // users.aion.go
	Source  string  // the .aion file, slash-separated, relative to the generated file
	Tools   []*Tool // in source order
	Types   []*Type // whose readers and writers are printed in this file
	Enums   []*Type // whose values are printed in this file
	Matches []*Type // whose patterns are printed in this file
}

// Dep is a field of Deps: a receiver or a parameter that the application supplies.
type Dep struct {
	Field   string
	Type    GoType
	Need    string // what the first tool needs it for: "find is a method of it"
	Nilable bool   // it may be nil, but must not
}
