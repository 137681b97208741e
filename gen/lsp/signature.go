package lsp

import (
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/gen"
	"github.com/aiongen/aiongen/gen/lsp/internal/protocol"
	"github.com/aiongen/aiongen/internal/words"
)

// signatureHelp describes the parameters of the function that a lambda calls at a position.
func (v *view) signatureHelp(p protocol.PositionParams) (help *protocol.SignatureHelp, err error) {
	c := newCursor(v.text, v.offset(p.Position))
	name := v.documentName()
	if !c.inText || c.region() != inElement || c.key != "function" || name == "" || !strings.HasPrefix(strings.TrimSpace(c.text), "lambda") {
		return nil, nil
	}
	callee, argument, ok := findCall(c.text)
	if !ok {
		return nil, nil
	}
	for _, f := range v.findCallees(name, callee, c) {
		if signature, ok := v.newSignature(f); ok {
			if help == nil {
				help = &protocol.SignatureHelp{ActiveParameter: argument}
			}
			help.Signatures = append(help.Signatures, signature)
		}
	}
	return help, nil
}

// findCallees returns the functions that a name in a lambda may refer to. A name with a dot is a
// function of a package, or a method. If the type of the value before the dot is unknown,
// findCallees returns methods of all types.
func (v *view) findCallees(document, callee string, c *cursor) (all []gen.Symbol) {
	owner, short, qualified := strings.Cut(callee, ".")
	functions := v.module.session.Functions(document)
	if !qualified {
		short = callee
	} else if !strings.Contains(short, ".") {
		if methods := v.parameterMethods(document, c, owner); len(methods) > 0 {
			functions = methods
		}
		functions = append(v.module.session.ImportedFunctions(document, owner), functions...)
	}
	short = words.FoldName(short[strings.LastIndexByte(short, '.')+1:])
	for _, f := range functions {
		isMember := strings.Contains(f.Name, ".")
		if isMember == qualified && words.FoldName(f.Name[strings.LastIndexByte(f.Name, '.')+1:]) == short {
			all = append(all, f)
		}
	}
	return all
}

// firstWord matches the name of a type at the start of a note.
var firstWord = regexp.MustCompile(`^[\pL_][\pL\pN_]*`)

// parameterMethods returns the methods of a parameter of the lambda at a cursor, if a note gives the
// parameter a type of the package.
func (v *view) parameterMethods(document string, c *cursor, name string) []gen.Symbol {
	el := v.elementAt(c.offset)
	if el == nil || el.Function == nil {
		return nil
	}
	head, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(c.text), "lambda"), ":")
	i := slices.IndexFunc(strings.Split(head, ","), func(param string) bool { return strings.TrimSpace(param) == name })
	if i < 0 {
		return nil
	}
	typeName := ""
	for _, e := range entriesOf(el) {
		if e.Name.Value == name || e.Name.Value == "arg-"+strconv.Itoa(i+1) {
			typeName = firstWord.FindString(e.Note.Written().Value)
		}
	}
	return slices.DeleteFunc(v.module.session.Functions(document), func(f gen.Symbol) bool {
		return !strings.HasPrefix(f.Name, typeName+".") && !strings.HasPrefix(f.Name, "(*"+typeName+").")
	})
}

var (
	lambdaString = regexp.MustCompile(`'[^'\n]*(?:'|$)|"[^"\n]*(?:"|$)`)
	calleeName   = regexp.MustCompile(`[\pL_][\pL\pN_]*(?:\.[\pL_][\pL\pN_]*)*$`)
)

// findCall returns the name of the innermost function whose parentheses are open at the end of a
// text, and the index of the argument at the end: "f(a, g(" becomes "g" and 0.
func findCall(text string) (callee string, argument int, ok bool) {
	text = lambdaString.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("_", len(s)) })
	depth := 0
	for i := len(text) - 1; i >= 0; i-- {
		switch text[i] {
		case ')', ']', '}':
			depth++
		case ',':
			if depth == 0 {
				argument++
			}
		case '(', '[', '{':
			if depth--; depth >= 0 {
				continue
			}
			if callee = calleeName.FindString(strings.TrimRight(text[:i], " ")); text[i] == '(' && callee != "" {
				return callee, argument, true
			}
			depth, argument = 0, 0 // the bracket does not open a call: continue outside of it
		}
	}
	return "", 0, false
}

// newSignature describes a function. It leaves out the context, which a lambda does not pass.
func (v *view) newSignature(f gen.Symbol) (info protocol.SignatureInformation, ok bool) {
	expr, err := parser.ParseExpr(f.Type)
	function, isFunction := expr.(*ast.FuncType)
	if err != nil || !isFunction {
		return info, false
	}
	label := f.Name + "("
	for _, field := range function.Params.List {
		typ := printExpr(field.Type)
		if typ == "context.Context" {
			continue
		}
		for _, name := range append(field.Names, nil)[:max(len(field.Names), 1)] {
			text := typ
			if name != nil {
				text = name.Name + " " + typ
			}
			if len(info.Parameters) > 0 {
				label += ", "
			}
			info.Parameters = append(info.Parameters, protocol.ParameterInformation{Label: text})
			label += text
		}
	}
	label += ")"
	if function.Results != nil {
		label += f.Type[int(function.Params.End())-1:]
	}
	info.Label = label
	if f.Doc != "" {
		info.Documentation = v.markup(v.escape(f.Doc))
	}
	return info, true
}

func printExpr(e ast.Expr) string {
	var b strings.Builder
	_ = printer.Fprint(&b, token.NewFileSet(), e) // a Builder does not fail
	return b.String()
}
