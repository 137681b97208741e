package prompt

// Texts for the prompts of models that have no tool calls of their own. They say
// how to ask for calls in the model's reply, next to the tools that [Text]
// describes.
const (
	// ActFunction describes the member that names a tool.
	ActFunction = "The name of a tool, exactly as it is listed. Never make up a name."

	// ActArguments describes the member that has the arguments.
	ActArguments = "The arguments as a JSON object: only names that the tool lists, values of the listed types, and all that are required."

	// ActRequired describes a member that says whether tools are to be called.
	ActRequired = "Whether tools must be called before there is an answer. If it is true, the list of requests must not be empty."

	// ActRequests describes the list of requests.
	ActRequests = "The calls to make, in order. Leave it empty if no tool is needed; then answer in words."

	// ActResponses describes the list of what came of the calls.
	ActResponses = "What came of the calls, in the order of the requests. It is filled in for you: leave it out."
)

// JSON Schemas of what models without tool calls write and read.
const (
	// ActRequestSchema is the schema of a list of requests.
	ActRequestSchema = `{"type":"array","description":"` + ActRequests + `","items":{"type":"object","properties":{` +
		`"name":{"type":"string","description":"` + ActFunction + `"},` +
		`"arguments":{"type":"object","description":"` + ActArguments + `"}},` +
		`"required":["name","arguments"],"additionalProperties":false}}`

	// ActResponseSchema is the schema of a list of responses: of each call
	// either its output or, in words, its error.
	ActResponseSchema = `{"type":"array","description":"` + ActResponses + `","items":{"type":"object","properties":{` +
		`"name":{"type":"string"},"arguments":{"type":"object"},"output":{},"error":{"type":"string"}},` +
		`"required":["name"],"additionalProperties":false}}`
)
