package telemetry

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/aiongen/aiongen/runtime/mcp/observe"
)

// ServeMCPSession records the duration of a session of an MCP client; pass it to mcp.ObserveSessions.
func (r *Recorder) ServeMCPSession(s *observe.Session) (end func(error)) {
	return r.recordSession(r.metrics.serverSession, connectionLabels(s.Connection, s.Version))
}

// CallMCPSession records the duration of a session with an MCP server; pass it to
// remote.ObserveSessions.
func (r *Recorder) CallMCPSession(s *observe.Session) (end func(error)) {
	labels := connectionLabels(s.Connection, s.Version)
	return r.recordSession(r.metrics.clientSession, append(labels, addressAttributes(s.Connection, keyServerAddress, keyServerPort)...))
}

// recordSession returns a function that records the duration of a session that begins now.
func (r *Recorder) recordSession(seconds metric.Float64Histogram, labels []attribute.KeyValue) (end func(error)) {
	started := time.Now()
	return func(err error) {
		if err != nil {
			labels = appendError(labels, r.errorType(err))
		}
		seconds.Record(context.Background(), time.Since(started).Seconds(), metric.WithAttributes(labels...))
	}
}

// connectionLabels returns the attributes of a connection that spans and metrics have in common.
func connectionLabels(c observe.Connection, version string) (labels []attribute.KeyValue) {
	if version != "" && !mcpVersions[version] {
		version = otherValue
	}
	labels = appendText(labels, keyMCPVersion, version, maxNameBytes)
	labels = appendText(labels, keyTransport, c.Transport, maxNameBytes)
	labels = appendText(labels, keyProtocol, c.Protocol, maxNameBytes)
	return appendText(labels, keyHTTPVersion, c.HTTPVersion, maxNameBytes)
}

// addressAttributes returns the address of the other side, if it is known.
func addressAttributes(c observe.Connection, address, port attribute.Key) []attribute.KeyValue {
	if c.Address == "" {
		return nil
	}
	attributes := []attribute.KeyValue{address.String(cutName(c.Address))}
	if c.Port != 0 {
		attributes = append(attributes, port.Int(c.Port))
	}
	return attributes
}
