package lambda

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// textMethod is a method of Python's strings. Trailing arguments are optional.
type textMethod struct {
	Params  string   // one letter for each parameter, see convertArgument
	MinArgs int      // the number of required arguments
	Names   []string // names of the parameters, if they accept keyword arguments

	build func(o operators, s *ir.Value, args []*ir.Value, at pysyntax.Place) *ir.Value // translates a call; args has nil for an omitted argument or None
}

var textList = types.NewSlice(ir.GoString)

// textMethods are the string methods that lambdas support. checkFormat handles format.
var textMethods = map[string]*textMethod{
	"upper": newMethod("", "Upper", ir.GoString), "lower": newMethod("", "Lower", ir.GoString), "title": newMethod("", "Title", ir.GoString),
	"capitalize": newMethod("", "Capitalize", ir.GoString), "swapcase": newMethod("", "SwapCase", ir.GoString), "casefold": newMethod("", "CaseFold", ir.GoString),
	"isalpha": newMethod("", "AllLetters", ir.GoBool), "isalnum": newMethod("", "AllAlphanumeric", ir.GoBool), "isspace": newMethod("", "AllSpaces", ir.GoBool),
	"isdigit": newMethod("", "AllDigits", ir.GoBool), "isdecimal": newMethod("", "AllDecimals", ir.GoBool), "isnumeric": newMethod("", "AllNumeric", ir.GoBool),
	"isupper": newMethod("", "IsUpper", ir.GoBool), "islower": newMethod("", "IsLower", ir.GoBool), "istitle": newMethod("", "IsTitle", ir.GoBool),
	"isidentifier": newMethod("", "IsIdentifier", ir.GoBool),

	"strip": newTrimMethod("TrimFunc", "Trim"), "lstrip": newTrimMethod("TrimLeftFunc", "TrimLeft"), "rstrip": newTrimMethod("TrimRightFunc", "TrimRight"),
	"ljust": newFailingMethod("wf", "PadRight", "text", ir.GoString), "rjust": newFailingMethod("wf", "PadLeft", "text", ir.GoString),
	"center": newFailingMethod("wf", "Center", "text", ir.GoString), "zfill": newFailingMethod("w", "ZeroFill", "text", ir.GoString),
	"expandtabs":   {Params: "i", Names: []string{"tabsize"}, build: operators.expandTabs},
	"removeprefix": newAffixMethod("TrimPrefix"), "removesuffix": newAffixMethod("TrimSuffix"),
	"replace": {Params: "rri", MinArgs: 2, build: operators.replaceText},
	"format":  {},

	"split": newSplitMethod("Fields", "Split"), "rsplit": newSplitMethod("FieldsRight", "SplitRight"),
	"splitlines": {Params: "i", Names: []string{"keepends"}, build: operators.splitLines},
	"partition":  newFailingMethod("t", "Partition", "texts", textList), "rpartition": newFailingMethod("t", "PartitionRight", "texts", textList),
	"join": {Params: "l", MinArgs: 1, build: operators.joinTexts},

	"startswith": newSearchMethod("p", ir.PackageRef("strings", "HasPrefix"), "StartsWithIn", ir.GoBool),
	"endswith":   newSearchMethod("p", ir.PackageRef("strings", "HasSuffix"), "EndsWithIn", ir.GoBool),
	"count":      newSearchMethod("t", ir.PackageRef("strings", "Count"), "CountIn", ir.GoInt),
	"find":       newSearchMethod("t", ir.PyRef("Find"), "FindIn", ir.GoInt),
	"rfind":      newMethod("tbb", "FindLast", ir.GoInt),
	"index":      newFailingMethod("tbb", "Locate", "index", ir.GoInt),
	"rindex":     newFailingMethod("tbb", "LocateLast", "index", ir.GoInt),
}

