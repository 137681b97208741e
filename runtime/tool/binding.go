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

// Binding records where a generated tool is declared and which function it calls.
type Binding struct {
	File string // .aion file, relative to its module, with slashes
	Line int    // line of the tool in File, counted from 1

	function atomic.Uintptr // entry point of the function; 0 if it is unknown
}

// BindFunction records the function that the generated tool calls, for [Definition.FunctionPlace], and returns d.
// Only generated code calls it.
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
// "shop/orders.go:40". The file is relative to the module of the tool. For a function of another module, it
// begins with the import path of the package. FunctionPlace returns "" if the tool does not call a declared
// function, or calls one that generated code cannot name, such as a method of an interface.
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
	dir := packagePath(fn.Name())
	if dir == "main" {
		dir = d.Package // functions of package main can only be called by code in the same package
	}
	if module := moduleOf(d.Package); dir == module {
		dir = ""
	} else if module != "" {
		dir = strings.TrimPrefix(dir, module+"/")
	}
	// The directory in file depends on whether the program was built with -trimpath.
	return path.Join(dir, file[strings.LastIndexAny(file, `/\`)+1:]) + ":" + strconv.Itoa(line)
}

// packagePath returns the import path in the name of a function, such as "example.com/shop" for
// "example.com/shop.(*Store).Find". The name contains %2e for each dot in the last element of the path.
func packagePath(function string) string {
	base := strings.LastIndexByte(function, '/') + 1
	if end := strings.IndexByte(function[base:], '.'); end >= 0 {
		function = function[:base+end]
	}
	return unescapePercent(function)
}

// moduleOf returns the path of the module that contains a package, or "" if it is unknown.
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
