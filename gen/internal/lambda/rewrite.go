package lambda

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// rewriter replaces expressions with equivalent ones that are easier to check:
//
//   - generators whose elements are all read become list comprehensions, as in sum(x for x in xs)
//   - tuples whose elements are only read become lists, as in x in ('a', 'b')
//   - sets whose elements are only read become Iters
//   - calls such as map(f, xs) become comprehensions
//   - calls that are only iterated over, such as range(n) in a comprehension, become Iters
//
// It reports generators, tuples and sets that it cannot replace.
type rewriter struct {
	*nameResolver
	bound map[string]int // by name, the number of enclosing comprehensions and lambdas that bind it
}

// rewriteValue rewrites an expression whose value may be used in any way. A tuple, set or generator therefore cannot
// become a list.
func (r *rewriter) rewriteValue(e pysyntax.Expr) pysyntax.Expr {
	switch e := e.(type) {
	case *pysyntax.List:
		if e.Brackets != pysyntax.Square {
			return r.reportBrackets(e, e.Brackets)
		}
	case *pysyntax.Binary:
		if e.Op.Text == "&" || e.Op.Text == "^" || r.isSet(e.X) && r.isSet(e.Y) {
			return r.reportOperator(e)
		}
	case *pysyntax.Comp:
		if e.Brackets != pysyntax.Square {
			return r.reportBrackets(e, e.Brackets)
		}
		return r.rewriteComp(e, pysyntax.Square, false)
	case *pysyntax.Star:
		return &pysyntax.Star{Place: e.Place, X: r.rewriteElements(e.X, false)}
	case *pysyntax.Call:
		return r.rewriteCall(e)
	case *pysyntax.Lambda:
		r.addUnsupported(e.Place, "a lambda inside the lambda").WithHelp("only the argument key and the functions map and filter accept a lambda")
		return &pysyntax.Bad{Place: e.Place}
	case *pysyntax.Index:
		return r.rewriteIndex(e)
	case *pysyntax.Compare:
		return r.rewriteCompare(e)
	}
	return pysyntax.MapParts(e, r.rewriteValue)
}

// reportOperator reports an operation on sets, or the operator & or ^.
func (r *rewriter) reportOperator(e *pysyntax.Binary) pysyntax.Expr {
	if r.isSet(e.X) && r.isSet(e.Y) {
		return r.reportSetOperation(e, e.Op, e.X, e.Y)
	}
	d := r.addUnsupported(e.Op.Place, "the operator "+e.Op.Text)
	if w := (suggester{r.nameResolver}); e.Op.Text == "^" {
		d.WithHelp("^ is bitwise XOR in Python: for a power, write %s ** %s", w.operand(e.X), w.operand(e.Y))
	}
	return &pysyntax.Bad{Place: e.Place}
}

// rewriteComp rewrites a comprehension. The result has the given brackets. unordered says that the order of the
// elements does not matter.
func (r *rewriter) rewriteComp(e *pysyntax.Comp, brackets pysyntax.Brackets, unordered bool) *pysyntax.Comp {
	return r.rewriteLoop(e, brackets, unordered, r.rewriteValue)
}

// rewriteLoop is rewriteComp, but calls rewrite for the element.
func (r *rewriter) rewriteLoop(e *pysyntax.Comp, brackets pysyntax.Brackets, unordered bool, rewrite func(pysyntax.Expr) pysyntax.Expr) *pysyntax.Comp {
	rewritten := *e
	rewritten.Brackets = brackets
	rewritten.Loops = slices.Clone(e.Loops)
	if key, ok := e.Key.(*pysyntax.Name); ok && len(e.Loops) == 1 && key.Name == e.Loops[0].Var.Name { // equal keys have equal values
		unordered = true
	}
	for i, l := range e.Loops {
		l.In = r.rewriteElements(l.In, unordered)
		r.bindNames(l.Names(), 1)
		if l.If != nil {
			l.If = r.rewriteValue(l.If)
		}
		rewritten.Loops[i] = l
	}
	if e.Key != nil {
		rewritten.Key = r.rewriteValue(e.Key)
	}
	rewritten.Elem = rewrite(e.Elem)
	for _, l := range e.Loops {
		r.bindNames(l.Names(), -1)
	}
	return &rewritten
}

