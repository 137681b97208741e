package lambda

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// rewriter replaces expressions by equivalent ones that are easier to check: generators by list
// comprehensions where Python builds a list as well, tuples and sets that are only searched by lists,
// and calls such as map(f, xs) by comprehensions. What only a loop or function sees, such as range(n) in
// a comprehension, becomes an Iter. It reports generators, tuples and sets in all other places.
type rewriter struct {
	*nameResolver
	bound map[string]int // how many comprehensions and lambdas bind a name
}

// rewriteBody rewrites the body of a lambda.
func rewriteBody(body pysyntax.Expr, n *nameResolver) pysyntax.Expr {
	n.body = body
	return (&rewriter{n, map[string]int{}}).rewriteResult(body)
}

// rewriteValue rewrites an expression whose value may be any.
func (r *rewriter) rewriteValue(e pysyntax.Expr) pysyntax.Expr {
	switch e := e.(type) {
	case *pysyntax.List:
		if e.Brackets != pysyntax.Square {
			return r.reportBrackets(e, e.Brackets)
		}
	case *pysyntax.Binary:
		if r.isSet(e.X) && r.isSet(e.Y) {
			return r.reportSetOperation(e, e.Op, e.X, e.Y)
		}
		if e.Op.Text == "&" || e.Op.Text == "^" {
			r.addUnsupported(e.Op.Place, "the operator "+e.Op.Text)
			return &pysyntax.Bad{Place: e.Place}
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
		r.addUnsupported(e.Place, "a lambda inside the lambda").WithHelp("only the argument key, map and filter take one")
		return &pysyntax.Bad{Place: e.Place}
	case *pysyntax.Index:
		return r.rewriteIndex(e)
	case *pysyntax.Compare:
		return r.rewriteCompare(e)
	}
	return pysyntax.MapParts(e, r.rewriteValue)
}

// rewriteComp rewrites a comprehension. unordered says that the order of its elements does not matter.
func (r *rewriter) rewriteComp(e *pysyntax.Comp, brackets pysyntax.Brackets, unordered bool) *pysyntax.Comp {
	return r.rewriteLoop(e, brackets, unordered, r.rewriteValue)
}

// rewriteLoop is rewriteComp with a function that rewrites the element.
func (r *rewriter) rewriteLoop(e *pysyntax.Comp, brackets pysyntax.Brackets, unordered bool, rewrite func(pysyntax.Expr) pysyntax.Expr) *pysyntax.Comp {
	made := *e
	made.Brackets = brackets
	made.Loops = slices.Clone(e.Loops)
	if key, ok := e.Key.(*pysyntax.Name); ok && len(e.Loops) == 1 && key.Name == e.Loops[0].Var.Name { // equal keys have equal values
		unordered = true
	}
	r.rewriteLoops(made.Loops, unordered, func() {
		if e.Key != nil {
			made.Key = r.rewriteValue(e.Key)
		}
		made.Elem = rewrite(e.Elem)
	})
	return &made
}

// rewriteLoops rewrites loops in place, and calls build with their names bound.
func (r *rewriter) rewriteLoops(loops []pysyntax.Loop, unordered bool, build func()) {
	if len(loops) == 0 {
		build()
		return
	}
	l := &loops[0]
	l.In = r.rewriteElements(l.In, unordered)
	r.bindNames(l.Names(), func() {
		if l.If != nil {
			l.If = r.rewriteValue(l.If)
		}
		r.rewriteLoops(loops[1:], unordered, build)
	})
}

// bindNames calls build with names that a comprehension or a lambda binds.
func (r *rewriter) bindNames(names []pysyntax.Param, build func()) {
	for _, p := range names {
		r.bound[p.Name]++
	}
	build()
	for _, p := range names {
		r.bound[p.Name]--
	}
}

// pythonName returns the name of a Python function that an expression refers to, or "".
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

// rewriteCall rewrites a call whose value may be any.
func (r *rewriter) rewriteCall(e *pysyntax.Call) pysyntax.Expr {
	if f, ok := e.Func.(*pysyntax.Attr); ok {
		if made := r.rewriteMethod(e, f); made != nil {
			return made
		}
	}
	if l, ok := e.Func.(*pysyntax.Lambda); ok {
		suggester{r.nameResolver}.reportCalledLambda(e, l)
		return &pysyntax.Bad{Place: e.Place}
	}
	name := r.pythonName(e.Func)
	if made := r.rewriteBuiltin(e, name); made != nil {
		return made
	}
	if made := r.rewriteReader(e, name); made != nil {
		return made
	}
	if r.isSet(e) && len(e.Args) == 1 && countPositional(e) == 1 {
		return r.reportBrackets(e, pysyntax.Curly)
	}
	made := *e
	made.Func = r.rewriteValue(e.Func)
	made.Args = r.rewriteArgs(e.Args)
	return &made
}

// rewriteReader rewrites a call of a Python function that reads the elements of its first argument. It
// returns nil for others.
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

// rewriteMethod rewrites a call of a method that takes a tuple or reads elements, or that is called
// through its type. It returns nil for others.
func (r *rewriter) rewriteMethod(e *pysyntax.Call, f *pysyntax.Attr) pysyntax.Expr {
	if f.Name.Name == "join" && len(e.Args) == 1 {
		return r.rewriteFirst(e, r.rewriteValue(f), false)
	}
	if r.pythonName(f.X) == "str" {
		if made := bindMethod(e, f); made != nil {
			return pysyntax.MapParts(made, r.rewriteValue)
		}
	}
	if op := setMethods[f.Name.Name]; op != "" && len(e.Args) == 1 && r.isSet(f.X) {
		return r.reportSetOperation(e, pysyntax.Op{Place: f.Name.Place, Text: op}, f.X, e.Args[0].Value)
	}
	return r.rewriteAffixes(e)
}

// setMethods are methods of sets and the operators with the same value.
var setMethods = map[string]string{"issubset": "<=", "issuperset": ">=", "union": "|", "difference": "-", "intersection": "&", "symmetric_difference": "^", "isdisjoint": "isdisjoint"}

// readsElements reports whether a call reads only the elements of its first argument. Their order may
// affect the result only if there is a key.
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

// rewriteArgs rewrites arguments, in which key may be a lambda.
func (r *rewriter) rewriteArgs(args []pysyntax.Arg) []pysyntax.Arg {
	made := slices.Clone(args)
	for i, a := range args {
		l, ok := a.Value.(*pysyntax.Lambda)
		if !ok || a.Name != "key" {
			made[i].Value = r.rewriteValue(a.Value)
			continue
		}
		key := *l
		r.bindNames(l.Params, func() { key.Body = r.rewriteKey(l.Body) })
		made[i].Value = &key
	}
	return made
}

// rewriteFirst rewrites a call of f that reads the elements of its first argument.
func (r *rewriter) rewriteFirst(e *pysyntax.Call, f pysyntax.Expr, unordered bool) pysyntax.Expr {
	made := *e
	made.Func = f
	made.Args = append([]pysyntax.Arg{e.Args[0]}, r.rewriteArgs(e.Args[1:])...)
	if first := &made.Args[0]; first.Star || first.Name != "" {
		first.Value = r.rewriteValue(first.Value)
	} else {
		first.Value = r.rewriteElements(first.Value, unordered)
	}
	return &made
}

// rewriteSearch rewrites a call of any, all or next. A generator remains one, because they stop early.
func (r *rewriter) rewriteSearch(e *pysyntax.Call) pysyntax.Expr {
	g, ok := r.rewriteLazy(e.Args[0].Value)
	if !ok || e.Args[0].Name != "" || e.Args[0].Star {
		if name, _ := e.Func.(*pysyntax.Name); name.Name == "next" {
			return pysyntax.MapParts(e, r.rewriteValue)
		}
		return r.rewriteFirst(e, e.Func, true)
	}
	made := *e
	made.Args = append([]pysyntax.Arg{e.Args[0]}, r.rewriteArgs(e.Args[1:])...)
	made.Args[0].Value = r.rewriteComp(g, pysyntax.Round, writtenName(e.Func) != "next")
	return &made
}

// rewriteLazy returns a generator, or a call of map or filter as one.
func (r *rewriter) rewriteLazy(e pysyntax.Expr) (*pysyntax.Comp, bool) {
	switch e := e.(type) {
	case *pysyntax.Comp:
		return e, e.Brackets == pysyntax.Round
	case *pysyntax.Call:
		return r.mapComp(e)
	}
	return nil, false
}

// isLazy reports whether Python computes the elements of an expression only when they are read.
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
		if writtenName(elements.Call.Func) != "keys" { // the keys are a dict
			return elements
		}
	case *pysyntax.Bad:
		return elements
	case *pysyntax.Comp:
		made := *elements
		made.Place = e.Place
		return &made
	}
	return newListComp(e.Place, elements)
}

