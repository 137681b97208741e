package tool

import (
	"path"
	"reflect"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// Binding says where a generated tool is declared.
type Binding struct {
	File string // .aion file, relative to its module, with slashes
	Line int    // line of the tool in File, counted from 1

	function atomic.Uintptr // entry of the function that the tool calls; 0 if it is unknown
}

// BindFunction records which function the generated tool calls, for FunctionPlace, and returns d. Generated code
// calls it.
func (d *Definition) BindFunction(function any) *Definition {
	d.Binding.function.Store(reflect.ValueOf(function).Pointer())
	return d
}

// NotePlace returns the file and line where a generated tool is declared, such as "shop/orders.aion:12". The
// file is relative to its module. It returns "" for other tools.
func (d Definition) NotePlace() string {
	if d.Binding == nil {
		return ""
	}
	return d.Binding.File + ":" + strconv.Itoa(d.Binding.Line)
}

// FunctionPlace returns the file and line of the function that a generated tool calls, such as
// "shop/orders.go:40". The file is relative to the module of the tool; in other modules it begins with the
// import path of its package. It returns "" if the tool calls no declared function, or one that generated code cannot
// name, such as a method of an interface.
func (d Definition) FunctionPlace() string {
	if d.Binding == nil {
		return ""
	}
	entry := d.Binding.function.Load()
	fn := runtime.FuncForPC(entry)
	if fn == nil {
		return ""
	}
	file, line := fn.FileLine(entry)
	dir := importPathOf(fn.Name())
	if dir == "main" {
		dir = d.Package // only generated code in package main can call its functions
	}
	if module := moduleOf(d.Package); dir == module {
		dir = ""
	} else if module != "" {
		dir = strings.TrimPrefix(dir, module+"/")
	}
	// Programs are built with or without the option -trimpath, so only the base of file is certain.
	return path.Join(dir, file[strings.LastIndexAny(file, `/\`)+1:]) + ":" + strconv.Itoa(line)
}

// importPathOf returns the import path in the name of a function, such as "example.com/shop.(*Store).Find". In the
// last element of the path, the name has %2e for each dot.
func importPathOf(function string) string {
	base := strings.LastIndexByte(function, '/') + 1
	if end := strings.IndexByte(function[base:], '.'); end >= 0 {
		function = function[:base+end]
	}
	return strings.ReplaceAll(function, "%2e", ".")
}

// moduleOf returns the path of the module that contains a package, or "" if the program does not know.
func moduleOf(importPath string) (module string) {
	for _, m := range buildModules() {
		if len(m) > len(module) && strings.HasPrefix(importPath+"/", m+"/") {
			module = m
		}
	}
	return module
}

// buildModules returns the paths of the modules that the program was built from.
var buildModules = sync.OnceValue(func() (paths []string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path != "" {
			paths = append(paths, m.Path)
		}
	}
	return paths
})
