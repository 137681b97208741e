// Package tool runs typed Go functions as tools of a language model: it reads the arguments
// that the model wrote, calls the function and writes its result. Code that aiongen generates
// links against it. It depends on nothing but the standard library.
//
// Create a [Registry] with [NewRegistry], register generated tools, and pass every [Request]
// of the model to [Registry.Call]:
//
//	r := tool.NewRegistry()
//	if err := tools.Register(r); err != nil { … }
//	call := r.Call(ctx, tool.Request{Name: "search", Arguments: arguments})
//
// Call returns the record of the call, never nil. The model reads its Output, or [ModelText]
// of its Err; [Code] and [Retryable] classify the error. [Registry.Available] returns the
// definitions to offer to a model. For a model without tool calls, package schema describes
// them as text.
//
// The option [Use] adds middleware to every call of a registry, such as that of package
// middleware. [TypedTool.Before] and [TypedTool.After] add typed hooks to one tool. A function learns more
// about its caller from its [Exchange], which also asks the caller a [Question] and attaches content. Values
// that JSON cannot carry live in a [Scope].
//
// In a package with .aion files, [Annotate] and [Inject] add what the types do not say. Make tools by hand
// with [NewTypedTool], [NewTypedAction] and [New]. Package schema makes them from a schema.
package tool