// newMethod returns a method that is a call of a function of package py. Only its first parameter, if any, is required.
func newMethod(params, function string, t types.Type) *textMethod {
	return &textMethod{Params: params, MinArgs: min(1, len(params)), build: func(o operators, s *ir.Value, args []*ir.Value, _ pysyntax.Place) *ir.Value {
		return o.CallPure(t, ir.PyRef(function), o.fillArguments(params, s, args)...).SetBits(lengthBits)
	}}
}

// newFailingMethod is newMethod for a function that may fail. name is the preferred name of the variable for its
// result.
func newFailingMethod(params, function, name string, t types.Type) *textMethod {
	return &textMethod{Params: params, MinArgs: 1, build: func(o operators, s *ir.Value, args []*ir.Value, at pysyntax.Place) *ir.Value {
		return o.callHelper(name, t, at, ir.PyRef(function), o.fillArguments(params, s, args)...).SetBits(lengthBits)
	}}
}

// fillArguments returns s and args, with the default of each omitted bound and fill character.
func (o operators) fillArguments(params string, s *ir.Value, args []*ir.Value) []*ir.Value {
	all := []*ir.Value{s}
	for i, v := range args {
		switch {
		case v != nil:
		case params[i] == 'f':
			v = o.StrLiteral(" ")
		default:
			v = o.defaultBound(i == len(params)-1)
		}
		all = append(all, v)
	}
	return all
}

// defaultBound returns the start or the end of a search without bounds.
func (o operators) defaultBound(isEnd bool) *ir.Value {
	if isEnd {
		return o.pyConstant("End")
	}
	return o.IntLiteral(0)
}

// newTrimMethod returns strip, lstrip or rstrip. spaces and chars are the functions of package strings that remove
// white space and given characters.
func newTrimMethod(spaces, chars string) *textMethod {
	return &textMethod{Params: "c", build: func(o operators, s *ir.Value, args []*ir.Value, _ pysyntax.Place) *ir.Value {
		if args[0] == nil {
			return o.CallPure(ir.GoString, ir.PackageRef("strings", spaces), s, o.RefValue(ir.PyRef("IsSpace")))
		}
		return o.CallPure(ir.GoString, ir.PackageRef("strings", chars), s, args[0])
	}}
}

// newSearchMethod returns a method such as find, which searches a string. param is the letter of its first parameter.
// It calls search for the whole string, and the function boundedSearch of package py if there are bounds. t is the
// result type.
func newSearchMethod(param string, search *ir.Step, boundedSearch string, t types.Type) *textMethod {
	return &textMethod{Params: param + "bb", MinArgs: 1, build: func(o operators, s *ir.Value, args []*ir.Value, _ pysyntax.Place) *ir.Value {
		if args[1] == nil && args[2] == nil {
			return o.CallPure(t, search, s, args[0]).SetBits(lengthBits)
		}
		return o.CallPure(t, ir.PyRef(boundedSearch), o.fillArguments(param+"bb", s, args)...).SetBits(lengthBits)
	}}
}

// newAffixMethod returns removeprefix or removesuffix.
func newAffixMethod(function string) *textMethod {
	return &textMethod{Params: "x", MinArgs: 1, build: func(o operators, s *ir.Value, args []*ir.Value, _ pysyntax.Place) *ir.Value {
		return o.CallPure(ir.GoString, ir.PackageRef("strings", function), s, args[0])
	}}
}

// newSplitMethod returns split or rsplit. fields and split are the functions of package py that split at white space
// and at a separator. Package dyn has a function with the same name as split.
func newSplitMethod(fields, split string) *textMethod {
	return &textMethod{Params: "si", Names: []string{"sep", "maxsplit"}, build: func(o operators, s *ir.Value, args []*ir.Value, at pysyntax.Place) *ir.Value {
		separator, limit := args[0], cmp.Or(args[1], o.IntLiteral(-1))
		if separator == nil {
			return o.CallPure(textList, ir.PyRef(fields), s, limit)
		}
		if k := separator.Kind(); k == ir.Any || k == ir.Optional {
			return o.callHelper("list", textList, at, ir.DynRef(split), s, o.toDynamic(separator), limit)
		}
		if text, ok := separator.Constant.(string); ok && text != "" && args[1] == nil && split == "Split" {
			return o.CallPure(textList, ir.PackageRef("strings", "Split"), s, separator)
		}
		return o.callHelper("list", textList, at, ir.PyRef(split), s, separator, limit)
	}}
}

