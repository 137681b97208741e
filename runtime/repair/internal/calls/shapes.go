package calls

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
)

// These are the folded names of members, by their role in a call.
var (
	nameMembers       = []string{"name", "function", "functionname", "tool", "toolname", "action", "actionname", "actionfunction", "recipient"}
	weakNameMembers   = []string{"func", "funcname", "functioncall", "toolcall", "tooluse", "call", "command"} // contain the name of a tool only if there are arguments next to them
	argumentsMembers  = []string{"arguments", "argument", "args", "arg", "parameters", "parameter", "params", "param", "input", "kwargs"}
	argumentsPrefixes = []string{"tool", "function", "action"} // argumentsMembers may have these prefixes
	idMembers         = []string{"id", "callid", "toolcallid", "tooluseid"}
	labelMembers      = []string{"type", "index", "thought", "reasoning"}

	// callMembers contain one or more calls, messageMembers contain values with calls.
	callMembers = []string{
		"functioncall", "toolcall", "tooluse", "call", "command", "actionrequest", "function", "action", "tool",
		"functioncalls", "toolcalls", "tooluses", "calls", "commands", "actionrequests", "actions", "requests", "functions", "tools",
	}
	messageMembers = []string{"choices", "message", "content", "parts", "candidates", "output", "delta"}

	// outcomeMembers contain the outcome of a call. They may have any prefix.
	outcomeMembers = []string{
		"output", "outputs", "result", "results", "response", "responses", "return", "returns", "returned", "returnvalue",
		"error", "errors", "observation", "observations", "outcome", "answer", "exception", "failure",
	}
)

// callParts are the members of an object that may be a call or contain calls.
type callParts struct {
	names          []*jsontext.Node
	weakNames      []*jsontext.Node // names under weakNameMembers
	mcpRequest     bool             // a tools/call request of MCP, whose member "params" is the call
	arguments      *jsontext.Node
	otherArguments *jsontext.Node // a second, different value for the arguments
	textAllowed    bool           // the arguments may be text that is not JSON
	id             string
	inner          []*jsontext.Node // callMembers
	messages       []*jsontext.Node // messageMembers
	others         []*jsontext.Node
	outer          []*jsontext.Node // the members next to this object, if it is the value of a member such as "function"
}

// splitParts sorts the members of an object by their roles.
func splitParts(n *jsontext.Node) (p callParts) {
	for _, m := range n.Items {
		name, composed := words.FoldName(m.Name()), m.Kind == jsontext.Object || m.Kind == jsontext.Array
		switch {
		case composed && slices.Contains(callMembers, name):
			p.inner = append(p.inner, m)
		case composed && slices.Contains(messageMembers, name):
			p.messages = append(p.messages, m)
		case m.Kind == jsontext.String && p.addLabel(name, m):
		case isArgumentsMember(name):
			p.setArguments(m)
			p.textAllowed = p.arguments == m && (name == "actioninput" || name == "toolinput") || p.textAllowed
		case !slices.Contains(labelMembers, name):
			p.others = append(p.others, m)
		}
	}
	return p
}

// addLabel adds the string m to p if m is a label: the name of a tool, an ID or the method of a request. It
// reports whether m is one. name is the folded name of the member.
func (p *callParts) addLabel(name string, m *jsontext.Node) bool {
	switch {
	case name == "recipientname":
		p.names = append(p.names, &jsontext.Node{Kind: jsontext.String, Span: jsontext.Span{Start: m.Start}, Text: jsontext.Quote(strings.TrimPrefix(reader.TextOf(m), "functions."))})
	case slices.Contains(nameMembers, name):
		p.names = append(p.names, m)
	case slices.Contains(weakNameMembers, name):
		p.weakNames = append(p.weakNames, m)
	case name == "method" && reader.TextOf(m) == "tools/call":
		p.mcpRequest = true
	case slices.Contains(idMembers, name):
		p.id = reader.TextOf(m)
	default:
		return false
	}
	return true
}

// setArguments sets p.arguments or, if that is already set to another value, p.otherArguments.
func (p *callParts) setArguments(m *jsontext.Node) {
	switch {
	case p.arguments == nil || reader.IsNothing(p.arguments):
		p.arguments = m
	case !reader.IsNothing(m) && !isSameValue(m, p.arguments):
		p.otherArguments = m
	}
}