// newListComp returns [x for x in e].
func newListComp(at pysyntax.Place, e pysyntax.Expr) *pysyntax.Comp {
	element := pysyntax.Param{Place: at, Name: unnamedElement}
	return &pysyntax.Comp{Place: at, Elem: &pysyntax.Name{Place: at, Name: unnamedElement}, Loops: []pysyntax.Loop{{Var: element, In: e}}}
}

// rewriteElements rewrites an expression of which only the elements are read.
func (r *rewriter) rewriteElements(e pysyntax.Expr, unordered bool) pysyntax.Expr {
	switch e := e.(type) {
	case *pysyntax.Comp:
		made := r.rewriteComp(e, pysyntax.Square, unordered || e.Brackets == pysyntax.Curly)
		if e.Brackets == pysyntax.Curly {
			return newSet(made, unordered)
		}
		return made
	case *pysyntax.List:
		if e.Brackets == pysyntax.Curly {
			return newSet(r.rewriteDisplay(e), unordered)
		}
		return r.rewriteDisplay(e)
	case *pysyntax.Call:
		if made := r.rewriteIterable(e, unordered); made != nil {
			return made
		}
	}
	return r.rewriteValue(e)
}

// rewriteDisplay rewrites a display as a list.
func (r *rewriter) rewriteDisplay(e *pysyntax.List) pysyntax.Expr {
	made := *e
	made.Brackets = pysyntax.Square
	return r.rewriteValue(&made)
}

