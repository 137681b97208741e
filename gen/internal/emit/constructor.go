package emit

import (
	"strconv"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// emitConstructor prints the function that returns a tool.
func (e *emitter) emitConstructor(t *model.Tool) {
	e.emitComment("%s returns the %s tool. Call it with typed arguments, or add hooks with Before and After.", t.Constructor, t.Name)
	result, bind := e.tool("TypedAction")+"["+e.argsType(t)+"]", "BindTypedAction"
	parts := []string{e.definitionExpr(t), e.argsReader(t), e.runExpr(t)}
	if t.Result != nil {
		result, bind = e.tool("TypedTool")+"["+e.argsType(t)+", "+e.GoType(t.Result.Go)+"]", "BindTypedTool"
		parts = append(parts, e.fromFunc(t.Result))
	}
	value := Call(e.tool(bind), parts...)
	e.addBlock("func "+Call(t.Constructor, e.injectedParams(t)...)+" *"+result+" {", func() {
		if !t.UsesScope() {
			e.addReturn(value)
			return
		}
		toolExpr := e.Member("t", "Tool")
		var needs []string
		for _, ref := range t.RequiredVariables() {
			needs = append(needs, e.wire("Fits")+e.typeArguments(ref.Go))
		}
		if t.RequiresScope() {
			toolExpr += Call(".RequireVariables", needs...)
		}
		if t.Variable != "" {
			method := ".StoreResultParts"
			if len(t.LostResults()) > 0 {
				method = ".StoreResult"
			}
			toolExpr += Call(method, strconv.Quote(t.Variable))
		}
		e.add(e.Local("t"), " := ", value)
		e.add(e.Member("t", "Tool"), " = ", toolExpr)
		e.addReturn(e.Local("t"))
	}, "}")
}

// emitInvoke prints the function that executes a call: it reads the arguments, runs the tool
// and writes the result.
func (e *emitter) emitInvoke(t *model.Tool) {
	a := e.Local("a")
	run := e.runCall(t, "&"+a)
	e.addBlank()
	params := append([]string{e.contextParam(), e.Local("in") + " *" + e.tool("Invocation")}, e.injectedParams(t)...)
	e.addBlock("func "+Call(t.Invoke, params...)+" {", func() {
		e.add("var ", a, " ", e.argsType(t))
		e.add(Call(e.argsReader(t), e.Member("in", "Arguments()"), "&"+a))
		if t.Result == nil {
			e.addIf(e.Member("in", "Ready()"), Call(e.Member("in", "RecordError"), run))
			return
		}
		e.addIf("!"+e.Member("in", "Ready()"), "return")
		e.add(e.Local("r"), ", ", e.Local("err"), " := ", run)
		e.addIf("!"+Call(e.Member("in", "RecordError"), e.Local("err")),
			e.writeValue(e.Member("in", "Result()"), `""`, t.Result, e.Local("r")),
		)
	}, "}")
}
