package scaffold

import (
	"cmp"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/source"
	"github.com/aiongen/aiongen/internal/words"
)

// A candidate is a function that a pattern matches.
type candidate struct {
	*types.Func
	holder *types.TypeName // the type of a method, nil for a function
	doc    string
}

// A helperKind is a kind of functions that belong to an API but do none of its work, such as accessors.
// Patterns that match everything leave them out.
type helperKind struct {
	plural  string // for a note
	matches func(*helperSearch, candidate) bool
}

// helperKinds are tried in order.
var helperKinds = []helperKind{
	{"deprecated functions", func(_ *helperSearch, c candidate) bool { return deprecatedParagraph.MatchString(c.doc) }},
	{"functions that panic (Must…)", func(_ *helperSearch, c candidate) bool { return cutWord(c.Name(), "Must") != "" }},
	{"methods of protobuf messages and enums", isProtoMethod},
	{"methods of fmt, errors, encoding and database/sql", isStandardMethod},
	{"functions that take raw SQL", takesSQL},
	{"accessors", isAccessor},
	{"setters", isSetter},
	{"steps of builders", isBuilderStep},
	{"functions that return options, callbacks or pointers to their argument", returnsOption},
	{"functions that take or build HTTP requests", isHTTPPlumbing},
	{"constructors of clients", constructsClient},
	{"methods that exist in another form", isOtherForm},
}

var deprecatedParagraph = regexp.MustCompile(`(?:^|\n)(?:Deprecated|DEPRECATED):`)

// cutWord returns the part of a Go name after a word: cutWord("MustParse", "Must") is "Parse". It returns
// "" if the name does not begin with that word, as for "Mustard".
func cutWord(name, word string) string {
	rest, ok := strings.CutPrefix(name, word)
	if r, _ := utf8.DecodeRuneInString(rest); !ok || !unicode.IsUpper(r) && !unicode.IsDigit(r) {
		return ""
	}
	return rest
}

// withoutHelpers returns the functions that do the work of an API. It records the other ones by kind.
func (s *scaffold) withoutHelpers(pkg *load.Package, functions []Function) []Function {
	docs := source.NewDocReader(pkg).PackageDoc(pkg.Types)
	search := &helperSearch{pkg, s.paths, map[*types.TypeName]bool{}}
	return slices.DeleteFunc(functions, func(f Function) bool {
		c, ok := findCandidate(pkg, docs, f.Name)
		kind := slices.IndexFunc(helperKinds, func(k helperKind) bool { return ok && k.matches(search, c) })
		if kind >= 0 {
			s.helpers[kind] = append(s.helpers[kind], f.Name)
		}
		return kind >= 0
	})
}

// noteHelpers notes which helpers were left out, in one line for each kind.
func (s *scaffold) noteHelpers(chosen map[string]bool) {
	for i, k := range helperKinds {
		names := slices.DeleteFunc(s.helpers[i], func(name string) bool { return chosen[withoutPointer(name)] })
		slices.Sort(names)
		if names = slices.Compact(names); len(names) > 0 {
			s.faults.Notef("helper-functions", diag.Span{}, "left out %s (%d): %s", k.plural, len(names), words.Join(names, ", ", maxListedHelpers)).
				WithHelp("to include them, use the flag -helpers or name them")
		}
	}
}

// maxListedHelpers limits how many functions of a kind a note lists.
const maxListedHelpers = 3

// findCandidate returns the function or method with a name that listFunctions has returned.
func findCandidate(pkg *load.Package, docs *source.PackageDoc, name string) (c candidate, ok bool) {
	if c.Func = lookupFunction(pkg.Types, name); c.Func == nil {
		return c, false
	}
	holder, _, isMethod := strings.Cut(withoutPointer(name), ".")
	key := c.Name()
	if isMethod {
		c.holder, _ = pkg.Types.Scope().Lookup(holder).(*types.TypeName)
		declared, _ := receiverOf(c.Func)
		key = cmp.Or(declared, c.holder).Name() + "." + key
	}
	c.doc = docs.Text[key]
	return c, true
}

