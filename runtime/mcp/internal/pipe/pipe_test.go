package pipe_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/internal/pipe"
)

const longest = 4096

// client is what is at the other end of the pipe.
type client struct {
	t   testing.TB
	in  io.WriteCloser
	out *bufio.Scanner
}

// serve serves a client that has initialized at a version.
func serve(t testing.TB, version string, tools ...func(*sdk.Server)) *client {
	t.Helper()
	in, write := io.Pipe()
	read, out := io.Pipe()
	server := sdk.NewServer(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	for _, add := range tools {
		add(server)
	}
	ended := make(chan error, 1)
	go func() {
		ended <- server.Run(context.WithoutCancel(t.Context()), pipe.Lines{In: in, Out: out, Max: longest, Log: slog.New(slog.DiscardHandler)})
		out.Close()
	}()
	c := &client{t, write, bufio.NewScanner(read)}
	t.Cleanup(func() {
		write.Close()
		for c.out.Scan() { // nothing else is to come
			t.Errorf("left over: %s", c.out.Text())
		}
		<-ended
	})
	c.send(`{"jsonrpc":"2.0","id":"begin","method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":{"elicitation":{}},"clientInfo":{"name":"x","version":"1"}}}`)
	c.answers("begin")
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

func (c *client) send(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

// next is the next line that comes.
func (c *client) next() string {
	c.t.Helper()
	if !c.out.Scan() {
		c.t.Fatal("there is no answer")
	}
	return c.out.Text()
}

// answers expects an answer to what has an id, and returns it.
func (c *client) answers(id string) string {
	c.t.Helper()
	line := c.next()
	var answer struct{ ID json.RawMessage }
	if err := json.Unmarshal([]byte(line), &answer); err != nil {
		c.t.Fatalf("%s: %v", line, err)
	}
	if got := strings.Trim(string(answer.ID), `"`); got != id {
		c.t.Errorf("the answer has the id %s, not %s: %s", got, id, line)
	}
	return line
}

// TestIDs: ids come back as they were sent. Numbers went through float64 before, and
// the first came back as 1763807093614000128, the second as 1.
func TestIDs(t *testing.T) {
	c := serve(t, "2025-03-26")
	for _, id := range []string{"1763807093614000001", "1.5", "-9007199254740993", "1e400", "0", "7", "9007199254740992", "1.0", "123456789012345678901234567890"} {
		c.send(`{"jsonrpc":"2.0","method":"ping","id": ` + id + ` }`)
		c.answers(id)
	}
	c.send(`{"jsonrpc":"2.0","method":"ping","params":{"id":3},"id":"1.5"}`)
	if line := c.answers("1.5"); !strings.Contains(line, `"id":"1.5"`) {
		t.Error(line)
	}
	c.send(`[{"jsonrpc":"2.0","id":1763807093614000001,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]`)
	if line := c.next(); !strings.Contains(line, `"id":1763807093614000001,`) || !strings.Contains(line, `"id":2,`) {
		t.Error(line)
	}
}

// TestNobodysIDs: a request whose id is none is answered, too, and one whose id is long.
func TestNobodysIDs(t *testing.T) {
	c := serve(t, "2025-11-25")
	for _, id := range []string{"null", "true", "false", "{}", `{"id":1}`, "[1]"} {
		c.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`)
		if line := c.answers("null"); !strings.Contains(line, "the id of a request must be a string or a number") {
			t.Errorf("%s: %s", id, line)
		}
	}
	long := strings.Repeat("x", 500)
	c.send(`{"jsonrpc":"2.0","id":"` + long + `","method":"ping"}`)
	c.answers(long)
}

// TestCancelled: what is cancelled is not answered; by a client that waits no more it
// would be taken for an answer to nothing. Its function is cancelled, whatever its id.
func TestCancelled(t *testing.T) {
	begun, cancelled := make(chan bool), make(chan bool)
	c := serve(t, "2025-11-25", func(s *sdk.Server) {
		sdk.AddTool(s, &sdk.Tool{Name: "wait"}, func(ctx context.Context, _ *sdk.CallToolRequest, _ struct{}) (*sdk.CallToolResult, any, error) {
			begun <- true
			<-ctx.Done()
			cancelled <- true
			return nil, nil, ctx.Err()
		})
	})
	for _, id := range []string{"1", `"one"`, "1763807093614000001", "1.5"} {
		c.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"wait","arguments":{}}}`)
		<-begun
		c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `,"reason":"changed my mind"}}`)
		<-cancelled
		c.send(`{"jsonrpc":"2.0","id":"after","method":"ping"}`)
		c.answers("after")
	}
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}`) // was never asked
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}`)
	c.send(`{"jsonrpc":"2.0","id":77,"method":"ping"}`)
	c.answers("77")
}

