// Package tool runs typed Go functions as tools of a language model: it reads the arguments
// that the model wrote, calls the function and writes its result. Code that aiongen generates
// imports it. It depends only on the standard library.
//
// Create a [Registry] with [NewRegistry], register generated tools, and pass every [Request]
// of the model to [Registry.Call]:
//
//	r := tool.NewRegistry()
//	if err := tools.Register(r); err != nil { … }
//	call := r.Call(ctx, tool.Request{Name: "search", Arguments: arguments})
//
// Call returns the record of the call, never nil. Pass its Output to the model, or [ModelText]
// of its Err. [Code] and [Retryable] classify the error. [Registry.Available] returns the
// definitions to offer to a model. For a model without tool calls, package schema describes
// them as text.
//
// The option [Use] adds middleware to every call of a registry, such as that of package
// middleware. [TypedTool.Before] and [TypedTool.After] add typed hooks to one tool. With its [Exchange], a
// function learns more about its caller, asks the caller a [Question] and attaches content. A [Scope] holds
// values that JSON cannot represent.
//
// In a package with .aion files, [Annotate] and [Inject] declare what Go types do not express. Make tools by hand
// with [NewTypedTool], [NewTypedAction] and [New]. Package schema makes tools from schemas.
package tool
