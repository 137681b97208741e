package telemetry

import (
	"context"
	"errors"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/aiongen/aiongen/runtime/llm"
)

// instruments holds the OpenTelemetry instruments that record the metrics.
type instruments struct {
	inference, firstChunk, nextChunk metric.Float64Histogram
	input, output, cached, reasoning metric.Int64Counter
	inputPerCall, outputPerCall      metric.Int64Histogram
	agent, tool, server, client      metric.Float64Histogram
	serverSession, clientSession     metric.Float64Histogram
	agentInferences, agentTools      metric.Int64Histogram
	oldInference, oldFirst, oldNext  metric.Float64Histogram // nil without Legacy
	oldTokens                        metric.Int64Histogram   // nil without Legacy
}

// newInstruments creates the instruments. If legacy is true, it includes the instruments of earlier
// semantic conventions.
func newInstruments(m metric.Meter, legacy bool) (i instruments, err error) {
	b := instrumentBuilder{meter: m}
	i.inference = b.newSeconds(metricInference, "Duration of calls of a model, with retries.", secondsOfCalls)
	i.firstChunk = b.newSeconds(metricFirstChunk, "Time until the first chunk of a streamed answer.", secondsOfCalls)
	i.nextChunk = b.newSeconds(metricNextChunk, "Time between the chunks of a streamed answer.", secondsOfCalls)
	i.input = b.newCounter(metricInputTokens, "Tokens that models have read.")
	i.output = b.newCounter(metricOutputTokens, "Tokens that models have written.")
	i.cached = b.newCounter(metricCachedTokens, "Tokens that models have read from the cache of their provider.")
	i.reasoning = b.newCounter(metricReasoningTokens, "Tokens of the reasoning of models.")
	i.inputPerCall = b.newNumbers(metricInputPerCall, "{token}", "Tokens that a model has read in a call.", numbersOfTokens)
	i.outputPerCall = b.newNumbers(metricOutputPerCall, "{token}", "Tokens that a model has written in a call.", numbersOfTokens)
	i.agent = b.newSeconds(metricAgent, "Duration of executions of a run.", secondsOfAgents)
	i.agentInferences = b.newNumbers(metricAgentInferences, "{inference_call}", "Calls of models in an execution of a run.", numbersOfCalls)
	i.agentTools = b.newNumbers(metricAgentTools, "{tool_call}", "Calls of tools in an execution of a run.", numbersOfCalls)
	i.tool = b.newSeconds(metricTool, "Duration of calls of a tool.", secondsOfCalls)
	i.server = b.newSeconds(metricMCPServer, "Duration of requests that an MCP server has received.", secondsOfMCP)
	i.client = b.newSeconds(metricMCPClient, "Duration of requests that an MCP client has sent.", secondsOfMCP)
	i.serverSession = b.newSeconds(metricServerSession, "Duration of sessions of an MCP server.", secondsOfMCP)
	i.clientSession = b.newSeconds(metricClientSession, "Duration of sessions of an MCP client.", secondsOfMCP)
	if legacy {
		i.oldInference = b.newSeconds(legacyInference, "Duration of calls of a model, with retries.", secondsOfCalls)
		i.oldFirst = b.newSeconds(legacyFirstChunk, "Time until the first chunk of a streamed answer.", secondsOfCalls)
		i.oldNext = b.newSeconds(legacyNextChunk, "Time between the chunks of a streamed answer.", secondsOfCalls)
		i.oldTokens = b.newNumbers(legacyTokens, "{token}", "Tokens that a model has read or written in a call.", numbersOfTokens)
	}
	return i, b.err
}

// instrumentBuilder creates instruments and collects the errors.
type instrumentBuilder struct {
	meter metric.Meter
	err   error
}

func (b *instrumentBuilder) newSeconds(name, text string, bounds []float64) metric.Float64Histogram {
	h, err := b.meter.Float64Histogram(name, metric.WithUnit("s"), metric.WithDescription(text), metric.WithExplicitBucketBoundaries(bounds...))
	b.err = errors.Join(b.err, err)
	return h
}

func (b *instrumentBuilder) newNumbers(name, unit, text string, bounds []float64) metric.Int64Histogram {
	h, err := b.meter.Int64Histogram(name, metric.WithUnit(unit), metric.WithDescription(text), metric.WithExplicitBucketBoundaries(bounds...))
	b.err = errors.Join(b.err, err)
	return h
}

func (b *instrumentBuilder) newCounter(name, text string) metric.Int64Counter {
	c, err := b.meter.Int64Counter(name, metric.WithUnit("{token}"), metric.WithDescription(text))
	b.err = errors.Join(b.err, err)
	return c
}

// recordSeconds records a duration in h, and also in old unless old is nil.
func recordSeconds(ctx context.Context, h, old metric.Float64Histogram, d time.Duration, o metric.MeasurementOption) {
	h.Record(ctx, d.Seconds(), o)
	if old != nil {
		old.Record(ctx, d.Seconds(), o)
	}
}

// recordUsage records the tokens of a call of a model. modality is "text" if all tokens are text, or ""
// if they have several modalities.
func (i *instruments) recordUsage(ctx context.Context, u llm.Usage, attributes []attribute.KeyValue, modality string) {
	if u.Total() == 0 {
		return // the endpoint does not report its usage
	}
	callLabels := metric.WithAttributes(attributes...)
	i.inputPerCall.Record(ctx, countOf(u.Input), callLabels)
	i.outputPerCall.Record(ctx, countOf(u.Output), callLabels)
	if i.oldTokens != nil {
		i.oldTokens.Record(ctx, countOf(u.Input), callLabels, metric.WithAttributes(keyLegacyToken.String(tokensInput)))
		i.oldTokens.Record(ctx, countOf(u.Output), callLabels, metric.WithAttributes(keyLegacyToken.String(tokensOutput)))
	}
	sums := callLabels
	if modality != "" {
		sums = metric.WithAttributes(append(attributes, keyTokenModality.String(modality))...)
	}
	i.input.Add(ctx, countOf(u.Input), sums)
	i.output.Add(ctx, countOf(u.Output), sums)
	if u.Cached > 0 {
		i.cached.Add(ctx, countOf(u.Cached), sums)
	}
	if u.Reasoning > 0 {
		i.reasoning.Add(ctx, countOf(u.Reasoning), sums)
	}
}

// countOf returns a number of tokens, or 0 if the endpoint has reported a negative number.
func countOf(tokens int) int64 { return int64(max(tokens, 0)) }