// bindNames adds change to the number of comprehensions and lambdas that bind each name.
func (r *rewriter) bindNames(names []pysyntax.Param, change int) {
	for _, p := range names {
		r.bound[p.Name] += change
	}
}

// pythonName returns the name of the Python function to which an expression refers, or "".
func (r *rewriter) pythonName(e pysyntax.Expr) string {
	f, ok := e.(*pysyntax.Name)
	if !ok || r.bound[f.Name] > 0 || r.Env[f.Name] != nil {
		return ""
	}
	if (r.isPython(f.Name) || weakNames[f.Name]) && !r.isHidden(f.Name) {
		return f.Name
	}
	return ""
}

// rewriteCall is rewriteValue for calls.
func (r *rewriter) rewriteCall(e *pysyntax.Call) pysyntax.Expr {
	if f, ok := e.Func.(*pysyntax.Attr); ok {
		if rewritten := r.rewriteMethod(e, f); rewritten != nil {
			return rewritten
		}
	}
	if l, ok := e.Func.(*pysyntax.Lambda); ok {
		suggester{r.nameResolver}.reportCalledLambda(e, l)
		return &pysyntax.Bad{Place: e.Place}
	}
	name := r.pythonName(e.Func)
	if rewritten := r.rewriteBuiltin(e, name); rewritten != nil {
		return rewritten
	}
	if rewritten := r.rewriteReader(e, name); rewritten != nil {
		return rewritten
	}
	if r.isSet(e) && len(e.Args) == 1 && countPositional(e) == 1 {
		return r.reportBrackets(e, pysyntax.Curly)
	}
	rewritten := *e
	rewritten.Func = r.rewriteValue(e.Func)
	rewritten.Args = r.rewriteArgs(e.Args)
	return &rewritten
}

// rewriteReader rewrites a call of a Python function that only reads the elements of its first argument, as len
// and any do. It returns nil for other functions.
func (r *rewriter) rewriteReader(e *pysyntax.Call, name string) pysyntax.Expr {
	switch positional := countPositional(e); {
	case name == "list" && len(e.Args) == positional && positional < 2:
		return r.rewriteList(e, false)
	case positional == 0:
	case (name == "len" || name == "sorted" && hasKey(e)) && isItems(e.Args[0].Value):
		suggester{r.nameResolver}.reportItems(e, name)
		return &pysyntax.Bad{Place: e.Place}
	case name == "any" || name == "all" || name == "next":
		return r.rewriteSearch(e)
	case r.readsElements(name, e):
		return r.rewriteFirst(e, e.Func, name == "sum" || name == "len" || !hasKey(e))
	}
	return nil
}

// rewriteMethod rewrites a call of a method: s.join(xs), str.lower(s), s.startswith((a, b)), or a method of a set. It
// returns nil for other methods.
func (r *rewriter) rewriteMethod(e *pysyntax.Call, f *pysyntax.Attr) pysyntax.Expr {
	if f.Name.Name == "join" && len(e.Args) == 1 {
		return r.rewriteFirst(e, r.rewriteValue(f), false)
	}
	if r.pythonName(f.X) == "str" {
		if rewritten := bindMethod(e, f); rewritten != nil {
			return pysyntax.MapParts(rewritten, r.rewriteValue)
		}
	}
	if op := setMethods[f.Name.Name]; op != "" && len(e.Args) == 1 && r.isSet(f.X) {
		return r.reportSetOperation(e, pysyntax.Op{Place: f.Name.Place, Text: op}, f.X, e.Args[0].Value)
	}
	return r.rewriteAffixes(e)
}

// setMethods maps methods of sets to the operators that do the same.
var setMethods = map[string]string{"issubset": "<=", "issuperset": ">=", "union": "|", "difference": "-", "intersection": "&", "symmetric_difference": "^", "isdisjoint": "isdisjoint"}

