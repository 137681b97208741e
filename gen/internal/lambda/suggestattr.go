package lambda

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// placeholder matches the names in the expressions of methodReplacements that are replaced with parts of the call.
var placeholder = regexp.MustCompile(`'a'|\b(?:xs|ys|x|s|t|d|a|b|p|y|k)\b`)

// helpMethod adds help to d about what to write instead of a method call f(args). If args is nil, f is an attribute
// that is not called. It reports whether there is such help.
func (w suggester) helpMethod(d *diag.Diagnostic, r replacement, f *pysyntax.Attr, at pysyntax.Place, args []pysyntax.Arg) bool {
	note := ""
	if r.note != "" {
		note = ", " + r.note
	}
	if slices.Contains([]string{"items", "keys", "values"}, f.Name.Name) && !w.mayBeList(at) {
		d.WithHelp(listDiffersHelp)
		return true
	}
	if len(args) == 1 && (f.Name.Name == "map" || f.Name.Name == "filter") {
		call := &pysyntax.Call{Args: []pysyntax.Arg{args[0], {Value: f.X}}}
		if w.suggest(d, at, w.rewriteCall(f.Name.Name, call)...) {
			return true
		}
	}
	if f.Name.Name == "sort" && w.suggestWithNote(d, at, note, w.sortedText(f.X, args)) {
		return true
	}
	write := r.write
	if len(args) == 2 && r.more != "" {
		write = r.more
	}
	if text := w.fillTemplate(write, f, args); text != "" && w.suggestWithNote(d, at, note, text) {
		return true
	}
	r.write = placeholder.ReplaceAllStringFunc(write, func(name string) string {
		if ownerNames[name] {
			return w.operand(f.X)
		}
		return name
	})
	return r.addHelp(d)
}

// suggestText adds help about s.encode(). It suggests s itself where the value is the result of the lambda or an
// argument for a Go string, and a function literal for len(s.encode()). It reports whether it made a suggestion.
func (w suggester) suggestText(d *diag.Diagnostic, e *pysyntax.Call, f *pysyntax.Attr) bool {
	if !isUTF8(e.Args) {
		return false
	}
	if w.written.Location() != e.Location() && !w.isGoStringArgument(e) {
		return w.suggestByteLength(d, e)
	}
	if !w.suggestWithNote(d, e.Location(), ": strings are already UTF-8 in Go and in JSON", w.operand(f.X)) {
		return false
	}
	d.WithHelp("or, if a Go function needs []byte, write one that takes a string and converts it with []byte(s), and call it here")
	return true
}

// suggestByteLength suggests a Go function literal if the body of the lambda is len(s.encode()). It reports whether that
// is so.
func (w suggester) suggestByteLength(d *diag.Diagnostic, e *pysyntax.Call) bool {
	length, ok := w.written.(*pysyntax.Call)
	if !ok || len(length.Args) != 1 || length.Args[0].Value.Location() != e.Location() {
		return false
	}
	name, ok := length.Func.(*pysyntax.Name)
	if !ok || name.Name != "len" || w.isHidden(name.Name) {
		return false
	}
	d.WithCause(pysyntax.ErrLiteralShown).WithHelp("in Go, len counts the bytes of a string: replace the lambda with a Go function literal, for example func(s string) int { return len(s) }")
	return true
}

// isUTF8 reports whether a call of encode with these arguments uses UTF-8, which is the default.
func isUTF8(args []pysyntax.Arg) bool {
	if len(args) == 0 {
		return true
	}
	name, ok := args[0].Value.(*pysyntax.Str)
	return ok && len(args) == 1 && (args[0].Name == "" || args[0].Name == "encoding") &&
		slices.Contains([]string{"utf-8", "utf8", "utf_8"}, strings.ToLower(name.Value))
}

