package repair

import (
	"slices"
	"strings"
)

// The names of members, folded, by what they say of a call.
var (
	nameMembers      = []string{"name", "function", "functionname", "tool", "toolname", "action", "actionname", "actionfunction", "recipient"}
	weakNameMembers  = []string{"func", "funcname", "functioncall", "toolcall", "tooluse", "call", "command"} // with arguments, and what is said by one of these alone is nothing
	argumentsMembers = []string{"arguments", "argument", "args", "arg", "parameters", "parameter", "params", "param", "input", "kwargs"}
	argumentsOf      = []string{"tool", "function", "action"} // what may be before these
	idMembers        = []string{"id", "callid", "toolcallid", "tooluseid"}
	labelMembers     = []string{"type", "index", "thought", "reasoning"}

	// callMembers hold a call or several, messageMembers something that does.
	callMembers = []string{
		"functioncall", "toolcall", "tooluse", "call", "command", "actionrequest", "function", "action", "tool",
		"functioncalls", "toolcalls", "tooluses", "calls", "commands", "actionrequests", "actions", "requests", "functions", "tools",
	}
	messageMembers = []string{"choices", "message", "content", "parts", "candidates", "output", "delta"}

	// outcomeMembers hold what came of a call, whatever is before them.
	outcomeMembers = []string{
		"output", "outputs", "result", "results", "response", "responses", "return", "returns", "returned", "returnvalue",
		"error", "errors", "observation", "observations", "outcome", "answer", "exception", "failure",
	}
)

// parts are the members of an object that may be a call or have some.
type parts struct {
	names     []*node
	weak      []*node // names under weakNameMembers
	remote    bool    // the arguments are those of a request of the Model Context Protocol: they are the call
	arguments *node
	rival     *node // other arguments
	text      bool  // the arguments may be text that is no JSON
	id        string
	inner     []*node
	messages  []*node
	others    []*node
}

func split(n *node) (p parts) {
	for m := n.first; m != nil; m = m.next {
		name, composed := folded(m.name()), m.kind == kindObject || m.kind == kindArray
		switch {
		case composed && slices.Contains(callMembers, name):
			p.inner = append(p.inner, m)
		case composed && slices.Contains(messageMembers, name):
			p.messages = append(p.messages, m)
		case m.kind == kindString && name == "recipientname":
			p.names = append(p.names, &node{kind: kindString, region: region{at: m.at}, lit: quoteText(strings.TrimPrefix(m.text(), "functions."))})
		case m.kind == kindString && slices.Contains(nameMembers, name):
			p.names = append(p.names, m)
		case m.kind == kindString && slices.Contains(weakNameMembers, name):
			p.weak = append(p.weak, m)
		case m.kind == kindString && name == "method" && m.text() == "tools/call":
			p.remote = true
		case isArgumentsMember(name):
			p.give(m)
			p.text = p.arguments == m && (name == "actioninput" || name == "toolinput") || p.text
		case m.kind == kindString && slices.Contains(idMembers, name):
			p.id = m.text()
		case !slices.Contains(labelMembers, name):
			p.others = append(p.others, m)
		}
	}
	return p
}

// give sets the arguments, or, if they were others, their rival.
func (p *parts) give(m *node) {
	switch {
	case p.arguments == nil || isNothing(p.arguments):
		p.arguments = m
	case !isNothing(m) && !same(m, p.arguments):
		p.rival = m
	}
}

// same tells whether two values are written alike.
func same(a, b *node) bool {
	if a.kind != b.kind || a.lit != b.lit {
		return false
	}
	m, n := a.first, b.first
	for ; m != nil && n != nil; m, n = m.next, n.next {
		if m.key != n.key || !same(m, n) {
			return false
		}
	}
	return m == n
}

// isArgumentsMember tells whether a member, by its folded name, has the arguments
// of a call.
func isArgumentsMember(name string) bool {
	for _, of := range argumentsOf {
		if rest := strings.TrimPrefix(name, of); rest != "" {
			name = rest
		}
	}
	return slices.Contains(argumentsMembers, name)
}

// isOutcomeMember tells whether a member, by its folded name, has what came of a
// call: it may look like the arguments of one.
func isOutcomeMember(name string) bool {
	return slices.ContainsFunc(outcomeMembers, func(outcome string) bool { return strings.HasSuffix(name, outcome) })
}

// deepestCall bounds how deeply calls are looked for in a value.
const deepestCall = 12

// shape adds the calls in a value, and tells whether there are any. In an
// envelope nothing else is to be expected.
func (c *caller) shape(n *node, expected bool) bool { return c.inside(n, parts{}, expected, 0) }