// TestTooLong: a request that is too long is answered by its id, wherever that stands;
// its sender waited for ever, before. One that has none, or is an answer, is not.
func TestTooLong(t *testing.T) {
	long := strings.Repeat(`x\"{`, longest/4)
	refusals := make(chan error, 1)
	c := serve(t, "2025-11-25", func(s *sdk.Server) {
		sdk.AddTool(s, &sdk.Tool{Name: "ask"}, func(ctx context.Context, r *sdk.CallToolRequest, _ struct{}) (*sdk.CallToolResult, any, error) {
			_, err := r.Session.Elicit(ctx, &sdk.ElicitParams{Message: "Well?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`)})
			refusals <- err
			return nil, nil, nil
		})
	})
	for line, id := range map[string]string{
		`{"method":"tools/call","params":{"name":"` + long + `","id":3,"more":[{"id":4}]},"jsonrpc":"2.0","id":5}`: "5",
		`{"id" : "a,b:\"c" ,"jsonrpc":"2.0","method":"ping","params":{"text":"` + long + `"}}`:                     `a,b:\"c`,
		`{"jsonrpc":"2.0","id":1763807093614000001,"method":"ping","params":{"text":"` + long:                      "1763807093614000001",
		`{"method":"ping","params":{},"note":"` + long + `","id":6}`:                                               "6",
		`{"method":"ping","id":"` + long + `"}`:                                                                    "null",
		`{"method":"ping","id":{"a":1},"note":"` + long + `"}`:                                                     "null",
		`{"method":"notifications/x","note":"` + long + `"}`:                                                       "",
		`[{"method":"ping","id":1},"` + long + `"]`:                                                                "null",
		`"` + long + `"`: "null",
	} {
		c.send(line)
		if id != "" {
			if answer := c.answers(id); !strings.Contains(answer, "a message is longer than 4096 bytes") {
				t.Error(answer)
			}
		}
	}
	c.send(`{"jsonrpc":"2.0","id":"ask","method":"tools/call","params":{"name":"ask","arguments":{}}}`)
	var asked struct{ ID json.RawMessage }
	if err := json.Unmarshal([]byte(c.next()), &asked); err != nil {
		t.Fatal(err)
	}
	c.send(`{"jsonrpc":"2.0","result":{"action":"accept","content":{"text":"` + long + `"}},"id":` + string(asked.ID) + `}`)
	if err := <-refusals; err == nil || !strings.Contains(err.Error(), "a message is longer than 4096 bytes") {
		t.Errorf("who asked is told %v", err)
	}
	c.answers("ask")
}

// Example shows a server that goes on after what is no message.
func Example() {
	in, write := io.Pipe()
	read, out := io.Pipe()
	go func() {
		server := sdk.NewServer(&sdk.Implementation{Name: "example", Version: "1"}, nil)
		_ = server.Run(context.Background(), pipe.Lines{In: in, Out: out, Max: 1 << 20, Log: slog.New(slog.DiscardHandler)})
		out.Close()
	}()
	answers := bufio.NewScanner(read)
	for _, line := range []string{
		`garbage`,
		`{"jsonrpc":"2.0","id":1.5,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
	} {
		fmt.Fprintln(write, line)
		answers.Scan()
		var answer struct {
			ID    json.RawMessage
			Error *struct{ Code int }
		}
		if err := json.Unmarshal(answers.Bytes(), &answer); err != nil {
			fmt.Println(err)
		}
		fmt.Println(string(answer.ID), answer.Error != nil)
	}
	write.Close()
	// Output:
	// null true
	// 1.5 false
}
