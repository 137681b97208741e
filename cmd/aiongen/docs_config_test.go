//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// clientConfig is the configuration of an MCP client, in the form of Claude Desktop and Cursor, or of VS Code.
type clientConfig struct {
	MCPServers map[string]serverConfig `json:"mcpServers"`
	Servers    map[string]serverConfig `json:"servers"`
}

// serverConfig is the configuration of a server that an MCP client starts or connects to.
type serverConfig struct {
	Type    string            `json:"type"`
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
	URL     string            `json:"url"`
}

// startConfigured connects to the servers in the configuration of an MCP client, as the client would, and checks
// that each has tools. A block that is not such a configuration has no servers.
func (r *pageRun) startConfigured(ctx context.Context, text string) error {
	var config clientConfig
	text = strings.ReplaceAll(text, "${workspaceFolder}", r.dir)
	if err := json.Unmarshal([]byte(text), &config); err != nil {
		return nil // checkBlocks reports invalid JSON
	}
	var faults []error
	for name, server := range config.MCPServers {
		faults = append(faults, r.startServer(ctx, name, server))
	}
	for name, server := range config.Servers {
		if server.Type == "" {
			faults = append(faults, fmt.Errorf("server %s has no type, which VS Code requires", name))
		}
		faults = append(faults, r.startServer(ctx, name, server))
	}
	return errors.Join(faults...)
}

// startServer connects to one server.
func (r *pageRun) startServer(ctx context.Context, name string, config serverConfig) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	client := sdk.NewClient(&sdk.Implementation{Name: "docs"}, nil)
	var session *sdk.ClientSession
	err := errors.New("neither a command nor a URL")
	switch {
	case config.Command != "":
		command := exec.CommandContext(ctx, config.Command, config.Args...)
		command.Dir, command.Env = "/", []string{"PATH=/usr/bin:/bin"} // as a desktop starts programs
		for name, value := range config.Env {
			command.Env = append(command.Env, name+"="+value)
		}
		session, err = client.Connect(ctx, &sdk.CommandTransport{Command: command}, nil)
	case config.URL != "":
		for err = errors.New("not tried"); err != nil && ctx.Err() == nil; {
			session, err = client.Connect(ctx, &sdk.StreamableClientTransport{Endpoint: config.URL}, nil)
			if err != nil {
				time.Sleep(50 * time.Millisecond) // it may still be starting in the background
			}
		}
	}
	if err != nil {
		return fmt.Errorf("server %s: %w", name, err)
	}
	tools, err := session.ListTools(ctx, nil)
	if err == nil && len(tools.Tools) == 0 {
		err = errors.New("no tools")
	}
	if err = errors.Join(err, session.Close()); err != nil {
		return fmt.Errorf("server %s: %w", name, err)
	}
	return nil
}