// inside adds the calls in a value that is a part of another.
func (c *caller) inside(n *node, outer parts, expected bool, depth int) (found bool) {
	if depth > deepestCall {
		return false
	}
	if n.kind == kindArray {
		for e := n.first; e != nil; e = e.next {
			found = c.inside(e, parts{}, expected, depth+1) || found
		}
		return found
	}
	if n.kind != kindObject || isDefinition(n) {
		return false
	}
	p := split(n)
	if p.id == "" {
		p.id = outer.id
	}
	if outer.arguments != nil {
		p.give(outer.arguments)
	}
	if c.isWeak(p, expected) {
		p.names = p.weak
	}
	switch {
	case p.remote && p.arguments != nil && len(p.names) == 0:
		return c.remote(p, depth+1)
	case len(p.names) > 0 && p.arguments != nil:
		return c.direct(p, expected)
	case p.inner != nil:
		return c.several(p.inner, p, true, depth+1)
	case len(p.names) > 0:
		return c.direct(p, expected)
	case p.messages != nil:
		return c.several(p.messages, parts{}, expected, depth+1)
	}
	only := n.first
	if expected && only != nil && only.next == nil && only.kind == kindObject && p.arguments == nil && isName(only.name()) ||
		only != nil && only.next == nil && c.knows(only.name()) {
		return c.direct(parts{names: []*node{{kind: kindString, lit: only.key}}, arguments: only, id: p.id}, expected)
	}
	if call, ok := c.evident(n); ok {
		call.id = p.id
		return c.direct(call, expected)
	}
	return false
}

// isWeak tells whether a call has its name under one of the weak members: there is no
// other, and there are the arguments of a tool that was offered, or nothing but
// arguments.
func (c *caller) isWeak(p parts, expected bool) bool {
	if len(p.weak) == 0 || len(p.names) > 0 || p.arguments == nil {
		return false
	}
	clear := expected || c.knows(p.weak[0].text()) || len(c.offered) == 0 && len(p.others) == 0
	return clear && c.unpacked(p.arguments).kind == kindObject
}

// remote adds the call in a request of the Model Context Protocol.
func (c *caller) remote(p parts, depth int) bool {
	call := p.arguments
	p.arguments = nil
	if broken := len(c.broken); !c.inside(call, p, true, depth) && len(c.broken) == broken {
		c.reject(int(call.at), "a call has no name")
	}
	return true
}

// evident returns the parts of a call whose members have names of the model's own:
// nothing but the name of a tool that was offered, and an object that is arguments
// of it.
func (c *caller) evident(n *node) (p parts, ok bool) {
	for m := n.first; m != nil; m = m.next {
		switch name := folded(m.name()); {
		case slices.Contains(idMembers, name):
		case isOutcomeMember(name):
			return parts{}, false
		case m.kind == kindString && p.names == nil && c.offered[m.text()] != nil:
			p.names = []*node{m}
		case m.kind == kindObject && p.arguments == nil && !slices.Contains(messageMembers, name):
			p.arguments = m
		case !slices.Contains(labelMembers, name) && name != "jsonrpc":
			return parts{}, false
		}
	}
	return p, p.names != nil && p.arguments != nil && c.takes(p.names[0].text(), p.arguments)
}

// takes tells whether an object is arguments of a tool that was offered, some that
// its schema names.
func (c *caller) takes(name string, arguments *node) bool {
	offer := c.offer(name)
	if offer.schema == nil || arguments.kind != kindObject || arguments.first == nil || arguments.hole() != nil {
		return false
	}
	for m := arguments.first; m != nil; m = m.next {
		if offer.schema.Properties[m.name()] == nil {
			return false
		}
	}
	if c.work == nil {
		c.work = newWork(0) // it is no more than a guess, so it is worth no more
	}
	check := checker{work: c.work}
	fits := check.fits(arguments, offer.schema)
	if c.work.exhausted() {
		c.reject(int(arguments.at), "what may be the arguments of a call of "+cut(name)+" takes too much to check")
		return false
	}
	return fits
}

// several adds the calls in some members of an object. What is beside them can be the
// arguments of only one.
func (c *caller) several(members []*node, outer parts, expected bool, depth int) (found bool) {
	isObject := func(m *node) bool { return m.kind == kindObject }
	if first := slices.IndexFunc(members, isObject); outer.arguments != nil && first >= 0 && slices.ContainsFunc(members[first+1:], isObject) {
		c.reject(int(outer.arguments.at), "the arguments "+outer.arguments.shown()+" may be those of several calls")
		return true
	}
	for _, m := range members {
		found = c.inside(m, outer, expected, depth) || found
	}
	return found
}

// isDefinition tells whether an object says what a tool is, instead of calling
// it.
func isDefinition(n *node) bool {
	for m := n.first; m != nil; m = m.next {
		if m.kind == kindObject && m.member("properties") != nil && m.member("type") != nil && isArgumentsMember(folded(m.name())) {
			return true
		}
	}
	return false
}

