// Package model provides the types in which bind passes a package to emit: its tools, their
// functions and types, and every name that is printed. It needs no type checker or parser.
package model

// Package is one package of generated code.
type Package struct {
	Path, Name string   // of the package that the generated files belong to
	Source     string   // relative path from the generated files to the .aion files: "", or "../tools/"
	Imports    []Import // every package that generated code may name, sorted by path
	Files      []File   // sorted by the name of the .aion file
	Deps       []*Dep   // in the order of first use

	Prompts *Prompts // nil if the .aion files have none

	// Local maps a name of LocalNames to the name that generated functions use instead. It has an entry
	// where the usual name would shadow something that they refer to.
	Local map[string]string
}

// LocalNames are the usual names of parameters and variables in generated functions.
var LocalNames = []string{
	"a", "all", "call", "cancel", "ctx", "d", "data", "e", "err", "in", "items", "lead", "logger", "o", "page", "pages", "payload", "query",
	"r", "scope", "store", "t", "text", "v", "variant", "x",
}

// Tools returns the tools of all files, in order.
func (p *Package) Tools() []*Tool {
	var tools []*Tool
	for i := range p.Files {
		tools = append(tools, p.Files[i].Tools...)
	}
	return tools
}

// Notes returns the notes on all tools.
func (p *Package) Notes() (notes []string) {
	for _, t := range p.Tools() {
		notes = append(notes, t.Notes...)
	}
	return notes
}

// Import is a package and its name in generated code.
type Import struct {
	Path, Name string
	Renamed    bool // Name differs from the package's own name
}

// Prompts holds the texts of .aion files that do not belong to a tool.
type Prompts struct {
	Base   string // the system prompt without the rules
	System string // the system prompt with the rules
	Rules  []string
	Query  []Segment // the template of a wrapped query
}

// Segment is a piece of a template: text, or a placeholder for the user's query or for the payload.
type Segment struct {
	Text           string
	Query, Payload bool
}

// File is the generated counterpart of one .aion file.
type File struct {
	Name       string  // users.aion.go
	Source     string  // the .aion file, slash-separated, relative to the generated file
	Tools      []*Tool // in source order
	Types      []*Type // types whose readers and writers are in this file
	Enums      []*Type // types whose tables of values are in this file
	Matches    []*Type // types whose patterns are in this file
	Converters []Converter

	// Definitions and constants that the schemas were derived from. Generated code repeats them, so that the
	// Go compiler reports an error if they change.
	Structs   []PinnedStruct
	Constants []PinnedConst
}

// A Converter is a generated variable with the two functions that convert between Type and Form, the Go type
// that represents it in JSON.
type Converter struct {
	Name       string
	Type, Form GoType
	Package    string // path of the package that declares the functions
}

// PinnedConst is a constant that schemas list as an allowed value.
type PinnedConst struct{ Path, Name, Value string } // Value is JSON

// Dep is a field of Deps: a receiver or a parameter that the application supplies.
type Dep struct {
	Field   string
	Type    GoType
	Need    string // why the first tool needs it: "find is a method of it"
	Nilable bool   // the field can be nil, which generated code reports as an error
}
