package shape

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/source"
	"github.com/aiongen/aiongen/internal/lazyregexp"
)

// ReadSequence reads the type of a result that is a sequence, such as an iterator, a pager or a channel.
// It returns the sequence and the shape of the list of its items. The Go type in this shape is that of the
// sequence. A result with a method that decodes a single value counts as a sequence; list is then the
// shape of the value. For other types, found is nil.
func (s *Shapes) ReadSequence(t types.Type, at diag.Span) (found *model.Sequence, list *model.Type, faults diag.List, err error) {
	found, key, item := s.findSequence(types.Unalias(t))
	if found == nil {
		return nil, nil, nil, nil
	}
	if found.Go, err = s.write.GoType(t); err != nil {
		return nil, nil, nil, err
	}
	if found.Form == model.Decoded {
		value, faults, err := s.ReadResult(item, at)
		return found, value, faults, err
	}
	if found.Form == model.Methods {
		if found.Item, err = s.write.GoType(item); err != nil {
			return nil, nil, nil, err
		}
		if found.Page != nil {
			if found.Page, item, err = s.findItems(item); err != nil {
				return nil, nil, nil, err
			}
		}
	}
	var elem *model.Type
	if found.Form == model.Pairs {
		elem, faults, err = s.readPair(key, item, at)
	} else {
		elem, faults, err = s.ReadResult(item, at)
	}
	return found, &model.Type{Kind: model.Slice, Go: found.Go, Elem: elem}, faults, err
}

// readPair reads the shape of an item that is a pair.
func (s *Shapes) readPair(key, value types.Type, at diag.Span) (*model.Type, diag.List, error) {
	pkg := types.NewPackage("sequence", "sequence") // not the user's module, where a field with a json tag is never left out
	fields := []*types.Var{types.NewField(token.NoPos, pkg, "Key", key, false), types.NewField(token.NoPos, pkg, "Value", value, false)}
	pair, faults, err := s.ReadResult(types.NewStruct(fields, []string{`json:"key"`, `json:"value"`}), at)
	if err != nil {
		return nil, faults, err
	}
	pair = new(*pair)
	pair.Go = model.GoType{Path: model.SequencePath, Pkg: "sequence", Name: "Pair"}
	for _, t := range []types.Type{key, value} {
		part, err := s.write.GoType(t)
		if err != nil {
			return nil, faults, err
		}
		pair.Go.Elems = append(pair.Go.Elems, part)
	}
	return pair, faults, nil
}

// ListOf returns the shape of the list into which generated code collects the items.
func ListOf(items *model.Type) *model.Type {
	slice := *items
	slice.Go = model.GoType{Kind: model.GoSlice, Elems: []model.GoType{items.Elem.Go}}
	return &model.Type{
		Kind: model.StructKind, Collected: true,
		Go: model.GoType{Path: model.SequencePath, Pkg: "sequence", Name: "List", Elems: []model.GoType{items.Elem.Go}},
		Fields: []*model.Field{
			{Name: "items", Path: []string{"Items"}, Type: &slice},
			{Name: "more", Path: []string{"More"}, Type: &model.Type{Kind: model.Bool, Go: model.Basic("bool")}, Description: "whether there are more items, which are not listed"},
		},
	}
}

// findSequence returns how to read a sequence, and the type of its items. The key is nil unless the items
// are pairs. For a pager, item is the type of a page. If t is not a sequence, or has a form in JSON, found
// is nil.
func (s *Shapes) findSequence(t types.Type) (found *model.Sequence, key, item types.Type) {
	r := typeReader{Shapes: s, output: true}
	if isInvalid(t) || s.representingType(t) != nil || r.isFilled(t) || r.isOpaque(t) {
		return nil, nil, nil
	}
	found, key, item = findRange(t)
	if found == nil {
		found, key, item = s.findMethods(t)
	}
	if found == nil || found.Form != model.Methods || found.Page == nil {
		if _, own := r.ownForm(t); own {
			return nil, nil, nil
		}
	}
	return found, key, item
}

