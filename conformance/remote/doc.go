// Package remote tests that tools can be made of what servers offer which others wrote:
// those of go-sdk and of mcp-go, by standard input and output and by HTTP, in the newest
// version of the protocol and in the last that had sessions.
package remote