// convertArguments converts arguments in place to the types of the method's parameters. Like Python, most methods check
// the last argument first. None becomes nil for an optional parameter. It returns false after a fault.
func (m *textMethod) convertArguments(o operators, name string, args []*ir.Value, places []pysyntax.Place) (valid bool) {
	valid = true
	for i := range args {
		if strings.IndexByte("rw", m.Params[0]) < 0 {
			i = len(args) - 1 - i
		}
		switch v := args[i]; {
		case v == nil:
		case v.Kind() == ir.None && strings.IndexByte("scb", m.Params[i]) >= 0:
			args[i] = nil
		case v.Kind() == ir.None:
			o.addMismatch(places[i], "%s must not be None", describeArgument(i, name))
			valid = false
		default:
			args[i] = m.convertArgument(o, v, name, i, places[i])
			valid = valid && !args[i].IsBad()
		}
	}
	return valid
}

// convertArgument converts an argument to the type of its parameter.
//
//nolint:gocyclo // one case per kind of parameter
func (m *textMethod) convertArgument(o operators, v *ir.Value, name string, i int, at pysyntax.Place) *ir.Value {
	what := describeArgument(i, name)
	switch m.Params[i] {
	case 't': // a string to search for
		return o.toTextArgument(v, "TextArgument", "must be str, not NoneType", at, what, o.StrLiteral("must be str, not %s"))
	case 'p': // a prefix or suffix to test for
		message := name + " first arg must be str or a tuple of str, not "
		return o.toTextArgument(v, "TextArgument", message+"NoneType", at, what, o.StrLiteral(message+"%s"))
	case 'r': // the old or new string of replace
		return o.toNumberedArgument(v, name, i+1, at, what)
	case 's': // a separator, or None
		if v.Kind() == ir.Any || ir.IsOptional(v.Type, ir.Str) {
			return v
		}
		return o.convertTo(v, ir.GoString, at, what)
	case 'c': // characters, or None
		return o.toCharacters(v, name, at, what)
	case 'b': // a bound, or None
		return o.toBound(v, o.defaultBound(i == len(m.Params)-1), at)
	case 'x': // a prefix or suffix to remove
		return o.toTextArgument(v, "AffixArgument", name+"() argument must be str, not None", at, what, o.StrLiteral(name))
	case 'f': // the fill character
		message := "The fill character must be a unicode character, not "
		return o.toTextArgument(v, "TextArgument", message+"NoneType", at, what, o.StrLiteral(message+"%s"))
	case 'i', 'w': // an integer
		return o.toIndexInt(v, at, what)
	case 'l': // a list of strings
		if v.Kind() != ir.Any {
			list := *o.toIterableOrError(v, at, "join", "can only join an iterable")
			list.Linear = v.Linear
			return &list
		}
	}
	return v
}

// toNumberedArgument converts the nth argument of a Python function to a string.
func (o operators) toNumberedArgument(v *ir.Value, function string, n int, at pysyntax.Place, what string) *ir.Value {
	message := fmt.Sprintf("%s() argument %d must be str, not None", function, n)
	return o.toTextArgument(v, "NumberedArgument", message, at, what, o.StrLiteral(function), o.IntLiteral(int64(n)))
}