// isGoStringArgument reports whether an expression is an argument for a string parameter of a Go function.
func (w suggester) isGoStringArgument(e pysyntax.Expr) (found bool) {
	pysyntax.Walk(w.written, func(part pysyntax.Expr) {
		call, ok := part.(*pysyntax.Call)
		if !ok || !slices.ContainsFunc(call.Args, func(a pysyntax.Arg) bool { return a.Value.Location() == e.Location() && !a.Star }) {
			return
		}
		switch f := call.Func.(type) {
		case *pysyntax.Name:
			found = w.isHidden(f.Name) || !w.isPython(f.Name) && !weakNames[f.Name]
		case *pysyntax.Attr:
			found = w.findPackage(f.X) != nil || w.isDeps(f.X)
		}
	})
	return found && w.compiles != nil && !w.compiles(e.Location(), "0")
}

// sortedText returns a call of sorted that replaces list.sort(args), or "" if there are positional arguments.
func (w suggester) sortedText(list pysyntax.Expr, args []pysyntax.Arg) string {
	text := "sorted(" + w.text(list)
	for _, a := range args {
		if a.Name == "" {
			return ""
		}
		text += ", " + a.Name + "=" + w.text(a.Value)
	}
	return text + ")"
}

// ownerNames are the placeholders for the receiver of the method.
var ownerNames = map[string]bool{"xs": true, "s": true, "d": true, "p": true}

// fillTemplate replaces the placeholders of an expression of methodReplacements: those in ownerNames with the receiver
// of the call, y and k with loop variables, and others with the arguments in order. It returns "" if the number of
// arguments does not match.
func (w suggester) fillTemplate(template string, f *pysyntax.Attr, args []pysyntax.Arg) string {
	names := w.variables()
	values := map[string]string{"y": names[0], "k": names[0]}
	if strings.Contains(template, "k, y") {
		values["k"] = names[1]
	}
	used := 0
	valid := true
	text := placeholder.ReplaceAllStringFunc(template, func(name string) string {
		if ownerNames[name] {
			return w.operand(f.X)
		}
		if value, ok := values[name]; ok {
			return value
		}
		if used == len(args) || args[used].Star || args[used].Name != "" {
			valid = false
			return name
		}
		values[name] = w.operand(args[used].Value)
		used++
		return values[name]
	})
	if !valid || used != len(args) || template == "" {
		return ""
	}
	return text
}

// suggestField reports u.get('name') if u is a struct, and suggests u.name. It returns false if there is no such field.
func (w suggester) suggestField(x *ir.Value, e *pysyntax.Call, f *pysyntax.Attr) bool {
	key, ok := e.Args[0].Value.(*pysyntax.Str)
	if !ok || !identifier.MatchString(key.Value) {
		return false
	}
	if _, obj := w.Member(x.Type, key.Value); obj == nil {
		return false
	}
	d := explainOrigins(w.addFault("lambda-name", f.Name.Place, "%s has no method get: it is not a dict", w.TypeName(x.Type)), x)
	return w.suggest(d, e.Location(), w.operand(f.X)+"."+key.Value)
}

// pythonModules maps Python modules to Go packages for the same purpose.
var pythonModules = map[string]string{
	"base64": "encoding/base64", "collections": "maps", "csv": "encoding/csv", "datetime": "time", "decimal": "math/big",
	"functools": "slices", "hashlib": "crypto/sha256", "html": "html", "itertools": "slices", "json": "encoding/json",
	"locale": "golang.org/x/text", "logging": "log/slog", "math": "math", "np": "math", "numpy": "math", "operator": "cmp", "os": "os",
	"pathlib": "path/filepath", "random": "math/rand/v2", "re": "regexp", "requests": "net/http", "secrets": "crypto/rand",
	"shutil": "os", "statistics": "math", "string": "strings", "subprocess": "os/exec", "sys": "os", "tempfile": "os",
	"time": "time", "unicodedata": "unicode", "urllib": "net/url", "uuid": "crypto/rand",
}

// attributes matches the attributes at the start of a text, such as .path.join.
var attributes = regexp.MustCompile(`^(\.\w+)*`)