// isProtoMethod reports whether a function belongs to a message or an enum of Protocol Buffers, or
// to the part of gRPC that servers use.
func isProtoMethod(s *helperSearch, c candidate) bool {
	if c.holder == nil {
		return cutWord(c.Name(), "Register") != "" && anyVar(c.Signature().Params(), fromPackage("google.golang.org/grpc"))
	}
	for _, method := range []string{"ProtoReflect", "ProtoMessage", "EnumDescriptor"} {
		if s.hasMethod(c.holder, method) {
			return true
		}
	}
	return cutWord(c.holder.Name(), "Unimplemented") != "" && strings.HasSuffix(c.holder.Name(), "Server")
}

// standardMethods are the methods of interfaces of the standard library that say how a value is
// printed, compared, read or written, with the number of their parameters.
var standardMethods = map[string]int{
	"String": 0, "GoString": 0, "Error": 0, "Unwrap": 0, "Is": 1, "As": 1, "Format": 2, "Scan": 1, "LogValue": 0,
	"MarshalJSON": 0, "UnmarshalJSON": 1, "MarshalText": 0, "UnmarshalText": 1, "MarshalBinary": 0, "UnmarshalBinary": 1, "AppendText": 1, "AppendBinary": 1,
	"MarshalXML": 2, "UnmarshalXML": 2, "MarshalYAML": 0, "UnmarshalYAML": 1, "GobEncode": 0, "GobDecode": 1,
	"MarshalJSONTo": 1, "UnmarshalJSONFrom": 1, "Len": 0, "Less": 2, "Swap": 2, "MarshalBSONValue": 0, "UnmarshalBSONValue": 2, "EncodeValues": 2,
}

// isStandardMethod reports whether a method is one of standardMethods or of a database driver.
func isStandardMethod(s *helperSearch, c candidate) bool {
	if c.holder == nil {
		return false
	}
	sig := c.Signature()
	driver := fromPackage("database/sql/driver")
	if anyVar(sig.Params(), driver) || anyVar(sig.Results(), driver) {
		return true
	}
	count, ok := standardMethods[c.Name()]
	if !ok || count != sig.Params().Len() || sig.Variadic() {
		return false
	}
	switch c.Name() {
	case "Is", "As", "Unwrap":
		return s.hasMethod(c.holder, "Error")
	case "Scan":
		return types.IsInterface(sig.Params().At(0).Type()) && returnsError(sig)
	}
	return true
}

// sqlMethod matches the names of methods that take a statement of SQL.
var sqlMethod = regexp.MustCompile(`^(?:Named)?(?:Exec|Query|QueryRow|Queryx|QueryRowx|Prepare|Preparex|Select|Get|Raw|MustExec)(?:Context)?$`)

// takesSQL reports whether a method takes SQL. Such a method has one of the usual names and takes a
// string. In addition, it takes any number of values, or returns a database type such as Rows.
func takesSQL(_ *helperSearch, c candidate) bool {
	sig := c.Signature()
	if !sqlMethod.MatchString(c.Name()) || !anyVar(sig.Params(), func(t types.Type) bool { return isBasic(t, types.IsString) }) {
		return false
	}
	if sig.Variadic() {
		elem := sig.Params().At(sig.Params().Len() - 1).Type().(*types.Slice).Elem()
		if i, ok := elem.Underlying().(*types.Interface); ok && i.Empty() {
			return true
		}
	}
	return anyVar(sig.Results(), func(t types.Type) bool {
		named := namedOf(t)
		return named != nil && slices.Contains([]string{"Rows", "Row", "Result", "Stmt", "CommandTag", "StatementDescription"}, named.Obj().Name())
	})
}