// readsElements reports whether e, a call of the Python function with the given name, does no more with its first
// argument than read the elements, as sum does. For these functions, the order of the elements can affect the result
// only if there is a key.
func (r *rewriter) readsElements(name string, e *pysyntax.Call) bool {
	switch name {
	case "sum", "sorted":
		return true
	case "len":
		return !r.isLazy(e.Args[0].Value)
	case "min", "max":
		return countPositional(e) == 1
	}
	return false
}

func hasKey(e *pysyntax.Call) bool {
	return slices.ContainsFunc(e.Args, func(a pysyntax.Arg) bool { return a.Name == "key" })
}

// rewriteArgs rewrites arguments. The keyword argument key may be a lambda.
func (r *rewriter) rewriteArgs(args []pysyntax.Arg) []pysyntax.Arg {
	rewritten := slices.Clone(args)
	for i, a := range args {
		if l, ok := a.Value.(*pysyntax.Lambda); ok && a.Name == "key" {
			key := *l
			r.bindNames(l.Params, 1)
			key.Body = r.rewriteKey(l.Body)
			r.bindNames(l.Params, -1)
			rewritten[i].Value = &key
		} else {
			rewritten[i].Value = r.rewriteValue(a.Value)
		}
	}
	return rewritten
}

// rewriteFirst rewrites a call that only reads the elements of its first argument. f is the rewritten function.
func (r *rewriter) rewriteFirst(e *pysyntax.Call, f pysyntax.Expr, unordered bool) pysyntax.Expr {
	rewritten := r.rewriteEach(e, 1, unordered)
	rewritten.Func = f
	return rewritten
}

// rewriteSearch rewrites a call of any, all or next. A generator does not become a list, because these functions stop
// reading early.
func (r *rewriter) rewriteSearch(e *pysyntax.Call) pysyntax.Expr {
	g, ok := r.rewriteLazy(e.Args[0].Value)
	if !ok || e.Args[0].Name != "" || e.Args[0].Star {
		if name, _ := e.Func.(*pysyntax.Name); name.Name == "next" {
			return pysyntax.MapParts(e, r.rewriteValue)
		}
		return r.rewriteFirst(e, e.Func, true)
	}
	rewritten := *e
	rewritten.Args = append([]pysyntax.Arg{e.Args[0]}, r.rewriteArgs(e.Args[1:])...)
	rewritten.Args[0].Value = r.rewriteComp(g, pysyntax.Round, writtenName(e.Func) != "next")
	return &rewritten
}

// rewriteLazy returns e if it is a generator, or an equivalent generator if it is a call of map or filter.
func (r *rewriter) rewriteLazy(e pysyntax.Expr) (*pysyntax.Comp, bool) {
	switch e := e.(type) {
	case *pysyntax.Comp:
		return e, e.Brackets == pysyntax.Round
	case *pysyntax.Call:
		return r.mapComp(e)
	}
	return nil, false
}

// isLazy reports whether Python computes the elements of e only when they are read, as for map(f, xs).
func (r *rewriter) isLazy(e pysyntax.Expr) bool {
	switch e := e.(type) {
	case *pysyntax.Comp:
		return e.Brackets == pysyntax.Round
	case *pysyntax.Call:
		return slices.Contains([]string{"map", "filter", "zip", "enumerate", "reversed"}, r.pythonName(e.Func))
	}
	return false
}

// rewriteList rewrites list(…).
func (r *rewriter) rewriteList(e *pysyntax.Call, unordered bool) pysyntax.Expr {
	if len(e.Args) == 0 {
		return &pysyntax.List{Place: e.Place}
	}
	elements := r.rewriteElements(e.Args[0].Value, unordered)
	switch elements := elements.(type) {
	case *pysyntax.Iter:
		if writtenName(elements.Call.Func) != "keys" { // d.keys() is compiled to d itself
			return elements
		}
	case *pysyntax.Bad:
		return elements
	case *pysyntax.Comp:
		rewritten := *elements
		rewritten.Place = e.Place
		return &rewritten
	}
	return newListComp(e.Place, elements)
}