// isSameValue reports whether two values are written identically.
func isSameValue(a, b *jsontext.Node) bool {
	if a.Kind != b.Kind || a.Text != b.Text {
		return false
	}
	return slices.EqualFunc(a.Items, b.Items, func(m, n *jsontext.Node) bool { return m.Key == n.Key && isSameValue(m, n) })
}

// isArgumentsMember reports whether a member with the folded name contains the arguments of a call.
func isArgumentsMember(name string) bool {
	for _, prefix := range argumentsPrefixes {
		if rest := strings.TrimPrefix(name, prefix); rest != "" {
			name = rest
		}
	}
	return slices.Contains(argumentsMembers, name)
}

// isOutcomeMember reports whether a member with the folded name contains the outcome of a call. An outcome may
// look like arguments.
func isOutcomeMember(name string) bool {
	return slices.ContainsFunc(outcomeMembers, func(outcome string) bool { return strings.HasSuffix(name, outcome) })
}

// deepestCall is the number of levels of a value that are searched for calls.
const deepestCall = 12

// addCalls adds the calls in a value and reports whether there are any. expected is true in an envelope: the
// value there is a call even if it looks unusual.
func (c *callReader) addCalls(n *jsontext.Node, expected bool) bool {
	return c.addCallsIn(n, callParts{}, expected, 0)
}

// addCallsIn adds the calls in a value that is part of another value.
func (c *callReader) addCallsIn(n *jsontext.Node, outer callParts, expected bool, depth int) (found bool) {
	switch {
	case depth > deepestCall:
		return false
	case n.Kind == jsontext.Array:
		return c.addListedCalls(n.Items, expected, depth+1)
	case n.Kind != jsontext.Object || isDefinition(n):
		return false
	}
	p := splitParts(n)
	p.inherit(outer)
	if c.usesWeakName(p, expected) {
		p.names = p.weakNames
	}
	switch {
	case p.mcpRequest && p.arguments != nil && len(p.names) == 0:
		return c.addMCPCall(p, depth+1)
	case len(p.names) > 0 && p.arguments != nil:
		return c.addDirectCall(p, expected)
	case p.inner != nil:
		return c.addMemberCalls(p.inner, p, true, depth+1)
	case len(p.names) > 0:
		return c.addDirectCall(p, expected)
	case p.messages != nil:
		return c.addMemberCalls(p.messages, callParts{}, expected, depth+1)
	}
	call, ok := c.guessParts(n, p, expected)
	return ok && c.addDirectCall(call, expected)
}

// addListedCalls adds the calls in the elements of a list. It rejects an element that is not a call if it may contain
// the arguments of the call before it.
func (c *callReader) addListedCalls(elements []*jsontext.Node, expected bool, depth int) (found bool) {
	for _, e := range elements {
		requests := len(c.requests)
		isCall := c.addCallsIn(e, callParts{}, expected, depth)
		if !isCall && found && requests > 0 && c.acceptsArguments(c.requests[requests-1].Name, e) {
			c.repaired = true
			c.rejectCall(int(e.Start), "this object may contain the arguments of the call of "+reader.CutShown(c.requests[requests-1].Name)+" before it: write them in the call")
		}
		found = isCall || found
	}
	return found
}

// inherit adds the ID and the arguments from the object around the call, as in
// {"id": "1", "arguments": {}, "function": {"name": "f"}}.
func (p *callParts) inherit(outer callParts) {
	if p.id == "" {
		p.id = outer.id
	}
	if outer.arguments != nil {
		p.setArguments(outer.arguments)
	}
	if len(outer.inner) == 1 && slices.Contains(nameMembers, words.FoldName(outer.inner[0].Name())) {
		p.outer = outer.others
	}
}

// usesWeakName reports whether a member of weakNameMembers contains the name of the call. This is so if there is
// no other name, there are arguments, and one of three conditions holds: a call is expected, the tool was
// offered, or the offered tools are unknown and there are no other members.
func (c *cursor) usesWeakName(p callParts, expected bool) bool {
	if len(p.weakNames) == 0 || len(p.names) > 0 || p.arguments == nil {
		return false
	}
	clear := expected || c.isOffered(reader.TextOf(p.weakNames[0])) || len(c.byName) == 0 && len(p.others) == 0
	return clear && c.unpackArguments(p.arguments).Kind == jsontext.Object
}