// toCharacters converts the argument of strip, lstrip or rstrip to a string. None becomes py.Space.
func (o operators) toCharacters(v *ir.Value, method string, at pysyntax.Place, what string) *ir.Value {
	switch {
	case v.Kind() == ir.Any:
		return o.callHelper("chars", ir.GoString, at, ir.DynRef("Chars"), v, o.StrLiteral(method))
	case ir.IsOptional(v.Type, ir.Str) && types.Identical(ir.ElemType(v.Type), ir.GoString):
		return o.CallPure(ir.GoString, ir.PyRef("Or"), v, o.RefValue(ir.PyRef("Space")))
	}
	return o.convertTo(v, ir.GoString, at, what)
}

// toTextArgument converts an argument to a string. An any is converted by a function of package dyn, to which details are
// also passed. noneMessage is the message of the TypeError for None.
func (o operators) toTextArgument(v *ir.Value, function, noneMessage string, at pysyntax.Place, what string, details ...*ir.Value) *ir.Value {
	switch {
	case v.Kind() == ir.Any:
		return o.callHelper("text", ir.GoString, at, ir.DynRef(function), append([]*ir.Value{v}, details...)...)
	case ir.IsOptional(v.Type, ir.Str):
		v = o.dereference(v, at, "TypeError: %s", noneMessage)
	}
	return o.convertTo(v, ir.GoString, at, what)
}

func (o operators) expandTabs(s *ir.Value, args []*ir.Value, at pysyntax.Place) *ir.Value {
	return o.callHelper("text", ir.GoString, at, ir.PyRef("ExpandTabs"), s, cmp.Or(args[0], o.IntLiteral(8)))
}

func (o operators) splitLines(s *ir.Value, args []*ir.Value, _ pysyntax.Place) *ir.Value {
	keep := o.BoolLiteral(false)
	if args[0] != nil {
		keep = o.BinaryOp(ir.GoBool, args[0], token.NEQ, o.IntLiteral(0))
	}
	return o.CallPure(textList, ir.PyRef("Lines"), s, keep)
}

func (o operators) replaceText(s *ir.Value, args []*ir.Value, at pysyntax.Place) *ir.Value {
	if args[1].Constant == nil { // py.Replace limits the size of the result, which depends on the arguments
		return o.callHelper("text", ir.GoString, at, ir.PyRef("Replace"), s, args[0], args[1], cmp.Or(args[2], o.IntLiteral(-1)))
	}
	if args[2] == nil {
		return o.CallPure(ir.GoString, ir.PackageRef("strings", "ReplaceAll"), s, args[0], args[1])
	}
	return o.CallPure(ir.GoString, ir.PackageRef("strings", "Replace"), s, args[0], args[1], args[2])
}

func (o operators) joinTexts(s *ir.Value, args []*ir.Value, at pysyntax.Place) *ir.Value {
	list := args[0]
	switch elem := list.Type; {
	case list.Kind() == ir.Any, ir.KindOf(ir.ElemType(elem)) == ir.Any:
		list = o.callHelper("texts", textList, at, ir.DynRef("Strings"), list)
	case types.Identical(ir.ElemType(elem), ir.GoString):
	case ir.KindOf(ir.ElemType(elem)) == ir.Str:
		list = o.convertTo(list, textList, at, "the list")
	default:
		d := o.addValueMismatch(list, at, "join takes a list of str, but %s", o.describeThis(list))
		before, argument, ok := strings.Cut(strings.TrimSuffix(o.source[at.From:at.To], ")"), "join(")
		if text := before + "join([str(item) for item in " + argument + "])"; !ok || !o.suggest(d, at, text) {
			d.WithHelp("convert the elements of the list: [str(x) for x in …]")
		}
		return ir.NewBad()
	}
	if s.Constant == nil || !args[0].Linear { // py.Join limits the size of the result, which depends on the arguments
		return o.callHelper("text", ir.GoString, at, ir.PyRef("Join"), list, s)
	}
	return o.CallInTurn(ir.GoString, ir.PackageRef("strings", "Join"), list, s)
}