// newListComp returns the comprehension [x for x in e].
func newListComp(at pysyntax.Place, e pysyntax.Expr) *pysyntax.Comp {
	element := pysyntax.Param{Place: at, Name: unnamedElement}
	return &pysyntax.Comp{Place: at, Elem: &pysyntax.Name{Place: at, Name: unnamedElement}, Loops: []pysyntax.Loop{{Var: element, In: e}}}
}

// rewriteElements rewrites an expression that is only iterated over. unordered says that the order of the elements does
// not matter.
func (r *rewriter) rewriteElements(e pysyntax.Expr, unordered bool) pysyntax.Expr {
	switch e := e.(type) {
	case *pysyntax.Comp:
		rewritten := r.rewriteComp(e, pysyntax.Square, unordered || e.Brackets == pysyntax.Curly)
		if e.Brackets == pysyntax.Curly {
			return newSet(rewritten, unordered)
		}
		return rewritten
	case *pysyntax.List:
		if e.Brackets == pysyntax.Curly {
			return newSet(r.rewriteDisplay(e), unordered)
		}
		return r.rewriteDisplay(e)
	case *pysyntax.Call:
		if rewritten := r.rewriteIterable(e, unordered); rewritten != nil {
			return rewritten
		}
	}
	return r.rewriteValue(e)
}

// rewriteDisplay rewrites a display of a list, tuple or set into a list.
func (r *rewriter) rewriteDisplay(e *pysyntax.List) pysyntax.Expr {
	rewritten := *e
	rewritten.Brackets = pysyntax.Square
	return r.rewriteValue(&rewritten)
}

// newSet returns an Iter over the elements of set(list).
func newSet(list pysyntax.Expr, unordered bool) pysyntax.Expr {
	at := list.Location()
	return &pysyntax.Iter{Place: at, Unordered: unordered, Call: &pysyntax.Call{Place: at, Func: &pysyntax.Name{Place: at, Name: "set"}, Args: []pysyntax.Arg{{Place: at, Value: list}}}}
}

// rewriteIterable is rewriteElements for calls. It returns nil if the caller should use rewriteValue instead.
func (r *rewriter) rewriteIterable(e *pysyntax.Call, unordered bool) pysyntax.Expr {
	if isView(e) {
		return &pysyntax.Iter{Place: e.Place, Unordered: unordered, Call: pysyntax.MapParts(e, r.rewriteValue).(*pysyntax.Call)}
	}
	if rewritten, ok := r.mapComp(e); ok {
		return r.rewriteComp(rewritten, pysyntax.Square, unordered)
	}
	if (suggester{r.nameResolver}).isFromKeys(e) && len(e.Args) == 1 { // the dict yields the elements in order and without duplicates, as a generated set does
		return newSet(r.rewriteElements(e.Args[0].Value, false), true)
	}
	name, positional, all := r.pythonName(e.Func), countPositional(e), len(e.Args)
	if positional == all && all < 2 {
		switch name {
		case "list", "tuple":
			return r.rewriteList(e, unordered)
		case "set", "frozenset":
			return newSet(r.rewriteList(e, true), unordered)
		}
	}
	switch {
	case positional == 0 || name == "":
		return nil
	case name == "sorted":
		return r.rewriteSortedItems(e)
	case all > positional && name != "enumerate":
		return nil
	}
	if n := r.countLists(name, e); n >= 0 {
		return &pysyntax.Iter{Place: e.Place, Unordered: unordered, Call: r.rewriteEach(e, n, false)}
	}
	return nil
}

// rewriteSortedItems rewrites sorted(d.items()) into an Iter; the keys determine the order. It returns nil for other
// calls of sorted.
func (r *rewriter) rewriteSortedItems(e *pysyntax.Call) pysyntax.Expr {
	if !isItems(e.Args[0].Value) || hasKey(e) {
		return nil
	}
	return &pysyntax.Iter{Place: e.Place, Call: r.rewriteEach(e, 1, true)}
}

// countLists returns the number of arguments of range, zip, enumerate or reversed that are lists. It returns -1 for
// other functions and for unsupported calls.
func (r *rewriter) countLists(name string, e *pysyntax.Call) int {
	switch n := len(e.Args); {
	case name == "range":
		r.usesRange = true
		return 0
	case name == "zip" && n > 1:
		return n
	case name == "enumerate" && n < 3:
		return 1
	case name == "reversed" && n == 1 && !r.isLazy(e.Args[0].Value) && !r.isSet(e.Args[0].Value):
		return 1
	}
	return -1
}