// addMCPCall adds the call in a request of the Model Context Protocol.
func (c *callReader) addMCPCall(p callParts, depth int) bool {
	call := p.arguments
	p.arguments = nil
	if broken := len(c.failures); !c.addCallsIn(call, p, true, depth) && len(c.failures) == broken {
		c.rejectCall(int(call.Start), "a call has no name")
	}
	return true
}

// guessParts returns the parts of a call whose members have unusual names. It recognizes an object such as
// {"get_weather": {…}}, whose only member has the name of a tool, and the calls that [callReader.guessMembers]
// recognizes. If a call is expected, the only member may have any name.
func (c *callReader) guessParts(n *jsontext.Node, p callParts, expected bool) (call callParts, ok bool) {
	anyName := expected && p.arguments == nil
	if only := reader.OnlyItem(n); only != nil && (c.isOffered(only.Name()) || anyName && only.Kind == jsontext.Object && isName(only.Name())) {
		return callParts{names: []*jsontext.Node{{Kind: jsontext.String, Text: only.Key}}, arguments: only, id: p.id}, true
	}
	call, ok = c.guessMembers(n)
	call.id = p.id
	return call, ok
}

// guessMembers returns the parts of a call if n consists of the name of an offered tool and valid arguments
// for it. The members may have any names.
func (c *callReader) guessMembers(n *jsontext.Node) (p callParts, ok bool) {
	for _, m := range n.Items {
		switch name := words.FoldName(m.Name()); {
		case slices.Contains(idMembers, name):
		case isOutcomeMember(name):
			return callParts{}, false
		case m.Kind == jsontext.String && p.names == nil && c.byName[reader.TextOf(m)] != nil:
			p.names = []*jsontext.Node{m}
		case m.Kind == jsontext.Object && p.arguments == nil && !slices.Contains(messageMembers, name):
			p.arguments = m
		case !slices.Contains(labelMembers, name) && name != "jsonrpc":
			return callParts{}, false
		}
	}
	return p, p.names != nil && p.arguments != nil && c.acceptsArguments(reader.TextOf(p.names[0]), p.arguments)
}

// acceptsArguments reports whether an object contains valid arguments for an offered tool, and its schema declares
// all of them.
func (c *callReader) acceptsArguments(name string, arguments *jsontext.Node) bool {
	offer := c.findOffer(name)
	if offer.schema == nil || arguments.Kind != jsontext.Object || len(arguments.Items) == 0 || reader.HoleIn(arguments) != nil {
		return false
	}
	for _, m := range arguments.Items {
		if offer.schema.Property(m.Name()) == nil {
			return false
		}
	}
	if c.check == nil {
		c.check = jsonschema.NewChecker(jsonschema.StepsFor(0)) // a small budget, because this is only a guess
	}
	fits := c.check.Fits(arguments, offer.schema)
	if c.check.Err() != nil {
		c.rejectCall(int(arguments.Start), "possible arguments of a call of "+reader.CutShown(name)+" are too large to check")
		return false
	}
	return fits
}

// addMemberCalls adds the calls in some members of an object. If there are several calls, it rejects arguments
// next to these members, because it is unclear which call they belong to.
func (c *callReader) addMemberCalls(members []*jsontext.Node, outer callParts, expected bool, depth int) (found bool) {
	isObject := func(m *jsontext.Node) bool { return m.Kind == jsontext.Object }
	if first := slices.IndexFunc(members, isObject); outer.arguments != nil && first >= 0 && slices.ContainsFunc(members[first+1:], isObject) {
		c.rejectCall(int(outer.arguments.Start), "the arguments "+reader.ShowValue(outer.arguments)+" may belong to several calls")
		return true
	}
	for _, m := range members {
		found = c.addCallsIn(m, outer, expected, depth) || found
	}
	return found
}