// findRange returns the sequence if t is a function for range loops, or a receive-only channel whose elements
// are not errors.
func findRange(t types.Type) (found *model.Sequence, key, item types.Type) {
	switch u := t.Underlying().(type) {
	case *types.Chan:
		if u.Dir() == types.RecvOnly && !source.IsError(u.Elem()) {
			return &model.Sequence{Form: model.Receiver}, nil, u.Elem()
		}
	case *types.Signature:
		return findYield(u)
	}
	return nil, nil, nil
}

// findYield returns the sequence if it is a function that passes its items to a function yield.
func findYield(sig *types.Signature) (found *model.Sequence, key, item types.Type) {
	if sig.Params().Len() != 1 || sig.Results().Len() != 0 || sig.Variadic() {
		return nil, nil, nil
	}
	yield, ok := types.Unalias(sig.Params().At(0).Type()).(*types.Signature)
	if !ok || yield.Variadic() || yield.Results().Len() != 1 || !types.Identical(yield.Results().At(0).Type(), types.Typ[types.Bool]) {
		return nil, nil, nil
	}
	switch values := yield.Params(); {
	case values.Len() == 1:
		return &model.Sequence{Form: model.Values}, nil, values.At(0).Type()
	case values.Len() == 2 && source.IsError(values.At(1).Type()):
		return &model.Sequence{Form: model.ErrorPairs}, nil, values.At(0).Type()
	case values.Len() == 2:
		return &model.Sequence{Form: model.Pairs}, values.At(0).Type(), values.At(1).Type()
	}
	return nil, nil, nil
}

// findMethods returns the sequence if t has the methods of a pager, an iterator or a lister, or methods
// that decode a single value. The item is the result of the method that returns the next item or page; for
// a lister, it is an item of the sequence that the lister returns.
func (s *Shapes) findMethods(t types.Type) (found *model.Sequence, key, item types.Type) {
	elem := t
	if p, ok := t.Underlying().(*types.Pointer); ok {
		elem = p.Elem()
	}
	if u, ok := elem.Underlying().(*types.Struct); ok && isMeantAsJSON(u) {
		return nil, nil, nil
	}
	methods := methodsOf(t)
	if found, item = findPager(methods); found == nil {
		found, item = findScanner(methods)
	}
	if found == nil {
		found, item = s.findIterator(methods)
	}
	if found != nil {
		found.Form = model.Methods
	} else if found, key, item = findLister(elem, methods); found == nil {
		found, item = findDecoded(methods)
	}
	if found == nil || types.Identical(item, t) { // t is an element of a linked list
		return nil, nil, nil
	}
	found.Nilable = isPointerOrInterface(t)
	for _, name := range releaseMethods {
		if m := methods[name]; m != nil && found.Release == "" && isRelease(m) {
			found.Release, found.Detach = name, m.Signature().Params().Len() > 0
		}
	}
	return found, key, item
}

// releaseMethods are the names of the methods to call after the last item.
var releaseMethods = []string{"Stop", "Close"}

// isRelease reports whether a method takes at most a context and returns at most an error.
func isRelease(m *types.Func) bool {
	sig := m.Signature()
	return takesAtMostContext(sig) && (sig.Results().Len() == 0 || sig.Results().Len() == 1 && source.IsError(sig.Results().At(0).Type()))
}

// takesAtMostContext reports whether a method has no parameters, or a context as its only one.
func takesAtMostContext(sig *types.Signature) bool {
	return sig.Params().Len() == 0 || sig.Params().Len() == 1 && source.IsContext(sig.Params().At(0).Type())
}

