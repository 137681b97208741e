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
// its Output, or [ModelText] of its Err, of which [Code] and [Retryable] say more. What
// to offer the model is in [Registry.Available], or, for one without tool calls, in
// words by package prompt.
//
// What is to happen around every call is an option of the registry, [Use], with
// middleware such as that of packages guard and toollog; what concerns one tool, a typed
// hook; see [Of.Before] and [Of.After]. What a function knows of its call beyond the
// arguments, and says beside the result, is its [Exchange]. Values that JSON cannot carry
// live in a [Scope].
//
// A package with .aion files says by [Annotate] and [Inject] what its types do not say.
// Generated code reads and writes values by package wire. By hand, tools are made with
// [NewOf], [NewDo] and [New]; package schema makes them of a schema.
//
// Its layers, from top to bottom; no file calls one above it:
//
//	batch, registry, annotate          tools by name, and around them
//	record, byhand, generated, of      their calls in JSON; what makes them, and hooks
//	run, invocation, context           a call that runs
//	tolerant, scope, exchange, errors  what arguments may be besides JSON that fits; what is said; what went wrong
//	call, definition                   what all of them speak of
package tool