// isAccessor reports whether a method without arguments returns a field of its struct: Name,
// GetName, GetNameOk or HasName.
func isAccessor(_ *helperSearch, c candidate) bool {
	sig := c.Signature()
	if c.holder == nil || sig.Params().Len() > 0 || sig.Results().Len() == 0 || sig.Results().Len() > 2 || returnsError(sig) {
		return false
	}
	result := sig.Results().At(0).Type()
	getter := cutWord(c.Name(), "Get")
	return hasField(c.holder, c.Name(), result) || hasField(c.holder, getter, result) ||
		hasField(c.holder, strings.TrimSuffix(getter, "Ok"), result) || hasField(c.holder, cutWord(c.Name(), "Has"), nil)
}

// isSetter reports whether a method with at most one argument changes a field of its struct:
// SetName, SetNameNil, UnsetName or ClearName.
func isSetter(_ *helperSearch, c candidate) bool {
	sig := c.Signature()
	if c.holder == nil || sig.Params().Len() > 1 || returnsError(sig) {
		return false
	}
	setter := cutWord(c.Name(), "Set")
	if sig.Params().Len() == 1 {
		return hasField(c.holder, setter, sig.Params().At(0).Type())
	}
	return hasField(c.holder, strings.TrimSuffix(setter, "Nil"), nil) || hasField(c.holder, cutWord(c.Name(), "Unset"), nil) || hasField(c.holder, cutWord(c.Name(), "Clear"), nil)
}

// hasField reports whether a struct type has a field with a name, ignoring case, and a type that fits t. A
// type fits if it is assignable to t, is a pointer to t, or is the type that t points to. If t is nil, all
// types fit.
func hasField(holder *types.TypeName, name string, t types.Type) bool {
	s, ok := holder.Type().Underlying().(*types.Struct)
	if !ok || name == "" {
		return false
	}
	pointsTo := func(p, t types.Type) bool {
		pointer, ok := types.Unalias(p).(*types.Pointer)
		return ok && types.Identical(pointer.Elem(), t)
	}
	for field := range s.Fields() {
		if strings.EqualFold(strings.TrimSuffix(field.Name(), "_"), name) {
			return t == nil || types.Identical(field.Type(), t) || pointsTo(field.Type(), t) || pointsTo(t, field.Type()) || types.AssignableTo(field.Type(), t)
		}
	}
	return false
}

// isBuilderStep reports whether a method of a struct returns only a value of the same type, as the steps
// of a builder do. Methods of types with a text form, such as decimal numbers, do not count.
func isBuilderStep(s *helperSearch, c candidate) bool {
	sig := c.Signature()
	if c.holder == nil || sig.Results().Len() != 1 {
		return false
	}
	named := namedOf(sig.Results().At(0).Type())
	if named == nil || named.Obj() != c.holder || takesContext(sig) {
		return false
	}
	_, isStruct := named.Underlying().(*types.Struct)
	return isStruct && !s.hasMethod(c.holder, "MarshalText")
}

// returnsOption reports whether a function only returns a function, or a pointer to its argument.
func returnsOption(_ *helperSearch, c candidate) bool {
	sig := c.Signature()
	if sig.Results().Len() != 1 || takesContext(sig) {
		return false
	}
	result := types.Unalias(sig.Results().At(0).Type())
	if _, isFunc := result.Underlying().(*types.Signature); isFunc {
		return true
	}
	pointer, ok := result.(*types.Pointer)
	return ok && c.holder == nil && sig.Params().Len() == 1 && types.Identical(pointer.Elem(), sig.Params().At(0).Type())
}

// constructsClient reports whether a function such as New or NewClient returns a client: a pointer or
// interface with methods that may fail. The program constructs the client and passes it to the tools.
func constructsClient(s *helperSearch, c candidate) bool {
	sig := c.Signature()
	if c.holder != nil || takesContext(sig) || sig.Results().Len() == 0 || c.Name() != "New" && cutWord(c.Name(), "New") == "" {
		return false
	}
	result := sig.Results().At(0).Type()
	_, isPointer := types.Unalias(result).(*types.Pointer)
	named := namedOf(result)
	return named != nil && (isPointer || types.IsInterface(named)) && isService(named) && !s.hasMethod(named.Obj(), "MarshalText")
}