// rewriteEach rewrites the arguments of a call that only iterates over the first n of them.
func (r *rewriter) rewriteEach(e *pysyntax.Call, n int, unordered bool) *pysyntax.Call {
	rewritten := *e
	rewritten.Args = nil
	for i, a := range e.Args {
		if i < n && !a.Star && a.Name == "" {
			a.Value = r.rewriteElements(a.Value, unordered)
			rewritten.Args = append(rewritten.Args, a)
		} else {
			rewritten.Args = append(rewritten.Args, r.rewriteArgs(e.Args[i:i+1])...)
		}
	}
	return &rewritten
}

// isView reports whether a call is d.items(), d.keys() or d.values().
func isView(e *pysyntax.Call) bool {
	f, ok := e.Func.(*pysyntax.Attr)
	return ok && len(e.Args) == 0 && slices.Contains([]string{"items", "keys", "values"}, f.Name.Name)
}

func isItems(e pysyntax.Expr) bool {
	call, ok := e.(*pysyntax.Call)
	return ok && isView(call) && writtenName(call.Func) == "items"
}

// isSet reports whether an expression is a display or comprehension of a set or a call of set or frozenset.
func (r *rewriter) isSet(e pysyntax.Expr) bool {
	switch e := e.(type) {
	case *pysyntax.Comp:
		return e.Brackets == pysyntax.Curly
	case *pysyntax.List:
		return e.Brackets == pysyntax.Curly
	case *pysyntax.Call:
		return strings.HasSuffix(r.pythonName(e.Func), "set")
	}
	return false
}

// mapComp turns a call of map or filter into a generator: map(f, xs) becomes (f(x) for x in xs), and map(lambda x, y:
// x + y, xs, ys) becomes (x + y for x, y in zip(xs, ys)). ok is false for other calls, and for a call of map with several
// lists whose function is not a lambda.
func (r *rewriter) mapComp(e *pysyntax.Call) (_ *pysyntax.Comp, ok bool) {
	name, lists := r.pythonName(e.Func), len(e.Args)-1
	if !(name == "map" && lists > 0 || name == "filter" && lists == 1) || countPositional(e) != len(e.Args) {
		return nil, false
	}
	f := e.Args[0].Value
	at := f.Location()
	loop := pysyntax.Loop{Var: pysyntax.Param{Place: at, Name: unnamedElement}, In: r.zipLists(e)}
	var element, result pysyntax.Expr = &pysyntax.Name{Place: at, Name: unnamedElement}, nil
	switch f := f.(type) {
	case *pysyntax.Lambda:
		if len(f.Params) == lists {
			loop.Var, loop.More, result = f.Params[0], f.Params[1:], f.Body
			element = &pysyntax.Name{Place: at, Name: loop.Var.Name}
		}
	case *pysyntax.None:
		if name == "filter" {
			result = element
		}
	case *pysyntax.Name, *pysyntax.Attr:
		if lists == 1 {
			result = &pysyntax.Call{Place: at, Func: f, Args: []pysyntax.Arg{{Place: at, Value: element}}}
		}
	}
	if result == nil || loop.In == nil {
		return nil, false
	}
	if name == "filter" {
		loop.If, result = result, element
	}
	return &pysyntax.Comp{Place: e.Place, Brackets: pysyntax.Round, Elem: result, Loops: []pysyntax.Loop{loop}}, true
}

// zipLists returns the list of e, a call of map or filter, or a call of zip with its lists if it has several. It returns
// nil if zip has another meaning.
func (r *rewriter) zipLists(e *pysyntax.Call) pysyntax.Expr {
	zip := &pysyntax.Name{Place: e.Func.Location(), Name: "zip"}
	switch {
	case len(e.Args) == 2:
		return e.Args[1].Value
	case r.pythonName(zip) == "":
		return nil
	}
	return &pysyntax.Call{Place: e.Place, Func: zip, Args: e.Args[1:]}
}