// isDefinition reports whether an object defines a tool instead of calling it.
func isDefinition(n *jsontext.Node) bool {
	for _, m := range n.Items {
		if m.Kind == jsontext.Object && m.Member("properties") != nil && m.Member("type") != nil && isArgumentsMember(words.FoldName(m.Name())) {
			return true
		}
	}
	return false
}

// addDirectCall adds the call with the given parts, if they form one.
func (c *callReader) addDirectCall(p callParts, expected bool) bool {
	name, clear := c.onlyName(p.names)
	expected = expected || c.isOffered(name)
	hole := p.holeNextToArguments()
	switch {
	case hole != nil && expected:
		c.rejectCall(int(hole.Start), "in a call of "+reader.CutShown(name)+", "+reader.DescribeHole(hole))
		return true
	case !clear && (expected || p.arguments != nil):
		c.rejectCall(int(p.names[0].Start), "the tool of a call may be "+name)
		return true
	case !clear || !isName(name) || p.textAllowed && c.isFinal(name):
		return false
	case p.arguments == nil:
		return c.addWithoutArguments(p, name, expected)
	case reader.HasMark(p.arguments, reader.Hole):
		c.rejectCall(int(p.arguments.Start), "the arguments of a call of "+reader.CutShown(name)+" are missing")
		return true
	case !c.mayBeArguments(p, expected):
		return c.rejectWrongArguments(p, name)
	case p.otherArguments != nil:
		c.rejectCall(int(p.otherArguments.Start), "the arguments of a call of "+reader.CutShown(name)+" may be "+reader.ShowValue(p.arguments)+" or "+reader.ShowValue(p.otherArguments))
		return true
	}
	return c.addWithArguments(p, name)
}

// holeNextToArguments returns the first member whose value is missing, of those next to the arguments; nil if
// there is none.
func (p *callParts) holeNextToArguments() *jsontext.Node {
	i := slices.IndexFunc(p.others, func(m *jsontext.Node) bool { return reader.HasMark(m, reader.Hole) })
	if i < 0 || p.arguments == nil {
		return nil
	}
	return p.others[i]
}

// addWithArguments adds a call with an arguments member. If it calls OpenAI's tool for parallel calls, it adds the
// calls in the arguments instead.
func (c *callReader) addWithArguments(p callParts, name string) bool {
	arguments := c.unpackArguments(p.arguments)
	if uses := parallelCalls(c.plainName(name), arguments); uses != nil {
		return c.addCallsIn(uses, callParts{}, true, 0)
	}
	if stray := c.strayArgument(p, name, arguments); stray != nil {
		c.rejectCall(int(stray.Start), "in a call of "+reader.CutShown(name)+", "+reader.CutShown(stray.Name())+" is next to the arguments: move it into them, or remove it")
		return true
	}
	if arguments.Kind == jsontext.Null || arguments.Kind == jsontext.String && reader.TextOf(arguments) == "" {
		arguments = nil
	}
	c.addCall(p.id, name, arguments)
	return true
}

// strayArgument returns the first member that is next to the arguments of a call although it is a parameter of
// the tool, such as b in {"name": "f", "arguments": {"a": 1}, "b": 2}. Its value would be lost. strayArgument
// returns nil if there is none.
func (c *cursor) strayArgument(p callParts, name string, arguments *jsontext.Node) *jsontext.Node {
	others := slices.Concat(p.others, p.messages, p.inner)
	if len(others)+len(p.outer) == 0 {
		return nil
	}
	parameters := c.findOffer(name).parameters
	for _, m := range others {
		if twin := arguments.Member(m.Name()); slices.Contains(parameters, m.Name()) && (twin == nil || !isSameValue(twin, m)) {
			return m
		}
	}
	for _, m := range p.outer {
		if slices.Contains(parameters, m.Name()) && arguments.Member(m.Name()) == nil {
			return m
		}
	}
	return nil
}

// onlyName returns the name of the called tool. If two names are possible, it returns "a or b" and false.
func (c *cursor) onlyName(names []*jsontext.Node) (name string, clear bool) {
	name = reader.TextOf(names[0])
	for _, n := range names[1:] {
		other := reader.TextOf(n)
		switch {
		case other == name || c.isOffered(name) && !c.isOffered(other):
		case !c.isOffered(name) && c.isOffered(other):
			name = other
		default:
			return reader.CutShown(name) + " or " + reader.CutShown(other), false
		}
	}
	return name, true
}

