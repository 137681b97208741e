package main

import (
	"encoding/json"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// findLosses compares the parameters of each function, and the fields of structs that it takes, with the
// schema of its tool. It records those that the tool does not take, and whether a warning reports them.
func (m module) findLosses(o *outcome) error {
	names, err := m.readFunctions(o)
	if err != nil {
		return err
	}
	warnings, err := m.readWarnings()
	if err != nil {
		return err
	}
	for _, t := range o.bound {
		i := slices.IndexFunc(o.tried, func(f function) bool { return f.name == names[t.Name] })
		if i < 0 {
			continue
		}
		c := comparison{properties: map[string]any{}, pkg: o.tried[i].Pkg()}
		if err := json.Unmarshal(t.Input, &c.root); err != nil {
			return err
		}
		c.readSchema(t)
		o.addLosses(names[t.Name], c.compareParams(o.tried[i].Signature()), warnings[t.Name], c.pkg)
	}
	return nil
}

// addLosses adds the arguments that a function loses. Text holds the warnings about them, which mention some by name
// and may count others.
func (o *outcome) addLosses(function string, all []lostArgument, text string, pkg *types.Package) {
	more := countMore(text)
	for _, lost := range all {
		line := function + ": " + lost.name + " " + types.TypeString(lost.goType, types.RelativeTo(pkg))
		switch {
		case mentionsName(text, lost.name):
			o.Lost = append(o.Lost, line)
		case more > 0:
			o.Lost = append(o.Lost, line)
			more--
		default:
			o.Silent = append(o.Silent, line)
		}
	}
}

// countMore returns how many lost arguments a text counts instead of mentioning them.
func countMore(text string) (more int) {
	for _, found := range countedMembers.FindAllStringSubmatch(text, -1) {
		n, err := strconv.Atoi(found[1])
		if err == nil {
			more += n
		}
	}
	return more
}

var countedMembers = regexp.MustCompile(`and (\d+) more of \d+ members`)

// readWarnings returns the warnings about lost arguments, by the names of the tools. They are those of aiongen
// check, and the TODOs in the draft, which fail check as well.
func (m module) readWarnings() (map[string]string, error) {
	warnings := map[string]string{}
	out, err := m.runCommand("check", m.program, "check", "-format", "json")
	if err != nil && len(out) == 0 { // it fails because of warnings, but prints them
		return nil, err
	}
	var faults []fault
	if len(out) > 0 {
		if err := json.Unmarshal(out, &faults); err != nil {
			return nil, err
		}
	}
	for _, f := range faults {
		if name, text, ok := strings.Cut(f.Message, ": "); ok && f.Code == "lost-value" && f.Severity == "warning" {
			warnings[name] += text
		}
	}
	text, err := os.ReadFile(filepath.Join(m.dir, aionFile))
	for element := range strings.SplitSeq(string(text), "\n  {\n") {
		if found := draftElement.FindStringSubmatch(element); found != nil {
			warnings[found[1]] += strings.Join(lossTODO.FindAllString(element, -1), " ")
		}
	}
	return warnings, err
}

var lossTODO = regexp.MustCompile(`TODO: (?:JSON cannot carry|only= leaves out) [^:]*:`)

// mentionsName reports whether a text has the last part of a name as a word.
func mentionsName(text, name string) bool {
	name = simplifyName(name[strings.LastIndexByte(name, '.')+1:])
	return slices.ContainsFunc(regexp.MustCompile(`\W+`).Split(text, -1), func(word string) bool { return simplifyName(word) == name })
}

// simplifyName returns a name without the differences between Go and JSON.
func simplifyName(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
}

// A comparison compares a function with the schema of its tool.
type comparison struct {
	root       map[string]any
	properties map[string]any // of the arguments, by simplified name
	pkg        *types.Package
}

// A lostArgument is a parameter, or a field of one, that the schema lacks.
type lostArgument struct {
	name   string
	goType types.Type
}

// readSchema reads the properties of the arguments, including references.
func (c *comparison) readSchema(t listedTool) {
	for _, a := range t.Arguments {
		c.properties[simplifyName(a.Name)] = true
	}
	for name, schema := range c.readProperties(c.root) {
		c.properties[name] = schema
	}
}

// readProperties returns the properties of a schema by simplified name, nil if it does not list them.
func (c *comparison) readProperties(schema any) map[string]any {
	for range 8 { // of references and unions with null
		s, _ := schema.(map[string]any)
		if ref, ok := s["$ref"].(string); ok {
			schema = schemaWalk{root: c.root}.resolveRef(ref)
			continue
		}
		if list, ok := s["anyOf"].([]any); ok && len(list) > 0 {
			schema = list[0]
			continue
		}
		properties, ok := s["properties"].(map[string]any)
		if !ok {
			return nil
		}
		simplified := map[string]any{}
		for name, property := range properties {
			simplified[simplifyName(name)] = property
		}
		return simplified
	}
	return nil
}

// compareParams returns the parameters of a function, and the fields of its parameters, that the schema
// lacks.
func (c *comparison) compareParams(sig *types.Signature) (lost []lostArgument) {
	for i := range sig.Params().Len() {
		p := sig.Params().At(i)
		t := p.Type()
		if takesOptions(sig, i) || !carriesData(t) {
			continue
		}
		property, found := c.properties[simplifyName(p.Name())]
		fields := structFields(t)
		switch {
		case found && fields != nil && !hasCodec(t):
			if properties := c.readProperties(property); properties != nil {
				lost = append(lost, missingFields(p.Name()+".", fields, properties)...)
			}
		case found || p.Name() == "" || p.Name() == "_":
		case fields != nil && (!hasCodec(t) || len(missingFields("", fields, c.properties)) < len(fields)): // its fields are arguments
			lost = append(lost, missingFields("", fields, c.properties)...)
		default:
			lost = append(lost, lostArgument{p.Name(), t})
		}
	}
	return lost
}

// takesOptions reports whether a parameter takes functional options.
func takesOptions(sig *types.Signature, i int) bool {
	return sig.Variadic() && i == sig.Params().Len()-1 && isOption(sig.Params().At(i).Type().(*types.Slice).Elem())
}

// missingFields returns the fields that properties lack.
func missingFields(prefix string, fields []lostArgument, properties map[string]any) (lost []lostArgument) {
	for _, f := range fields {
		if _, ok := properties[simplifyName(f.name)]; !ok {
			lost = append(lost, lostArgument{prefix + f.name, f.goType})
		}
	}
	return lost
}

// isOption reports whether a variadic parameter of a type takes functional options: functions, or values of an
// interface that functions return. It also reports true if nothing implements the interface.
func isOption(t types.Type) bool {
	if _, ok := t.Underlying().(*types.Signature); ok {
		return true
	}
	if !types.IsInterface(t) || isEmptyInterface(t) {
		return false
	}
	isReturned, isImplemented := false, false
	for _, pkg := range declaringPackages(t) {
		for _, name := range pkg.Scope().Names() {
			switch obj := pkg.Scope().Lookup(name).(type) {
			case *types.Func:
				results := obj.Signature().Results()
				isReturned = isReturned || obj.Exported() && results.Len() == 1 && types.AssignableTo(results.At(0).Type(), t)
			case *types.TypeName:
				isImplemented = isImplemented || obj.Exported() && implements(obj.Type(), t)
			}
		}
	}
	return isReturned || !isImplemented
}

// implements reports whether a concrete type, or a pointer to it, implements an interface.
func implements(t, i types.Type) bool {
	return !types.IsInterface(t) && (types.AssignableTo(t, i) || types.AssignableTo(types.NewPointer(t), i))
}

func isEmptyInterface(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.NumMethods() == 0
}

// declaringPackages returns the packages that declare a type and the aliases by which it is written.
func declaringPackages(t types.Type) (all []*types.Package) {
	for {
		var pkg *types.Package
		alias, isAlias := t.(*types.Alias)
		if isAlias {
			pkg, t = alias.Obj().Pkg(), alias.Rhs()
		} else if named, ok := t.(*types.Named); ok {
			pkg = named.Obj().Pkg()
		}
		if pkg != nil {
			all = append(all, pkg)
		}
		if !isAlias {
			return all
		}
	}
}

// carriesData reports whether values of a type are data. Functions, channels, contexts and structs without
// exported fields are not.
func carriesData(t types.Type) bool {
	if types.TypeString(t, nil) == "context.Context" {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Signature, *types.Chan:
		return false
	case *types.Pointer:
		return carriesData(u.Elem())
	case *types.Slice:
		return carriesData(u.Elem())
	case *types.Map:
		return carriesData(u.Elem())
	case *types.Struct:
		return hasCodec(t) || slices.ContainsFunc(slices.Collect(u.Fields()), (*types.Var).Exported)
	}
	return true
}

// hasCodec reports whether a type, or the type that a pointer points to, defines its own JSON.
func hasCodec(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	methods := types.NewMethodSet(types.NewPointer(t))
	return slices.ContainsFunc([]string{"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText"}, func(name string) bool {
		return methods.Lookup(nil, name) != nil
	})
}

// structFields returns the fields of a struct, or of the struct that a pointer points to, with their names in
// requests. It returns nil for other types.
func structFields(t types.Type) (fields []lostArgument) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for i := range st.NumFields() {
		f, tag := st.Field(i), reflect.StructTag(st.Tag(i))
		name := requestName(f.Name(), tag)
		switch {
		case f.Embedded():
			fields = append(fields, structFields(f.Type())...)
		case tag.Get("protobuf_oneof") != "":
			fields = append(fields, oneofFields(f)...)
		case f.Exported() && name != "" && carriesData(f.Type()):
			fields = append(fields, lostArgument{name, f.Type()})
		}
	}
	return fields
}

// requestName returns the name of a field in requests, "" if it is not part of them.
func requestName(name string, tag reflect.StructTag) string {
	for _, key := range []string{"json", "query", "path", "form", "url"} {
		value, ok := tag.Lookup(key)
		tagged, _, _ := strings.Cut(value, ",")
		switch {
		case !ok:
		case tagged == "-":
			name = ""
		case tagged != "":
			return tagged
		}
	}
	return name
}

// oneofFields returns the alternatives of a field that is a oneof of a protobuf message. They are structs that
// implement the type of the field.
func oneofFields(oneof *types.Var) (fields []lostArgument) {
	i, ok := oneof.Type().Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	scope := oneof.Pkg().Scope()
	for _, name := range scope.Names() {
		t := scope.Lookup(name).Type()
		st, ok := t.Underlying().(*types.Struct)
		if ok && st.NumFields() == 1 && types.Implements(types.NewPointer(t), i) {
			fields = append(fields, lostArgument{st.Field(0).Name(), st.Field(0).Type()})
		}
	}
	return fields
}