// isHTTPPlumbing reports whether a function takes a request or a response of HTTP, or builds a
// request.
func isHTTPPlumbing(_ *helperSearch, c candidate) bool {
	sig := c.Signature()
	is := func(names ...string) func(types.Type) bool {
		return func(t types.Type) bool {
			named := namedOf(t)
			return named != nil && fromPackage("net/http")(t) && slices.Contains(names, named.Obj().Name())
		}
	}
	return anyVar(sig.Params(), is("Request", "Response", "ResponseWriter", "Handler", "RoundTripper")) ||
		sig.Results().Len() > 0 && is("Request", "Handler", "HandlerFunc")(sig.Results().At(0).Type())
}

// isOtherForm reports whether a method is left out because another form of it is better:
//
//   - Client.List, if there is ClientWithResponses.ListWithResponse, which also reads the response
//   - ListWithMetadata, if there is List
//   - a method of an interface, if a struct implements the interface and no client has a field that leads to it
//   - a method of a struct, if a client has a field that leads to an interface with this method
func isOtherForm(s *helperSearch, c candidate) bool {
	if c.holder == nil {
		return false
	}
	if reader, ok := s.pkg.Types.Scope().Lookup(c.holder.Name() + "WithResponses").(*types.TypeName); ok && s.hasMethod(reader, c.Name()+"WithResponse") {
		return true
	}
	for _, suffix := range []string{"WithMetadata", "WithHTTPInfo", "WithHttpInfo"} {
		if base, ok := strings.CutSuffix(c.Name(), suffix); ok && s.hasMethod(c.holder, base) {
			return true
		}
	}
	return s.paths[c.holder] == "" && s.isImplemented(c.holder) || s.paths.isReachedOtherwise(c)
}

// A helperSearch classifies the functions of a package.
type helperSearch struct {
	pkg         *load.Package
	paths       clientPaths
	implemented map[*types.TypeName]bool // results of isImplemented, by interface
}

func (s *helperSearch) hasMethod(holder *types.TypeName, name string) bool {
	found, _, _ := types.LookupFieldOrMethod(holder.Type(), true, s.pkg.Types, name)
	_, ok := found.(*types.Func)
	return ok
}

// isImplemented reports whether an exported struct of the package implements an interface.
func (s *helperSearch) isImplemented(holder *types.TypeName) bool {
	iface, ok := holder.Type().Underlying().(*types.Interface)
	if !ok || iface.NumMethods() == 0 {
		return false
	}
	cached, ok := s.implemented[holder]
	if ok {
		return cached
	}
	s.implemented[holder] = findImplementation(s.pkg, iface) != nil
	return s.implemented[holder]
}

// findImplementation returns the first exported struct of a package that implements an interface,
// nil if there is none.
func findImplementation(pkg *load.Package, iface *types.Interface) *types.TypeName {
	scope := pkg.Types.Scope()
	for _, name := range scope.Names() {
		obj, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || !obj.Exported() || obj.IsAlias() {
			continue
		}
		if named, ok := obj.Type().(*types.Named); !ok || named.TypeParams().Len() > 0 {
			continue
		}
		if _, isStruct := obj.Type().Underlying().(*types.Struct); isStruct && types.Implements(types.NewPointer(obj.Type()), iface) {
			return obj
		}
	}
	return nil
}

// implementationDoc returns the comment of the method that implements a method of an interface, "" if
// there is none.
func implementationDoc(pkg *load.Package, docs *source.PackageDoc, fn *types.Func) string {
	if fn == nil || fn.Signature().Recv() == nil {
		return ""
	}
	iface, ok := fn.Signature().Recv().Type().Underlying().(*types.Interface)
	if !ok {
		return ""
	}
	if obj := findImplementation(pkg, iface); obj != nil {
		return docs.Text[obj.Name()+"."+fn.Name()]
	}
	return ""
}