// findLister returns the sequence of a type with a method that returns a channel or a function for range
// loops. Apart from this method, the type may only have the methods Err or Error, Stop and Close. A type with
// other methods is a handle, and so is a struct with exported fields. Without a method for an error, the name
// of the type must end in Lister, because a subscription, which never ends, has the same methods.
func findLister(t types.Type, methods map[string]*types.Func) (found *model.Sequence, key, item types.Type) {
	if u, ok := t.Underlying().(*types.Struct); ok && slices.ContainsFunc(slices.Collect(u.Fields()), (*types.Var).Exported) {
		return nil, nil, nil
	}
	var items, failures []*types.Func
	for name, m := range methods {
		switch {
		case isFailure(m):
			failures = append(failures, m)
		case !slices.Contains(releaseMethods, name) || !isRelease(m):
			items = append(items, m)
		}
	}
	if len(items) != 1 || len(failures) > 1 || len(failures) == 0 && !hasListerName(t) {
		return nil, nil, nil
	}
	if found, key, item = findItemsMethod(items[0]); found != nil && len(failures) == 1 {
		found.Failure = failures[0].Name()
	}
	return found, key, item
}

func hasListerName(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && strings.HasSuffix(named.Obj().Name(), "Lister")
}

// findItemsMethod returns the sequence that a method without parameters returns. It returns nil if the items
// are struct{}, because a channel of struct{} only signals that something has happened.
func findItemsMethod(m *types.Func) (found *model.Sequence, key, item types.Type) {
	if sig := m.Signature(); sig.Params().Len() == 0 && sig.Results().Len() == 1 {
		found, key, item = findRange(sig.Results().At(0).Type())
	}
	if found == nil || isBlankStruct(item) {
		return nil, nil, nil
	}
	found.Items = m.Name()
	return found, key, item
}

// isBlankStruct reports whether a type is a struct without fields.
func isBlankStruct(t types.Type) bool {
	u, ok := t.Underlying().(*types.Struct)
	return ok && u.NumFields() == 0
}

// findPager returns the sequence of a type with a method such as More or HasNext, which reports whether there
// are more items or pages.
func findPager(methods map[string]*types.Func) (found *model.Sequence, item types.Type) {
	for _, pair := range []struct {
		more, next string
		page       *model.Page
	}{{"More", "NextPage", &model.Page{}}, {"HasMorePages", "NextPage", &model.Page{}}, {"HasNext", "Next", nil}} {
		if more := methods[pair.more]; more == nil || !hasSignature(more, types.Typ[types.Bool]) {
			continue
		}
		if found, item = readNext(methods[pair.next]); found != nil {
			found.More, found.Page = pair.more, pair.page
			return found, item
		}
	}
	return nil, nil
}

// currentMethods are the names of methods that return the item to which an iterator has advanced.
var currentMethods = []string{"Current", "Value", "Val", "Item"}

// findScanner returns the sequence of a type with the methods Next, which advances to the next item and
// reports whether there is one, and Err or Error. The item comes from one of the currentMethods, or from
// Decode. With Decode, the type must also have a method All, because a subscription, which never ends, may
// have the other methods. A type with a method Key is excluded, because its items are pairs.
func findScanner(methods map[string]*types.Func) (found *model.Sequence, item types.Type) {
	next := methods["Next"]
	if next == nil || methods["Key"] != nil || !takesAtMostContext(next.Signature()) || !returnsOnly(next, types.Typ[types.Bool]) {
		return nil, nil
	}
	found = &model.Sequence{More: next.Name(), Context: next.Signature().Params().Len() > 0, Failure: failureOf(methods)}
	for _, name := range currentMethods {
		if m := methods[name]; m != nil && m.Signature().Params().Len() == 0 && m.Signature().Results().Len() == 1 {
			found.Current, item = name, m.Signature().Results().At(0).Type()
			break
		}
	}
	if item == nil && decodesAny(methods["Decode"]) && methods["All"] != nil {
		found.Decode, item = "Decode", anyInterface
	}
	if item == nil || found.Failure == "" || isBlankStruct(item) {
		return nil, nil
	}
	return found, item
}

