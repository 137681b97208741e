// Package tool runs typed Go functions as tools of a language model: it reads
// the arguments that the model wrote, calls the function and writes its result.
// It is what the code that aiongen generates links against, and depends on
// nothing but the standard library.
//
// A program makes a [Registry], registers generated tools with it, and hands
// every [Request] of the model to [Registry.Call]:
//
//	r := tool.NewRegistry()
//	if err := tools.Register(r); err != nil { … }
//	call := r.Call(ctx, tool.Request{Name: "search", Arguments: arguments})
//
// The [Call] is the record of what came of it, never nil: the model is to be told
// its Output, or [ModelText] of its Err. What to offer the model is in
// [Registry.Available], or [Text] for one without tool calls.
//
// What is to happen around every call is an option of the registry, [Use], with
// middleware such as [Timeout], [Limit], [Rate] and [Gate], or that of package
// toollog; what concerns one tool, a typed hook; see [Of.Before] and [Of.After].
// Values that JSON cannot carry live in a [Scope].
//
// The rest of the package ([NewOf], [Value], [Object], [Encoder] and the functions
// on them) is what generated code makes tools of, reads arguments and writes
// results with. It is plain enough to be written by hand, too; see the example.
package tool

// Generated1 stands for the contract between generated code and this package;
// every generated file refers to it. When that contract changes in a way that
// existing generated code would not survive, the constant is replaced by
// Generated2, so that such code fails to build here, by name, instead of
// misbehaving: generate it anew with the aiongen of the same version.
const Generated1 = 1