// moduleOf maps functions and classes that people import from Python modules to these modules.
var moduleOf = map[string]string{
	"Counter": "collections", "OrderedDict": "collections", "defaultdict": "collections",
	"Decimal": "decimal", "chain": "itertools", "groupby": "itertools", "accumulate": "itertools", "product": "itertools",
	"reduce": "functools", "sqrt": "math", "ceil": "math", "floor": "math", "log": "math", "mean": "statistics", "median": "statistics",
	"date": "datetime", "timedelta": "datetime", "dumps": "json", "loads": "json", "sleep": "time", "Path": "pathlib",
	"randint": "random", "choice": "random", "uuid4": "uuid", "quote": "urllib", "urlencode": "urllib", "itemgetter": "operator", "attrgetter": "operator",
}

// reportNoPackage reports an unknown name before a dot, such as json in json.dumps(x). e is the whole attribute.
func (w suggester) reportNoPackage(name *pysyntax.Name, e *pysyntax.Attr) {
	path := pythonModules[name.Name]
	if name.Name == "os" && e.Name.Name == "path" {
		path = "path/filepath"
	}
	pkg := w.Package().Name()
	found := w.findOnly(w.Package(), e.Name.Name)
	if fn, _ := ir.FunctionOf(found); fn != nil && path == "" {
		d := w.addFault("lambda-name", name.Location(), "undefined: %s; %s is declared in package %s", name.Name, e.Name.Name, pkg)
		d.Related = w.Declared(found)
		if !w.helpMissingDeps(d, name.Name) && !w.suggest(d, e.Location(), e.Name.Name) {
			d.WithHelp("write %s without %s", e.Name.Name, name.Name)
		}
		return
	}
	if path != "" {
		d := w.addUnsupported(name.Location(), "modules of Python, such as "+name.Name)
		if !w.suggest(d, e.Location(), moduleConstants[name.Name+"."+e.Name.Name]) {
			written := w.text(e) + attributes.FindString(w.source[e.Place.To:])
			d.WithHelp("write a Go function that does the same with Go's package %s, and call it instead of %s", path, written)
		}
		return
	}
	d := w.addFault("lambda-name", name.Location(), "undefined: %s is neither a parameter of the lambda, nor declared in package %s, nor a package that its files import", name.Name, pkg)
	switch {
	case w.helpMissingDeps(d, name.Name):
	case name.Name == "self" || name.Name == "this":
		d.WithHelp("a lambda has no receiver: call a function of package %s", pkg)
	default:
		d.WithHelp("to use a package, import it in a Go file of package %s", pkg)
	}
}

// moduleConstants maps constants of Python modules to their values.
var moduleConstants = map[string]string{
	"math.e": "2.718281828459045", "math.inf": "float('inf')", "math.pi": "3.141592653589793", "math.tau": "6.283185307179586",
}

// moduleFunctions maps functions of Python modules to expressions that can replace their calls. %s is the argument.
var moduleFunctions = map[string]string{
	"math.ceil": "-int(-%s // 1)", "math.fabs": "abs(float(%s))", "math.floor": "int(%s // 1)", "math.trunc": "int(%s)",
	"math.isnan": "float(%[1]s) != float(%[1]s)",
}

// reportModuleCall reports a call of a function in moduleFunctions and suggests its replacement. It returns false for
// other calls.
func (w suggester) reportModuleCall(e *pysyntax.Call, f *pysyntax.Attr) bool {
	name, ok := f.X.(*pysyntax.Name)
	if !ok || !w.isUnknown(name.Name) || len(e.Args) != 1 || e.Args[0].Star || e.Args[0].Name != "" {
		return false
	}
	template := moduleFunctions[name.Name+"."+f.Name.Name]
	if template == "" {
		return false
	}
	d := w.addUnsupported(name.Location(), "modules of Python, such as "+name.Name)
	if !w.suggest(d, e.Location(), fmt.Sprintf(template, w.operand(e.Args[0].Value))) {
		d.WithHelp("write a Go function that does the same with Go's package %s, and call it instead of %s", pythonModules[name.Name], w.text(f))
	}
	return true
}