// findDecoded returns the sequence of a type with the method Decode, which decodes its only value, and Err
// or Error.
func findDecoded(methods map[string]*types.Func) (found *model.Sequence, item types.Type) {
	if methods["Next"] != nil || !decodesAny(methods["Decode"]) || failureOf(methods) == "" {
		return nil, nil
	}
	return &model.Sequence{Form: model.Decoded, Decode: "Decode"}, anyInterface
}

var anyInterface = types.Universe.Lookup("any").Type()

// decodesAny reports whether a method takes one parameter of type any and returns an error.
func decodesAny(m *types.Func) bool {
	return m != nil && m.Signature().Params().Len() == 1 && types.Identical(m.Signature().Params().At(0).Type(), anyInterface) && returnsOnly(m, errorType)
}

// failureOf returns the name of the method that returns the error with which a sequence ends, "" if there is none.
func failureOf(methods map[string]*types.Func) string {
	for _, name := range []string{"Err", "Error"} {
		if m := methods[name]; m != nil && isFailure(m) {
			return name
		}
	}
	return ""
}

func isFailure(m *types.Func) bool {
	return (m.Name() == "Err" || m.Name() == "Error") && hasSignature(m, errorType)
}

// returnsOnly reports whether a method has one result, of this type.
func returnsOnly(m *types.Func, t types.Type) bool {
	results := m.Signature().Results()
	return results.Len() == 1 && types.Identical(results.At(0).Type(), t)
}

// findIterator returns the sequence if a known error ends it: the one that the comment of Next names, or
// io.EOF for a gRPC stream that only receives.
func (s *Shapes) findIterator(methods map[string]*types.Func) (found *model.Sequence, item types.Type) {
	if methods["Read"] != nil || methods["Send"] != nil {
		return nil, nil
	}
	if found, item = readNext(methods["Next"]); found != nil {
		var ok bool
		if found.Done, ok = s.findDone(methods["Next"]); ok {
			return found, item
		}
	}
	if found, item = readNext(methods["Recv"]); found != nil && methods["CloseSend"] != nil {
		found.Done = endOfFile
		return found, item
	}
	return nil, nil
}

var (
	endOfFile    = model.ErrorVar{Path: "io", Package: "io", Name: "EOF"}
	iteratorDone = model.ErrorVar{Path: "google.golang.org/api/iterator", Package: "iterator", Name: "Done"}
)

// errorName matches names of variables in a comment.
var errorName = lazyregexp.Regexp{Text: `\b(?:[a-z]\w*\.)?(?:Err[A-Z]\w*|EOF|Done)\b`}

// findDone returns the error that ends an iterator. It is the first of
//   - io.EOF, or iterator.Done of Google's API clients, if the comment of Next names it,
//   - the variable of the package that the comment of Next names, if it names only one, and
//   - iterator.Done, if the package imports package iterator.
func (s *Shapes) findDone(next *types.Func) (done model.ErrorVar, ok bool) {
	doc := s.docs.PackageDoc(next.Pkg())
	names := errorName.Get().FindAllString(doc.Text[source.DocKey(next)], -1)
	var own []string
	for _, name := range names {
		switch {
		case name == "io.EOF":
			return endOfFile, true
		case name == "iterator.Done" && doc.Imports[iteratorDone.Path]:
			return iteratorDone, true
		}
		name = strings.TrimPrefix(name, next.Pkg().Name()+".")
		if v, ok := next.Pkg().Scope().Lookup(name).(*types.Var); ok && source.IsError(v.Type()) && !slices.Contains(own, name) {
			own = append(own, name)
		}
	}
	switch {
	case len(own) == 1:
		return model.ErrorVar{Path: next.Pkg().Path(), Package: next.Pkg().Name(), Name: own[0]}, s.write.CheckImport(next.Pkg()) == nil
	case doc.Imports[iteratorDone.Path]:
		return iteratorDone, true
	}
	return model.ErrorVar{}, false
}

