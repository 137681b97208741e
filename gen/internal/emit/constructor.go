package emit

import (
	"strconv"

	"github.com/aiongen/aiongen/gen/internal/emit/code"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// constructor prints the function that returns a tool, which says how to run it.
// That of a method takes a receiver.
func (e *emitter) constructor(t *model.Tool) {
	e.comment("%s returns the %s tool, to call with typed arguments and to hook.", t.Constructor, t.Name)
	result, bind := e.Tool("Do")+"["+e.argsType(t)+"]", "BindDo"
	parts := []string{"&" + t.Definition, e.argsReader(t), e.runOf(t)}
	if t.Result != nil {
		result, bind = e.Tool("Of")+"["+e.argsType(t)+", "+e.GoType(t.Result.Go)+"]", "Bind"
		parts = append(parts, e.FromFunc(t.Result))
	}
	value := code.Call(e.Tool(bind), parts...)
	e.In("func "+code.Call(t.Constructor, e.takes(t)...)+" *"+result+" {", func() {
		if !t.UsesScope() {
			e.Return(value)
			return
		}
		offered := e.Member("t", "Tool")
		var needs []string
		for _, ref := range t.Needs() {
			needs = append(needs, e.Wire("Fits")+e.TypeArguments(ref.Go))
		}
		if t.Lacks() {
			offered += code.Call(".Needs", needs...)
		}
		if t.Variable != "" {
			method := ".Keeps"
			if len(t.Lost()) > 0 {
				method = ".Yields"
			}
			offered += code.Call(method, strconv.Quote(t.Variable))
		}
		e.Add(e.Local("t"), " := ", value)
		e.Add(e.Member("t", "Tool"), " = ", offered)
		e.Return(e.Local("t"))
	}, "}")
}

// mounted is a tool as a registry takes it. Those that need a scope say so in their
// constructors.
func (e *emitter) mounted(t *model.Tool) string {
	given := e.given(t)
	switch {
	case t.UsesScope():
		return code.Call(t.Constructor, given...) + ".Tool"
	case given == nil:
		return code.Call(e.Tool("Generated"), "&"+t.Definition, t.Invoke)
	}
	invoke := code.Call(t.Invoke, append([]string{e.Local("ctx"), e.Local("in")}, given...)...)
	return code.Call(e.Tool("Generated"), "&"+t.Definition, code.Call("func", e.invocation()...)+" {\n"+invoke+"\n}")
}

// invoke prints the function that makes a call of a tool: read the arguments,
// run, write the result.
func (e *emitter) invoke(t *model.Tool) {
	a := e.Local("a")
	run := e.callRun(t, "&"+a)
	e.Next()
	e.In("func "+code.Call(t.Invoke, append(e.invocation(), e.takes(t)...)...)+" {", func() {
		e.Add("var ", a, " ", e.argsType(t))
		e.Add(code.Call(e.argsReader(t), e.Member("in", "Arguments()"), "&"+a))
		if t.Result == nil {
			e.If(e.Member("in", "Ready()"), code.Call(e.Member("in", "Failed"), run))
			return
		}
		e.If("!"+e.Member("in", "Ready()"), "return")
		e.Add(e.Local("r"), ", ", e.Local("err"), " := ", run)
		e.If("!"+code.Call(e.Member("in", "Failed"), e.Local("err")),
			e.Write(e.Member("in", "Result()"), `""`, t.Result, e.Local("r")),
		)
	}, "}")
}

// invocation are the parameters of what a registry calls.
func (e *emitter) invocation() []string {
	return []string{e.context(), e.Local("in") + " *" + e.Tool("Invocation")}
}
