package telemetry

import "go.opentelemetry.io/otel/attribute"

// The names in this file come from the semantic conventions for generative AI and MCP, version 0.1.0
// (github.com/open-telemetry/semantic-conventions-genai). Their status is Development, so a later version
// may rename them. The tracer and the meter have no schema URL, because no schema of this version is
// published, and a collector that translates schemas would try to download it.
const (
	conventionVersion = "0.1.0"
	scopeName         = "github.com/aiongen/aiongen/adapters/telemetry"
)

// Operations are values of gen_ai.operation.name and the first words of the names of spans.
const (
	operationChat  = "chat"
	operationTool  = "execute_tool"
	operationAgent = "invoke_agent"
	operationPlan  = "plan"
	operationStep  = "step"      // not in the conventions
	operationStart = "start_run" // not in the conventions
)

// Values of error.type, in addition to the codes of errors.
const (
	errorTool       = "tool_error" // the tool that an MCP request called has failed
	errorSuperseded = "superseded" // the execution of a run ended without an event
	errorPanic      = "panic"      // the call of a model panicked
)

// Values of other attributes.
const (
	otherValue   = "_OTHER"   // replaces values that are unknown or too many for a metric
	toolFunction = "function" // gen_ai.tool.type
	modalityText = "text"     // gen_ai.token.modality
	outputJSON   = "json"     // gen_ai.output.type
	tokensInput  = "input"    // gen_ai.token.type
	tokensOutput = "output"   // gen_ai.token.type
)

// Attributes of spans and metrics.
const (
	keyOperation      = attribute.Key("gen_ai.operation.name")
	keyProvider       = attribute.Key("gen_ai.provider.name")
	keyErrorType      = attribute.Key("error.type")
	keyConversation   = attribute.Key("gen_ai.conversation.id")
	keyCompacted      = attribute.Key("gen_ai.conversation.compacted")
	keyAgentName      = attribute.Key("gen_ai.agent.name")
	keyOutputType     = attribute.Key("gen_ai.output.type")
	keyRequestModel   = attribute.Key("gen_ai.request.model")
	keyRequestStream  = attribute.Key("gen_ai.request.stream")
	keyRequestSeed    = attribute.Key("gen_ai.request.seed")
	keyRequestTokens  = attribute.Key("gen_ai.request.max_tokens")
	keyRequestTemp    = attribute.Key("gen_ai.request.temperature")
	keyRequestTopP    = attribute.Key("gen_ai.request.top_p")
	keyRequestStop    = attribute.Key("gen_ai.request.stop_sequences")
	keyRequestEffort  = attribute.Key("gen_ai.request.reasoning.level")
	keyResponseModel  = attribute.Key("gen_ai.response.model")
	keyResponseFinish = attribute.Key("gen_ai.response.finish_reasons")
	keyResponseFirst  = attribute.Key("gen_ai.response.time_to_first_chunk")
	keyUsageInput     = attribute.Key("gen_ai.usage.input_tokens")
	keyUsageOutput    = attribute.Key("gen_ai.usage.output_tokens")
	keyUsageCached    = attribute.Key("gen_ai.usage.cache_read.input_tokens")
	keyUsageReasoning = attribute.Key("gen_ai.usage.reasoning.output_tokens")
	keyTokenModality  = attribute.Key("gen_ai.token.modality")
	keyToolName       = attribute.Key("gen_ai.tool.name")
	keyToolType       = attribute.Key("gen_ai.tool.type")
	keyToolCall       = attribute.Key("gen_ai.tool.call.id")
	keyToolText       = attribute.Key("gen_ai.tool.description")
	keyPromptName     = attribute.Key("gen_ai.prompt.name")

	// Content, which is recorded only on request.
	keyInput           = attribute.Key("gen_ai.input.messages")
	keyOutput          = attribute.Key("gen_ai.output.messages")
	keySystem          = attribute.Key("gen_ai.system_instructions")
	keyToolDefinitions = attribute.Key("gen_ai.tool.definitions")
	keyToolArguments   = attribute.Key("gen_ai.tool.call.arguments")
	keyToolResult      = attribute.Key("gen_ai.tool.call.result")

	keyMCPMethod   = attribute.Key("mcp.method.name")
	keyMCPVersion  = attribute.Key("mcp.protocol.version")
	keyMCPSession  = attribute.Key("mcp.session.id")
	keyMCPResource = attribute.Key("mcp.resource.uri")
	keyRPCStatus   = attribute.Key("rpc.response.status_code")
	keyRPCID       = attribute.Key("jsonrpc.request.id")

	keyTransport     = attribute.Key("network.transport")
	keyProtocol      = attribute.Key("network.protocol.name")
	keyHTTPVersion   = attribute.Key("network.protocol.version")
	keyServerAddress = attribute.Key("server.address")
	keyServerPort    = attribute.Key("server.port")
	keyClientAddress = attribute.Key("client.address")
	keyClientPort    = attribute.Key("client.port")
)

