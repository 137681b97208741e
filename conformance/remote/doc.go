// Package remote tests tools of MCP servers that were written with other SDKs, go-sdk and mcp-go: over
// standard input and output and over HTTP, in the newest version of the protocol and in the last one
// with sessions.
package remote