// addWithoutArguments adds a call without an arguments member. Its arguments may be next to its name.
func (c *callReader) addWithoutArguments(p callParts, name string, expected bool) bool {
	p.others = append(p.others, p.messages...)
	for _, m := range p.outer {
		if slices.Contains(c.findOffer(name).parameters, m.Name()) {
			p.others = append(p.others, m)
		}
	}
	if !expected && (len(c.byName) > 0 || len(p.others) > 0) {
		return false
	}
	if len(p.others) == 0 {
		c.addCall(p.id, name, nil)
		return true
	}
	if only := p.others[0]; len(p.others) == 1 && p.messages == nil && !isOutcomeMember(words.FoldName(only.Name())) && !slices.Contains(c.findOffer(name).parameters, only.Name()) && c.acceptsArguments(name, only) {
		c.addCall(p.id, name, only)
		return true
	}
	arguments := c.NewNode(jsontext.Object, int(p.others[0].Start))
	for _, m := range p.others {
		if !slices.Contains(c.findOffer(name).parameters, m.Name()) {
			c.rejectCall(int(m.Start), "it is not clear what the arguments of a call of "+reader.CutShown(name)+" are")
			return true
		}
		only := c.NewNode(m.Kind, int(m.Start))
		*only = *m
		arguments.Add(only)
	}
	c.addCall(p.id, name, arguments)
	return true
}

// mayBeArguments reports whether the value of the arguments member can be arguments. If a call is expected, it
// accepts values of any type, so that the tool reports the error.
func (c *cursor) mayBeArguments(p callParts, expected bool) bool {
	switch p.arguments.Kind {
	case jsontext.Object, jsontext.Null:
		return true
	case jsontext.String:
		return expected || p.textAllowed || reader.TextOf(p.arguments) == "" || c.unpackArguments(p.arguments) != p.arguments
	}
	return expected
}

// rejectWrongArguments rejects a call whose arguments are, for example, a list. It returns false if the object may
// be something other than a call.
func (c *callReader) rejectWrongArguments(p callParts, name string) bool {
	key, given := words.FoldName(p.names[0].Name()), words.FoldName(p.arguments.Name())
	if len(c.byName) > 0 || len(p.names) > 1 || len(p.others) > 0 || given != "arguments" || key != "function" && key != "tool" && key != "functionname" && key != "toolname" {
		return false
	}
	c.rejectCall(int(p.arguments.Start), "the arguments of a call of "+reader.CutShown(name)+" are "+jsonschema.Found(p.arguments)+", not an object")
	return true
}

// unpackArguments returns the value of arguments that are JSON in a string, as in "{\"a\": 1}", possibly in strings
// within strings. It returns any other value unchanged.
func (c *cursor) unpackArguments(n *jsontext.Node) *jsontext.Node {
	if n.Kind != jsontext.String {
		return n
	}
	for inner, level := n, 0; level < reader.MostLevels; level++ {
		r := reader.New(reader.TextOf(inner), 0, len(reader.TextOf(inner)))
		r.Open = false
		r.SkipSpace()
		if b := r.Peek(); strings.IndexByte(`{["`, b) < 0 {
			break
		}
		if inner = r.ReadJSON(); inner == nil {
			c.marked = c.marked || level == 0 && int(n.End) <= c.End && n.Text != c.Text[n.Start:n.End]
			inner = r.ReadValue(reader.InText, nil)
		}
		if r.SkipSpace(); inner == nil || r.Err != nil || r.Pos < r.End {
			break
		}
		if inner.Kind != jsontext.String {
			c.Cut = c.Cut || r.Cut
			c.marked = c.marked || r.Guesses > 0
			reader.Relocate(inner, n.Span)
			return inner
		}
	}
	return n
}

// parallelCalls returns the calls in the arguments of OpenAI's tool for parallel calls; nil for other tools.
func parallelCalls(name string, arguments *jsontext.Node) *jsontext.Node {
	if name != "multi_tool_use.parallel" && name != "parallel" || arguments.Kind != jsontext.Object {
		return nil
	}
	return arguments.Member("tool_uses")
}
