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

// placeholder matches the names that stand for values in the expressions of methodReplacements.
var placeholder = regexp.MustCompile(`'a'|\b(?:xs|ys|x|s|t|d|a|b|p|y|k)\b`)

// helpMethod adds what to write instead of a method, or of an attribute if args is nil, with the values
// of the call in it. It reports whether there is anything.
func (w suggester) helpMethod(d *diag.Diagnostic, r replacement, f *pysyntax.Attr, at pysyntax.Place, args []pysyntax.Arg) bool {
	note := ""
	if r.note != "" {
		note = ", " + r.note
	}
	if slices.Contains([]string{"items", "keys", "values"}, f.Name.Name) && !w.mayBeList(at) {
		d.WithHelp(otherValue)
		return true
	}
	if len(args) == 1 && (f.Name.Name == "map" || f.Name.Name == "filter") {
		call := &pysyntax.Call{Args: []pysyntax.Arg{args[0], {Value: f.X}}}
		if w.suggest(d, at, w.rewriteCall(f.Name.Name, call)...) {
			return true
		}
	}
	if f.Name.Name == "sort" && w.suggestNoted(d, at, note, w.sortedText(f.X, args)) {
		return true
	}
	write := r.write
	if len(args) == 2 && r.more != "" {
		write = r.more
	}
	if text := w.fillTemplate(write, f, args); text != "" && w.suggestNoted(d, at, note, text) {
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

// suggestText suggests the text itself instead of its bytes in UTF-8, where it becomes the result of the
// lambda or a string in Go, or a function literal where only the number of bytes matters. It reports
// whether that is possible.
func (w suggester) suggestText(d *diag.Diagnostic, e *pysyntax.Call, f *pysyntax.Attr) bool {
	if !isUTF8(e.Args) {
		return false
	}
	if w.body.Location() != e.Location() && !w.isStringOfGo(e) {
		return w.suggestByteLength(d, e)
	}
	if !w.suggestNoted(d, e.Location(), ": text is UTF-8 in Go and in JSON already", w.operand(f.X)) {
		return false
	}
	d.WithHelp("or, if a Go function needs []byte, write one that takes a string and converts it with []byte(s), and call it here")
	return true
}

// suggestByteLength suggests a function literal for the number of bytes of a text, if the lambda returns
// it. It reports whether that is so.
func (w suggester) suggestByteLength(d *diag.Diagnostic, e *pysyntax.Call) bool {
	length, ok := w.body.(*pysyntax.Call)
	if !ok || len(length.Args) != 1 || length.Args[0].Value.Location() != e.Location() {
		return false
	}
	name, ok := length.Func.(*pysyntax.Name)
	if !ok || name.Name != "len" || w.isHidden(name.Name) {
		return false
	}
	d.WithCause(pysyntax.ErrLiteralShown).WithHelp("in Go, len counts the bytes of a text: replace the lambda by a Go function literal, for example func(s string) int { return len(s) }")
	return true
}

// isUTF8 reports whether the arguments of encode name the encoding UTF-8, which is the default.
func isUTF8(args []pysyntax.Arg) bool {
	if len(args) == 0 {
		return true
	}
	name, ok := args[0].Value.(*pysyntax.Str)
	return ok && len(args) == 1 && (args[0].Name == "" || args[0].Name == "encoding") &&
		slices.Contains([]string{"utf-8", "utf8", "utf_8"}, strings.ToLower(name.Value))
}

// isStringOfGo reports whether an expression is an argument of a Go function that only takes a string.
func (w suggester) isStringOfGo(e pysyntax.Expr) (found bool) {
	pysyntax.Walk(w.body, func(part pysyntax.Expr) {
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

// sortedText returns a call of sorted for a call of the method sort, with the same arguments.
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

// ownerNames are the placeholders for the value that has the method.
var ownerNames = map[string]bool{"xs": true, "s": true, "d": true, "p": true}

// fillTemplate returns an expression of methodReplacements with the values of a call, "" if they do not
// fit. The first placeholder is the value that has the method, others are its arguments in order.
func (w suggester) fillTemplate(template string, f *pysyntax.Attr, args []pysyntax.Arg) string {
	names := w.variables()
	values := map[string]string{"y": names[0], "k": names[0]}
	if strings.Contains(template, "k, y") {
		values["k"] = names[1]
	}
	used := 0
	fits := true
	text := placeholder.ReplaceAllStringFunc(template, func(name string) string {
		if ownerNames[name] {
			return w.operand(f.X)
		}
		if value, ok := values[name]; ok {
			return value
		}
		if used == len(args) || args[used].Star || args[used].Name != "" {
			fits = false
			return name
		}
		values[name] = w.operand(args[used].Value)
		used++
		return values[name]
	})
	if !fits || used != len(args) || template == "" {
		return ""
	}
	return text
}

// suggestField reports u.get('name') of a struct, and suggests the field. It reports whether there is
// such a field.
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

// pythonModules maps modules of Python to the Go packages for the same purpose.
var pythonModules = map[string]string{
	"base64": "encoding/base64", "collections": "maps", "csv": "encoding/csv", "datetime": "time", "decimal": "math/big",
	"functools": "slices", "hashlib": "crypto/sha256", "html": "html", "itertools": "slices", "json": "encoding/json",
	"locale": "golang.org/x/text", "logging": "log/slog", "math": "math", "np": "math", "numpy": "math", "operator": "cmp", "os": "os",
	"pathlib": "path/filepath", "random": "math/rand/v2", "re": "regexp", "requests": "net/http", "secrets": "crypto/rand",
	"shutil": "os", "statistics": "math", "string": "strings", "subprocess": "os/exec", "sys": "os", "tempfile": "os",
	"time": "time", "unicodedata": "unicode", "urllib": "net/url", "uuid": "crypto/rand",
}

// attributes matches attributes after an expression.
var attributes = regexp.MustCompile(`^(\.\w+)*`)

// moduleOf maps functions that people import from modules of Python to the modules.
var moduleOf = map[string]string{
	"Counter": "collections", "OrderedDict": "collections", "defaultdict": "collections",
	"Decimal": "decimal", "chain": "itertools", "groupby": "itertools", "accumulate": "itertools", "product": "itertools",
	"reduce": "functools", "sqrt": "math", "ceil": "math", "floor": "math", "log": "math", "mean": "statistics", "median": "statistics",
	"date": "datetime", "timedelta": "datetime", "dumps": "json", "loads": "json", "sleep": "time", "Path": "pathlib",
	"randint": "random", "choice": "random", "uuid4": "uuid", "quote": "urllib", "urlencode": "urllib", "itemgetter": "operator", "attrgetter": "operator",
}

// reportNoPackage reports an unknown name before a dot.
func (w suggester) reportNoPackage(name *pysyntax.Name, e *pysyntax.Attr) {
	path := pythonModules[name.Name]
	if name.Name == "os" && e.Name.Name == "path" {
		path = "path/filepath"
	}
	pkg := w.Package().Name()
	found := w.findOnly(w.Package(), e.Name.Name)
	if fn, _ := ir.FunctionOf(found); fn != nil && path == "" {
		d := w.addFault("lambda-name", name.Location(), "there is no %s before %s, which belongs to package %s", name.Name, e.Name.Name, pkg)
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
	d := w.addFault("lambda-name", name.Location(), "there is no %s: no parameter of the lambda, nothing in package %s, and no package that its files import", name.Name, pkg)
	switch {
	case w.helpMissingDeps(d, name.Name):
	case name.Name == "self" || name.Name == "this":
		d.WithHelp("a lambda belongs to no object: call a function of package %s", pkg)
	default:
		d.WithHelp("to use a package, import it in a Go file of package %s", pkg)
	}
}

// moduleConstants maps constants of Python's modules to their values.
var moduleConstants = map[string]string{
	"math.e": "2.718281828459045", "math.inf": "float('inf')", "math.pi": "3.141592653589793", "math.tau": "6.283185307179586",
}

// moduleFunctions maps functions of Python's modules to expressions with their value. %s is the
// argument.
var moduleFunctions = map[string]string{
	"math.ceil": "-int(-%s // 1)", "math.fabs": "abs(float(%s))", "math.floor": "int(%s // 1)", "math.trunc": "int(%s)",
	"math.isnan": "float(%[1]s) != float(%[1]s)",
}

// reportModuleCall reports a call of a function of a Python module that an expression can replace. It
// reports whether there is one.
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
