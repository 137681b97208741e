package calls

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/repair/internal/report"
	"github.com/aiongen/aiongen/runtime/repair/internal/tree"
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
	names     []*jsontext.Node
	weak      []*jsontext.Node // names under weakNameMembers
	remote    bool             // the arguments are those of a request of the Model Context Protocol: they are the call
	arguments *jsontext.Node
	rival     *jsontext.Node // other arguments
	text      bool           // the arguments may be text that is no JSON
	id        string
	inner     []*jsontext.Node
	messages  []*jsontext.Node
	others    []*jsontext.Node
	outer     []*jsontext.Node // other members of the object whose member "function" this is
}

func split(n *jsontext.Node) (p parts) {
	for _, m := range n.Items {
		name, composed := words.Folded(m.Name()), m.Kind == jsontext.Object || m.Kind == jsontext.Array
		switch {
		case composed && slices.Contains(callMembers, name):
			p.inner = append(p.inner, m)
		case composed && slices.Contains(messageMembers, name):
			p.messages = append(p.messages, m)
		case m.Kind == jsontext.String && name == "recipientname":
			p.names = append(p.names, &jsontext.Node{Kind: jsontext.String, Span: jsontext.Span{Start: m.Start}, Text: jsontext.Quote(strings.TrimPrefix(tree.TextOf(m), "functions."))})
		case m.Kind == jsontext.String && slices.Contains(nameMembers, name):
			p.names = append(p.names, m)
		case m.Kind == jsontext.String && slices.Contains(weakNameMembers, name):
			p.weak = append(p.weak, m)
		case m.Kind == jsontext.String && name == "method" && tree.TextOf(m) == "tools/call":
			p.remote = true
		case isArgumentsMember(name):
			p.give(m)
			p.text = p.arguments == m && (name == "actioninput" || name == "toolinput") || p.text
		case m.Kind == jsontext.String && slices.Contains(idMembers, name):
			p.id = tree.TextOf(m)
		case !slices.Contains(labelMembers, name):
			p.others = append(p.others, m)
		}
	}
	return p
}

// give sets the arguments, or, if they were others, their rival.
func (p *parts) give(m *jsontext.Node) {
	switch {
	case p.arguments == nil || tree.IsNothing(p.arguments):
		p.arguments = m
	case !tree.IsNothing(m) && !same(m, p.arguments):
		p.rival = m
	}
}