// methodsOf returns the exported methods of a type by name.
func methodsOf(t types.Type) map[string]*types.Func {
	all := map[string]*types.Func{}
	set := types.NewMethodSet(t)
	for i := range set.Len() {
		if f, ok := set.At(i).Obj().(*types.Func); ok && f.Exported() {
			all[f.Name()] = f
		}
	}
	return all
}

// readNext reads a method that returns the next item and an error. The method may take a context and
// options. readNext returns nil for other methods.
func readNext(next *types.Func) (found *model.Sequence, item types.Type) {
	if next == nil {
		return nil, nil
	}
	sig, found := next.Signature(), &model.Sequence{Next: next.Name()}
	if sig.Results().Len() != 2 || !source.IsError(sig.Results().At(1).Type()) {
		return nil, nil
	}
	required := sig.Params().Len()
	if sig.Variadic() {
		found.Options = true
		required--
	}
	if required == 1 && source.IsContext(sig.Params().At(0).Type()) {
		found.Context = true
		required--
	}
	if required > 0 {
		return nil, nil
	}
	return found, sig.Results().At(0).Type()
}

// hasSignature reports whether a method has no parameters and these results.
func hasSignature(m *types.Func, results ...types.Type) bool {
	sig := m.Signature()
	return sig.Params().Len() == 0 && slices.EqualFunc(slices.Collect(sig.Results().Variables()), results, func(v *types.Var, t types.Type) bool {
		return types.Identical(v.Type(), t)
	})
}

// findItems returns how to get the items of a page, and their type. If the page is a list, or a struct with
// exactly one list, the items are the elements of the list. Any other page is itself an item; findItems then
// returns nil and the type of the page.
func (s *Shapes) findItems(page types.Type) (*model.Page, types.Type, error) {
	if list, ok := page.Underlying().(*types.Slice); ok && !isBytes(list) {
		elem, err := s.write.GoType(list.Elem())
		return &model.Page{Elem: elem}, list.Elem(), err
	}
	t := source.Deref(page)
	st, ok := t.Underlying().(*types.Struct)
	if !ok || s.representingType(t) != nil {
		return nil, page, nil
	}
	var lists, others []*types.Var
	for _, v := range s.promotedFields(st, map[*types.Struct]bool{}) {
		if selected, _, _ := types.LookupFieldOrMethod(t, true, v.Pkg(), v.Name()); selected != v {
			continue // a selector does not reach it
		}
		if list, ok := v.Type().Underlying().(*types.Slice); ok && !isBytes(list) {
			lists = append(lists, v)
		} else if !isText(v.Type()) && !s.IsBlank(v.Type()) {
			others = append(others, v)
		}
	}
	if len(lists) != 1 {
		return nil, page, nil
	}
	item := lists[0].Type().Underlying().(*types.Slice).Elem()
	elem, err := s.write.GoType(item)
	found := &model.Page{Field: lists[0].Name(), Elem: elem}
	for _, v := range others {
		found.Other = append(found.Other, model.Unseen{Name: v.Name(), Type: s.write.Package.TypeName(v.Type())})
	}
	return found, item, err
}

// promotedFields returns the exported fields of a struct and those of the structs that it embeds.
func (s *Shapes) promotedFields(st *types.Struct, visited map[*types.Struct]bool) (fields []*types.Var) {
	if visited[st] || !s.write.Budget.UseSteps(1+st.NumFields()) {
		return nil
	}
	visited[st] = true
	for v := range st.Fields() {
		t := v.Type()
		if p, ok := t.Underlying().(*types.Pointer); ok && v.Embedded() {
			t = p.Elem()
		}
		if embedded, ok := t.Underlying().(*types.Struct); ok && v.Embedded() {
			fields = append(fields, s.promotedFields(embedded, visited)...)
		} else if v.Exported() {
			fields = append(fields, v)
		}
	}
	return fields
}

// isText reports whether a type is a string or a pointer to one.
func isText(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return isBasic(t, types.IsString)
}