// newSet returns the elements of a set of what a list holds.
func newSet(list pysyntax.Expr, unordered bool) pysyntax.Expr {
	at := list.Location()
	return &pysyntax.Iter{Place: at, Unordered: unordered, Call: &pysyntax.Call{Place: at, Func: &pysyntax.Name{Place: at, Name: "set"}, Args: []pysyntax.Arg{{Place: at, Value: list}}}}
}

// rewriteIterable rewrites a call of which only the elements are read. It returns nil if any value
// would be read in the same way.
func (r *rewriter) rewriteIterable(e *pysyntax.Call, unordered bool) pysyntax.Expr {
	if isView(e) {
		return &pysyntax.Iter{Place: e.Place, Unordered: unordered, Call: pysyntax.MapParts(e, r.rewriteValue).(*pysyntax.Call)}
	}
	if made, ok := r.mapComp(e); ok {
		return r.rewriteComp(made, pysyntax.Square, unordered)
	}
	if (suggester{r.nameResolver}).isFromKeys(e) && len(e.Args) == 1 { // the different elements, in their order
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

// rewriteSortedItems rewrites sorted(d.items()), whose order follows from the keys. It returns nil for
// other calls of sorted.
func (r *rewriter) rewriteSortedItems(e *pysyntax.Call) pysyntax.Expr {
	if !isItems(e.Args[0].Value) || hasKey(e) {
		return nil
	}
	return &pysyntax.Iter{Place: e.Place, Call: r.rewriteEach(e, 1, true)}
}

// countLists returns how many arguments of a function that makes elements are lists, or -1 for another
// function.
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

// rewriteEach rewrites the arguments of a call, of which the first n are only read as elements.
func (r *rewriter) rewriteEach(e *pysyntax.Call, n int, unordered bool) *pysyntax.Call {
	made := *e
	made.Args = slices.Clone(e.Args)
	for i, a := range e.Args {
		if i < n {
			made.Args[i].Value = r.rewriteElements(a.Value, unordered)
		} else {
			made.Args[i].Value = r.rewriteValue(a.Value)
		}
	}
	return &made
}

// isView reports whether an expression calls a method of dicts that returns a view.
func isView(e *pysyntax.Call) bool {
	f, ok := e.Func.(*pysyntax.Attr)
	return ok && len(e.Args) == 0 && slices.Contains([]string{"items", "keys", "values"}, f.Name.Name)
}

func isItems(e pysyntax.Expr) bool {
	call, ok := e.(*pysyntax.Call)
	return ok && isView(call) && writtenName(call.Func) == "items"
}

// isSet reports whether an expression is written as a set.
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

// mapComp returns a call of map or of filter as a generator. A map of several lists must have a lambda.
func (r *rewriter) mapComp(e *pysyntax.Call) (*pysyntax.Comp, bool) {
	name := r.pythonName(e.Func)
	if name == "map" && len(e.Args) > 2 {
		return r.mapPairs(e)
	}
	if name != "map" && name != "filter" || len(e.Args) != 2 || countPositional(e) != 2 {
		return nil, false
	}
	f := e.Args[0].Value
	at := f.Location()
	loop := pysyntax.Loop{Var: pysyntax.Param{Place: at, Name: unnamedElement}, In: e.Args[1].Value}
	var element pysyntax.Expr = &pysyntax.Name{Place: at, Name: unnamedElement}
	var result pysyntax.Expr
	switch f := f.(type) {
	case *pysyntax.Lambda:
		if len(f.Params) != 1 {
			return nil, false
		}
		loop.Var, result = f.Params[0], f.Body
		element = &pysyntax.Name{Place: at, Name: loop.Var.Name}
	case *pysyntax.None:
		if name == "map" {
			return nil, false
		}
		result = element
	case *pysyntax.Name, *pysyntax.Attr:
		result = &pysyntax.Call{Place: at, Func: f, Args: []pysyntax.Arg{{Place: at, Value: element}}}
	default:
		return nil, false
	}
	if name == "filter" {
		loop.If, result = result, element
	}
	return &pysyntax.Comp{Place: e.Place, Brackets: pysyntax.Round, Elem: result, Loops: []pysyntax.Loop{loop}}, true
}

// mapPairs returns a call of map with a lambda and several lists as a generator over zip.
func (r *rewriter) mapPairs(e *pysyntax.Call) (*pysyntax.Comp, bool) {
	l, ok := e.Args[0].Value.(*pysyntax.Lambda)
	zip := &pysyntax.Name{Place: e.Func.Location(), Name: "zip"}
	if !ok || len(l.Params) != len(e.Args)-1 || countPositional(e) != len(e.Args) || r.pythonName(zip) == "" {
		return nil, false
	}
	pairs := &pysyntax.Call{Place: e.Place, Func: zip, Args: e.Args[1:]}
	loop := pysyntax.Loop{Var: l.Params[0], More: l.Params[1:], In: pairs}
	return &pysyntax.Comp{Place: e.Place, Brackets: pysyntax.Round, Elem: l.Body, Loops: []pysyntax.Loop{loop}}, true
}

// rewriteIndex rewrites an index. With a constant index, the value may be a tuple.
func (r *rewriter) rewriteIndex(e *pysyntax.Index) pysyntax.Expr {
	made := pysyntax.MapParts(e, r.rewriteValue).(*pysyntax.Index)
	if call, ok := made.X.(*pysyntax.Call); ok {
		indexed := *call
		indexed.MayBeTuple = isTupleIndex(made.Index, tupleLength(writtenName(call.Func)))
		made.X = &indexed
	}
	return made
}

// tupleLength returns the length of the tuple that a function or method may return.
func tupleLength(function string) int64 {
	if function == "divmod" {
		return 2
	}
	return 3 // partition, rpartition
}

// isTupleIndex reports whether an index is constant and one of a tuple with a length.
func isTupleIndex(e pysyntax.Expr, length int64) bool {
	most := length - 1
	if u, ok := e.(*pysyntax.Unary); ok && u.Op.Text == "-" {
		e, most = u.X, length
	}
	n, ok := e.(*pysyntax.Int)
	return ok && n.Value.IsInt64() && n.Value.Int64() <= most
}

// rewriteCompare rewrites a chain of comparisons. What is searched with `in` may be a tuple or a set.
func (r *rewriter) rewriteCompare(e *pysyntax.Compare) pysyntax.Expr {
	if op := e.Rest[0].Op; len(e.Rest) == 1 && !strings.HasSuffix(op.Text, "in") && r.isSet(e.X) && r.isSet(e.Rest[0].Y) {
		return r.reportSetOperation(e, op, e.X, e.Rest[0].Y)
	}
	made := &pysyntax.Compare{Place: e.Place, X: r.rewriteValue(e.X), Rest: slices.Clone(e.Rest)}
	for i, c := range e.Rest {
		if alone := len(e.Rest) == i+1; alone && strings.HasSuffix(c.Op.Text, "in") && !r.isLazy(c.Y) {
			made.Rest[i].Y = r.rewriteElements(c.Y, true)
		} else {
			made.Rest[i].Y = r.rewriteValue(c.Y)
		}
	}
	return made
}

// bindMethod returns a call such as str.lower(s) as one of a method of its first argument, or nil if that
// is not possible.
func bindMethod(e *pysyntax.Call, f *pysyntax.Attr) *pysyntax.Call {
	if textMethods[f.Name.Name] == nil || len(e.Args) == 0 || e.Args[0].Name != "" || e.Args[0].Star || f.Name.Name == "format" {
		return nil
	}
	made := *e
	made.Func = &pysyntax.Attr{Place: f.Place, X: e.Args[0].Value, Name: f.Name}
	made.Args, made.Unbound = e.Args[1:], true
	return &made
}

// rewriteAffixes rewrites a call of startswith or endswith with a tuple. It returns nil for others.
func (r *rewriter) rewriteAffixes(e *pysyntax.Call) pysyntax.Expr {
	if _, method := e.Func.(*pysyntax.Attr); !method || len(e.Args) == 0 || e.Args[0].Star || !strings.HasSuffix(writtenName(e.Func), "swith") {
		return nil
	}
	tuple, ok := e.Args[0].Value.(*pysyntax.List)
	if !ok || tuple.Brackets != pysyntax.Round {
		return nil
	}
	made := *e
	made.Func = r.rewriteValue(e.Func)
	made.Args = append([]pysyntax.Arg{e.Args[0]}, r.rewriteArgs(e.Args[1:])...)
	made.Args[0].Value = pysyntax.MapParts(tuple, r.rewriteValue)
	return &made
}