// same tells whether two values are written alike.
func same(a, b *jsontext.Node) bool {
	if a.Kind != b.Kind || a.Text != b.Text {
		return false
	}
	return slices.EqualFunc(a.Items, b.Items, func(m, n *jsontext.Node) bool { return m.Key == n.Key && same(m, n) })
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
func (c *caller) shape(n *jsontext.Node, expected bool) bool {
	return c.inside(n, parts{}, expected, 0)
}

// inside adds the calls in a value that is a part of another.
func (c *caller) inside(n *jsontext.Node, outer parts, expected bool, depth int) (found bool) {
	if depth > deepestCall {
		return false
	}
	if n.Kind == jsontext.Array {
		for _, e := range n.Items {
			requests := len(c.requests)
			isCall := c.inside(e, parts{}, expected, depth+1)
			if !isCall && found && requests > 0 && c.takes(c.requests[requests-1].Name, e) {
				c.loose = true
				c.reject(int(e.Start), "this may be the arguments of the call of "+report.Cut(c.requests[requests-1].Name)+" before it: write them in the call")
			}
			found = isCall || found
		}
		return found
	}
	if n.Kind != jsontext.Object || isDefinition(n) {
		return false
	}
	p := split(n)
	if p.id == "" {
		p.id = outer.id
	}
	if outer.arguments != nil {
		p.give(outer.arguments)
	}
	if len(outer.inner) == 1 && slices.Contains(nameMembers, words.Folded(outer.inner[0].Name())) {
		p.outer = outer.others
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
	only := tree.Only(n)
	if expected && only != nil && only.Kind == jsontext.Object && p.arguments == nil && isName(only.Name()) ||
		only != nil && c.knows(only.Name()) {
		return c.direct(parts{names: []*jsontext.Node{{Kind: jsontext.String, Text: only.Key}}, arguments: only, id: p.id}, expected)
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
func (c *cursor) isWeak(p parts, expected bool) bool {
	if len(p.weak) == 0 || len(p.names) > 0 || p.arguments == nil {
		return false
	}
	clear := expected || c.knows(tree.TextOf(p.weak[0])) || len(c.offered) == 0 && len(p.others) == 0
	return clear && c.unpacked(p.arguments).Kind == jsontext.Object
}

// remote adds the call in a request of the Model Context Protocol.
func (c *caller) remote(p parts, depth int) bool {
	call := p.arguments
	p.arguments = nil
	if broken := len(c.broken); !c.inside(call, p, true, depth) && len(c.broken) == broken {
		c.reject(int(call.Start), "a call has no name")
	}
	return true
}

// evident returns the parts of a call whose members have names of the model's own:
// nothing but the name of a tool that was offered, and an object that is arguments
// of it.
func (c *caller) evident(n *jsontext.Node) (p parts, ok bool) {
	for _, m := range n.Items {
		switch name := words.Folded(m.Name()); {
		case slices.Contains(idMembers, name):
		case isOutcomeMember(name):
			return parts{}, false
		case m.Kind == jsontext.String && p.names == nil && c.offered[tree.TextOf(m)] != nil:
			p.names = []*jsontext.Node{m}
		case m.Kind == jsontext.Object && p.arguments == nil && !slices.Contains(messageMembers, name):
			p.arguments = m
		case !slices.Contains(labelMembers, name) && name != "jsonrpc":
			return parts{}, false
		}
	}
	return p, p.names != nil && p.arguments != nil && c.takes(tree.TextOf(p.names[0]), p.arguments)
}

// takes tells whether an object is arguments of a tool that was offered, some that
// its schema names.
func (c *caller) takes(name string, arguments *jsontext.Node) bool {
	offer := c.offer(name)
	if offer.schema == nil || arguments.Kind != jsontext.Object || len(arguments.Items) == 0 || tree.HoleIn(arguments) != nil {
		return false
	}
	for _, m := range arguments.Items {
		if offer.schema.Property(m.Name()) == nil {
			return false
		}
	}
	if c.check == nil {
		c.check = jsonschema.NewChecker(jsonschema.StepsFor(0)) // it is no more than a guess, so it is worth no more
	}
	fits := c.check.Fits(arguments, offer.schema)
	if c.check.Err() != nil {
		c.reject(int(arguments.Start), "what may be the arguments of a call of "+report.Cut(name)+" takes too much to check")
		return false
	}
	return fits
}

// several adds the calls in some members of an object. What is beside them can be the
// arguments of only one.
func (c *caller) several(members []*jsontext.Node, outer parts, expected bool, depth int) (found bool) {
	isObject := func(m *jsontext.Node) bool { return m.Kind == jsontext.Object }
	if first := slices.IndexFunc(members, isObject); outer.arguments != nil && first >= 0 && slices.ContainsFunc(members[first+1:], isObject) {
		c.reject(int(outer.arguments.Start), "the arguments "+tree.Shown(outer.arguments)+" may be those of several calls")
		return true
	}
	for _, m := range members {
		found = c.inside(m, outer, expected, depth) || found
	}
	return found
}

// isDefinition tells whether an object says what a tool is, instead of calling
// it.
func isDefinition(n *jsontext.Node) bool {
	for _, m := range n.Items {
		if m.Kind == jsontext.Object && m.Member("properties") != nil && m.Member("type") != nil && isArgumentsMember(words.Folded(m.Name())) {
			return true
		}
	}
	return false
}

// direct adds the call whose parts are given, if it is one.
func (c *caller) direct(p parts, expected bool) bool {
	name, clear := c.onlyName(p.names)
	hole := slices.IndexFunc(p.others, func(m *jsontext.Node) bool { return tree.Is(m, tree.Void) })
	switch known := c.knows(name); {
	case hole >= 0 && p.arguments != nil && (known || expected):
		c.reject(int(p.others[hole].Start), "in a call of "+report.Cut(name)+", "+tree.Missing(p.others[hole]))
		return true
	case !clear && (expected || p.arguments != nil):
		c.reject(int(p.names[0].Start), "the tool of a call may be "+name)
		return true
	case !clear || !isName(name) || p.text && c.isFinal(name):
		return false
	case p.arguments == nil:
		return c.without(p, name, expected)
	case tree.Is(p.arguments, tree.Void):
		c.reject(int(p.arguments.Start), "the arguments of a call of "+report.Cut(name)+" are missing")
		return true
	case !c.isArguments(p, expected || known):
		return c.isWrong(p, name)
	case p.rival != nil:
		c.reject(int(p.rival.Start), "the arguments of a call of "+report.Cut(name)+" may be "+tree.Shown(p.arguments)+" or "+tree.Shown(p.rival))
		return true
	}
	arguments := c.unpacked(p.arguments)
	if uses := parallel(c.name(name), arguments); uses != nil {
		return c.inside(uses, parts{}, true, 0)
	}
	if stray := c.strayArgument(p, name, arguments); stray != nil {
		c.reject(int(stray.Start), "in a call of "+report.Cut(name)+", "+report.Cut(stray.Name())+" is next to the arguments: write it in them, or leave it out")
		return true
	}
	if arguments.Kind == jsontext.Null || arguments.Kind == jsontext.String && tree.TextOf(arguments) == "" {
		arguments = nil
	}
	c.add(p.id, name, arguments)
	return true
}

// strayArgument returns the first member next to the arguments of a call that is a parameter
// of the tool. Its value would be lost. It returns nil if there is none.
func (c *caller) strayArgument(p parts, name string, arguments *jsontext.Node) *jsontext.Node {
	others := slices.Concat(p.others, p.messages, p.inner)
	if len(others)+len(p.outer) == 0 {
		return nil
	}
	parameters := c.offer(name).parameters
	for _, m := range others {
		if twin := arguments.Member(m.Name()); slices.Contains(parameters, m.Name()) && (twin == nil || !same(twin, m)) {
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

// onlyName returns the name of a tool; false, and the names that it may be, if
// that is not clear.
func (c *cursor) onlyName(names []*jsontext.Node) (name string, clear bool) {
	name = tree.TextOf(names[0])
	for _, n := range names[1:] {
		other := tree.TextOf(n)
		switch {
		case other == name || c.knows(name) && !c.knows(other):
		case !c.knows(name) && c.knows(other):
			name = other
		default:
			return report.Cut(name) + " or " + report.Cut(other), false
		}
	}
	return name, true
}

// without adds a call without arguments, or with those that are beside its name,
// if it is one.
func (c *caller) without(p parts, name string, expected bool) bool {
	p.others = append(p.others, p.messages...)
	for _, m := range p.outer {
		if slices.Contains(c.offer(name).parameters, m.Name()) {
			p.others = append(p.others, m)
		}
	}
	if !expected && !c.knows(name) && (len(c.offered) > 0 || len(p.others) > 0) {
		return false
	}
	if len(p.others) == 0 {
		c.add(p.id, name, nil)
		return true
	}
	if only := p.others[0]; len(p.others) == 1 && p.messages == nil && !isOutcomeMember(words.Folded(only.Name())) && !slices.Contains(c.offer(name).parameters, only.Name()) && c.takes(name, only) {
		c.add(p.id, name, only)
		return true
	}
	arguments := c.Node(jsontext.Object, int(p.others[0].Start))
	for _, m := range p.others {
		if !slices.Contains(c.offer(name).parameters, m.Name()) {
			c.reject(int(m.Start), "it is not clear what the arguments of a call of "+report.Cut(name)+" are")
			return true
		}
		only := c.Node(m.Kind, int(m.Start))
		*only = *m
		arguments.Add(only)
	}
	c.add(p.id, name, arguments)
	return true
}

// isArguments tells whether the arguments of what may be a call are some. Where
// a call is expected they may be of any type: the tool says what is wrong.
func (c *cursor) isArguments(p parts, expected bool) bool {
	switch p.arguments.Kind {
	case jsontext.Object, jsontext.Null:
		return true
	case jsontext.String:
		return expected || p.text || tree.TextOf(p.arguments) == "" || c.unpacked(p.arguments) != p.arguments
	}
	return expected
}

// isWrong tells whether what may be a call is one whose arguments are none, such as a
// list, and rejects it: its members say that it is a call, and there is nothing else.
func (c *caller) isWrong(p parts, name string) bool {
	key, given := words.Folded(p.names[0].Name()), words.Folded(p.arguments.Name())
	if len(c.offered) > 0 || len(p.names) > 1 || len(p.others) > 0 || given != "arguments" || key != "function" && key != "tool" && key != "functionname" && key != "toolname" {
		return false
	}
	c.reject(int(p.arguments.Start), "the arguments of a call of "+report.Cut(name)+" are "+jsonschema.Found(p.arguments)+", not an object")
	return true
}

// unpacked returns arguments that are JSON in a string, or in a string in that, as
// what they are.
func (c *cursor) unpacked(n *jsontext.Node) *jsontext.Node {
	if n.Kind != jsontext.String {
		return n
	}
	for inner, level := n, 0; level < reader.MostLevels; level++ {
		r := reader.New(tree.TextOf(inner), 0, len(tree.TextOf(inner)))
		r.Open = false
		r.Space()
		if b := r.Peek(); b != '{' && b != '[' && b != '"' {
			break
		}
		if inner = r.JSON(); inner == nil {
			c.marked = c.marked || level == 0 && int(n.End) <= c.End && n.Text != c.Text[n.Start:n.End]
			inner = r.Value(reader.InText, nil)
		}
		if r.Space(); inner == nil || r.Err != nil || r.Pos < r.End {
			break
		}
		if inner.Kind != jsontext.String {
			c.Cut = c.Cut || r.Cut
			c.marked = c.marked || r.Guesses > 0
			tree.Relocate(inner, n.Span)
			return inner
		}
	}
	return n
}

// parallel returns the calls in the arguments of OpenAI's tool that makes
// several; nil if it is another.
func parallel(name string, arguments *jsontext.Node) *jsontext.Node {
	if name != "multi_tool_use.parallel" && name != "parallel" || arguments.Kind != jsontext.Object {
		return nil
	}
	return arguments.Member("tool_uses")
}