// direct adds the call whose parts are given, if it is one.
func (c *caller) direct(p parts, expected bool) bool {
	name, clear := c.onlyName(p.names)
	switch known := c.knows(name); {
	case !clear && (expected || p.arguments != nil):
		c.reject(int(p.names[0].at), "the tool of a call may be "+name)
		return true
	case !clear || !isName(name) || p.text && c.isFinal(name):
		return false
	case p.arguments == nil:
		return c.without(p, name, expected)
	case p.arguments.void:
		c.reject(int(p.arguments.at), "the arguments of a call of "+cut(name)+" are missing")
		return true
	case !c.isArguments(p, expected || known):
		return c.isWrong(p, name)
	case p.rival != nil:
		c.reject(int(p.rival.at), "the arguments of a call of "+cut(name)+" may be "+p.arguments.shown()+" or "+p.rival.shown())
		return true
	}
	arguments := c.unpacked(p.arguments)
	if uses := parallel(c.name(name), arguments); uses != nil {
		return c.inside(uses, parts{}, true, 0)
	}
	if arguments.kind == kindNull || arguments.kind == kindString && arguments.text() == "" {
		arguments = nil
	}
	c.add(p.id, name, arguments)
	return true
}

// onlyName returns the name of a tool; false, and the names that it may be, if
// that is not clear.
func (c *caller) onlyName(names []*node) (name string, clear bool) {
	name = names[0].text()
	for _, n := range names[1:] {
		other := n.text()
		switch {
		case other == name || c.knows(name) && !c.knows(other):
		case !c.knows(name) && c.knows(other):
			name = other
		default:
			return cut(name) + " or " + cut(other), false
		}
	}
	return name, true
}

// without adds a call without arguments, or with those that are beside its name,
// if it is one.
func (c *caller) without(p parts, name string, expected bool) bool {
	p.others = append(p.others, p.messages...)
	if !expected && !c.knows(name) && (len(c.offered) > 0 || len(p.others) > 0) {
		return false
	}
	if len(p.others) == 0 {
		c.add(p.id, name, nil)
		return true
	}
	if only := p.others[0]; len(p.others) == 1 && p.messages == nil && !isOutcomeMember(folded(only.name())) && !slices.Contains(c.offer(name).parameters, only.name()) && c.takes(name, only) {
		c.add(p.id, name, only)
		return true
	}
	arguments := c.node(kindObject, int(p.others[0].at))
	for _, m := range p.others {
		if !slices.Contains(c.offer(name).parameters, m.name()) {
			c.reject(int(m.at), "it is not clear what the arguments of a call of "+cut(name)+" are")
			return true
		}
		only := c.node(m.kind, int(m.at))
		*only = *m
		only.next = nil
		arguments.add(only)
	}
	c.add(p.id, name, arguments)
	return true
}

// isArguments tells whether the arguments of what may be a call are some. Where
// a call is expected they may be of any type: the tool says what is wrong.
func (c *caller) isArguments(p parts, expected bool) bool {
	switch p.arguments.kind {
	case kindObject, kindNull:
		return true
	case kindString:
		return expected || p.text || p.arguments.text() == "" || c.unpacked(p.arguments) != p.arguments
	}
	return expected
}

// isWrong tells whether what may be a call is one whose arguments are none, such as a
// list, and rejects it: its members say that it is a call, and there is nothing else.
func (c *caller) isWrong(p parts, name string) bool {
	key, given := folded(p.names[0].name()), folded(p.arguments.name())
	if len(c.offered) > 0 || len(p.names) > 1 || len(p.others) > 0 || given != "arguments" || key != "function" && key != "tool" && key != "functionname" && key != "toolname" {
		return false
	}
	c.reject(int(p.arguments.at), "the arguments of a call of "+cut(name)+" are "+p.arguments.found()+", not an object")
	return true
}

// unpacked returns arguments that are JSON in a string, or in a string in that, as
// what they are.
func (c *caller) unpacked(n *node) *node {
	if n.kind != kindString {
		return n
	}
	for inner, level := n, 0; level < mostLevels; level++ {
		r := newReader(inner.text(), 0, len(inner.text()))
		r.open = false
		r.space()
		if b := r.peek(); b != '{' && b != '[' && b != '"' {
			break
		}
		inner = r.value(inText, nil)
		if r.space(); inner == nil || r.err != nil || r.pos < r.end {
			break
		}
		if inner.kind != kindString {
			c.cut = c.cut || r.cut
			inner.relocate(n.region)
			return inner
		}
	}
	return n
}

// parallel returns the calls in the arguments of OpenAI's tool that makes
// several; nil if it is another.
func parallel(name string, arguments *node) *node {
	if name != "multi_tool_use.parallel" && name != "parallel" || arguments.kind != kindObject {
		return nil
	}
	return arguments.member("tool_uses")
}