// Attributes that the conventions do not have.
const (
	keyRunID     = attribute.Key("aiongen.run.id")
	keyRunStatus = attribute.Key("aiongen.run.status")
	keyWaitsFor  = attribute.Key("aiongen.waits_for") // what a run or a call waits for, such as "approval"
	keyPurpose   = attribute.Key("aiongen.model.purpose")
	keyStepID    = attribute.Key("aiongen.step.id")
	keyStepMode  = attribute.Key("aiongen.step.mode")
	keyCut       = attribute.Key("aiongen.content.cut") // true if some content was cut because it was too long
)

// Metrics.
const (
	metricInference       = "gen_ai.client.inference.duration"
	metricFirstChunk      = "gen_ai.client.inference.time_to_first_chunk"
	metricNextChunk       = "gen_ai.client.inference.time_per_output_chunk"
	metricInputTokens     = "gen_ai.client.inference.usage.input_tokens"
	metricOutputTokens    = "gen_ai.client.inference.usage.output_tokens"
	metricCachedTokens    = "gen_ai.client.inference.usage.cache_read.input_tokens"
	metricReasoningTokens = "gen_ai.client.inference.usage.reasoning.output_tokens"
	metricInputPerCall    = "gen_ai.client.inference.operation.input_tokens"
	metricOutputPerCall   = "gen_ai.client.inference.operation.output_tokens"
	metricAgent           = "gen_ai.invoke_agent.duration"
	metricAgentInferences = "gen_ai.invoke_agent.inference_calls"
	metricAgentTools      = "gen_ai.invoke_agent.tool_calls"
	metricTool            = "gen_ai.execute_tool.duration"
	metricMCPServer       = "mcp.server.operation.duration"
	metricMCPClient       = "mcp.client.operation.duration"
	metricServerSession   = "mcp.server.session.duration"
	metricClientSession   = "mcp.client.session.duration"
)

// Names in version 1.41.0 of the semantic conventions. They are used only with the option Legacy.
const (
	legacyInference  = "gen_ai.client.operation.duration"
	legacyFirstChunk = "gen_ai.client.operation.time_to_first_chunk"
	legacyNextChunk  = "gen_ai.client.operation.time_per_output_chunk"
	legacyTokens     = "gen_ai.client.token.usage" //nolint:gosec // the name of a metric
	keyLegacyToken   = attribute.Key("gen_ai.token.type")
)

// Boundaries of the buckets of histograms.
var (
	secondsOfCalls  = []float64{0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92}
	secondsOfAgents = []float64{0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 102.4, 204.8, 409.6}
	secondsOfMCP    = []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300}
	numbersOfTokens = []float64{1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864}
	numbersOfCalls  = []float64{1, 2, 4, 8, 16, 32, 64, 128}
)

// mcpMethods are the methods that metrics distinguish. All others, which a client may invent, are "_OTHER".
var mcpMethods = map[string]bool{
	"initialize": true, "ping": true, "server/discover": true,
	"tools/list": true, "tools/call": true,
	"prompts/list": true, "prompts/get": true,
	"resources/list": true, "resources/templates/list": true, "resources/read": true, "resources/subscribe": true, "resources/unsubscribe": true,
	"completion/complete": true, "logging/setLevel": true, "subscriptions/listen": true,
	"notifications/initialized": true, "notifications/cancelled": true, "notifications/progress": true, "notifications/roots/list_changed": true,
}

// mcpVersions are the protocol versions that metrics distinguish. All others, which the other side may
// invent, are "_OTHER".
var mcpVersions = map[string]bool{"2024-11-05": true, "2025-03-26": true, "2025-06-18": true, "2025-11-25": true, "2026-07-28": true}