// rewriteIndex rewrites x[i]. If i is a constant, x can be a call that returns a tuple, as in divmod(a, b)[0].
func (r *rewriter) rewriteIndex(e *pysyntax.Index) pysyntax.Expr {
	rewritten := pysyntax.MapParts(e, r.rewriteValue).(*pysyntax.Index)
	if call, ok := rewritten.X.(*pysyntax.Call); ok {
		indexed := *call
		indexed.MayBeTuple = isTupleIndex(rewritten.Index, tupleLength(writtenName(call.Func)))
		rewritten.X = &indexed
	}
	return rewritten
}

// tupleLength returns the length of the tuple that divmod, partition or rpartition returns.
func tupleLength(function string) int64 {
	if function == "divmod" {
		return 2
	}
	return 3 // partition, rpartition
}

// isTupleIndex reports whether e is a constant index of a tuple of the given length.
func isTupleIndex(e pysyntax.Expr, length int64) bool {
	limit := length - 1
	if u, ok := e.(*pysyntax.Unary); ok && u.Op.Text == "-" {
		e, limit = u.X, length
	}
	n, ok := e.(*pysyntax.Int)
	return ok && n.Value.IsInt64() && n.Value.Int64() <= limit
}

// rewriteCompare rewrites a chain of comparisons. The right operand of a final `in` may be a tuple or a set.
func (r *rewriter) rewriteCompare(e *pysyntax.Compare) pysyntax.Expr {
	if op := e.Rest[0].Op; len(e.Rest) == 1 && !strings.HasSuffix(op.Text, "in") && r.isSet(e.X) && r.isSet(e.Rest[0].Y) {
		return r.reportSetOperation(e, op, e.X, e.Rest[0].Y)
	}
	rewritten := &pysyntax.Compare{Place: e.Place, X: r.rewriteValue(e.X), Rest: slices.Clone(e.Rest)}
	for i, c := range e.Rest {
		if isLast := len(e.Rest) == i+1; isLast && strings.HasSuffix(c.Op.Text, "in") && !r.isLazy(c.Y) {
			rewritten.Rest[i].Y = r.rewriteElements(c.Y, true)
		} else {
			rewritten.Rest[i].Y = r.rewriteValue(c.Y)
		}
	}
	return rewritten
}

// bindMethod turns str.lower(s) into s.lower(). It returns nil if that is not possible. f is the function of e.
func bindMethod(e *pysyntax.Call, f *pysyntax.Attr) *pysyntax.Call {
	if textMethods[f.Name.Name] == nil || len(e.Args) == 0 || e.Args[0].Name != "" || e.Args[0].Star || f.Name.Name == "format" {
		return nil
	}
	rewritten := *e
	rewritten.Func = &pysyntax.Attr{Place: f.Place, X: e.Args[0].Value, Name: f.Name}
	rewritten.Args, rewritten.Unbound = e.Args[1:], true
	return &rewritten
}

// rewriteAffixes rewrites a call such as s.startswith(('a', 'b')). It keeps the tuple, which rewriteValue would
// report. It returns nil for other calls.
func (r *rewriter) rewriteAffixes(e *pysyntax.Call) pysyntax.Expr {
	if _, method := e.Func.(*pysyntax.Attr); !method || len(e.Args) == 0 || e.Args[0].Star || !strings.HasSuffix(writtenName(e.Func), "swith") {
		return nil
	}
	tuple, ok := e.Args[0].Value.(*pysyntax.List)
	if !ok || tuple.Brackets != pysyntax.Round {
		return nil
	}
	rewritten := *e
	rewritten.Func = r.rewriteValue(e.Func)
	rewritten.Args = append([]pysyntax.Arg{e.Args[0]}, r.rewriteArgs(e.Args[1:])...)
	rewritten.Args[0].Value = pysyntax.MapParts(tuple, r.rewriteValue)
	return &rewritten
}

// hasStar reports whether a list display has a starred element.
func hasStar(e *pysyntax.List) bool {
	return slices.ContainsFunc(e.Elems, func(e pysyntax.Expr) bool { _, star := e.(*pysyntax.Star); return star })
}
