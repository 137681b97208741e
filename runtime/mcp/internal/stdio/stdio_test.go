package stdio_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/internal/stdio"
)

const longest = 4096

// client is the other end of the pipe.
type client struct {
	t   testing.TB
	in  io.WriteCloser
	out *bufio.Scanner
}

// startServer starts a server for a client that has initialized with a version.
func startServer(t testing.TB, version string, tools ...func(*sdk.Server)) *client {
	t.Helper()
	in, write := io.Pipe()
	read, out := io.Pipe()
	server := sdk.NewServer(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	for _, add := range tools {
		add(server)
	}
	ended := make(chan error, 1)
	go func() {
		ended <- server.Run(context.WithoutCancel(t.Context()), stdio.Transport{In: in, Out: out, MaxMessage: longest, Log: slog.New(slog.DiscardHandler)})
		out.Close()
	}()
	c := &client{t, write, bufio.NewScanner(read)}
	t.Cleanup(func() {
		write.Close()
		for c.out.Scan() { // no other line may follow
			t.Errorf("left over: %s", c.out.Text())
		}
		<-ended
	})
	c.sendLine(`{"jsonrpc":"2.0","id":"begin","method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":{"elicitation":{}},"clientInfo":{"name":"x","version":"1"}}}`)
	c.findAnswer("begin")
	c.sendLine(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

func (c *client) sendLine(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

// nextLine returns the next line from the server.
func (c *client) nextLine() string {
	c.t.Helper()
	if !c.out.Scan() {
		c.t.Fatal("there is no answer")
	}
	return c.out.Text()
}

// findAnswer waits for the answer to a request with an ID and returns it.
func (c *client) findAnswer(id string) string {
	c.t.Helper()
	line := c.nextLine()
	var answer struct{ ID json.RawMessage }
	if err := json.Unmarshal([]byte(line), &answer); err != nil {
		c.t.Fatalf("%s: %v", line, err)
	}
	if got := strings.Trim(string(answer.ID), `"`); got != id {
		c.t.Errorf("the answer has the id %s, not %s: %s", got, id, line)
	}
	return line
}

// TestIDs checks that IDs are returned as they were sent. An earlier version converted numbers to
// float64, so that the first one was returned as 1763807093614000128, and the second as 1.
func TestIDs(t *testing.T) {
	c := startServer(t, "2025-03-26")
	for _, id := range []string{"1763807093614000001", "1.5", "-9007199254740993", "1e400", "0", "7", "9007199254740992", "1.0", "123456789012345678901234567890"} {
		c.sendLine(`{"jsonrpc":"2.0","method":"ping","id": ` + id + ` }`)
		c.findAnswer(id)
	}
	c.sendLine(`{"jsonrpc":"2.0","method":"ping","params":{"id":3},"id":"1.5"}`)
	if line := c.findAnswer("1.5"); !strings.Contains(line, `"id":"1.5"`) {
		t.Error(line)
	}
	c.sendLine(`[{"jsonrpc":"2.0","id":1763807093614000001,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]`)
	if line := c.nextLine(); !strings.Contains(line, `"id":1763807093614000001,`) || !strings.Contains(line, `"id":2,`) {
		t.Error(line)
	}
}

// TestNobodysIDs checks that requests with invalid IDs and with long IDs are answered.
func TestNobodysIDs(t *testing.T) {
	c := startServer(t, "2025-11-25")
	for _, id := range []string{"null", "true", "false", "{}", `{"id":1}`, "[1]"} {
		c.sendLine(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`)
		if line := c.findAnswer("null"); !strings.Contains(line, "the id of a request must be a string or a number") {
			t.Errorf("%s: %s", id, line)
		}
	}
	long := strings.Repeat("x", 500)
	c.sendLine(`{"jsonrpc":"2.0","id":"` + long + `","method":"ping"}`)
	c.findAnswer(long)
}

// TestCancelled checks that canceled requests are not answered, because their client would not know
// what the answer belongs to. The function is canceled, whatever its ID.
func TestCancelled(t *testing.T) {
	begun, cancelled := make(chan bool), make(chan bool)
	c := startServer(t, "2025-11-25", func(s *sdk.Server) {
		sdk.AddTool(s, &sdk.Tool{Name: "wait"}, func(ctx context.Context, _ *sdk.CallToolRequest, _ struct{}) (*sdk.CallToolResult, any, error) {
			begun <- true
			<-ctx.Done()
			cancelled <- true
			return nil, nil, ctx.Err()
		})
	})
	for _, id := range []string{"1", `"one"`, "1763807093614000001", "1.5"} {
		c.sendLine(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"wait","arguments":{}}}`)
		<-begun
		c.sendLine(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `,"reason":"changed my mind"}}`)
		<-cancelled
		c.sendLine(`{"jsonrpc":"2.0","id":"after","method":"ping"}`)
		c.findAnswer("after")
	}
	c.sendLine(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}`) // the request was never sent
	c.sendLine(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}`)
	c.sendLine(`{"jsonrpc":"2.0","id":77,"method":"ping"}`)
	c.findAnswer("77")
}

// TestTooLong checks that a request that is too long is answered by its ID, wherever that is in the
// message. In an earlier version, its sender waited forever. Messages without an ID, and answers, are
// not answered.
func TestTooLong(t *testing.T) {
	long := strings.Repeat(`x\"{`, longest/4)
	refusals := make(chan error, 1)
	c := startServer(t, "2025-11-25", func(s *sdk.Server) {
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
		c.sendLine(line)
		if id != "" {
			if answer := c.findAnswer(id); !strings.Contains(answer, "a message is longer than 4096 bytes") {
				t.Error(answer)
			}
		}
	}
	c.sendLine(`{"jsonrpc":"2.0","id":"ask","method":"tools/call","params":{"name":"ask","arguments":{}}}`)
	var asked struct{ ID json.RawMessage }
	if err := json.Unmarshal([]byte(c.nextLine()), &asked); err != nil {
		t.Fatal(err)
	}
	c.sendLine(`{"jsonrpc":"2.0","result":{"action":"accept","content":{"text":"` + long + `"}},"id":` + string(asked.ID) + `}`)
	if err := <-refusals; err == nil || !strings.Contains(err.Error(), "a message is longer than 4096 bytes") {
		t.Errorf("who asked is told %v", err)
	}
	c.findAnswer("ask")
}

// A batch is answered when all its requests are, without the canceled ones. An earlier version never
// answered a batch with a notification in it.
func TestBatch(t *testing.T) {
	begun := make(chan bool)
	c := startServer(t, "2025-03-26", func(s *sdk.Server) {
		sdk.AddTool(s, &sdk.Tool{Name: "wait"}, func(ctx context.Context, _ *sdk.CallToolRequest, _ struct{}) (*sdk.CallToolResult, any, error) {
			begun <- true
			<-ctx.Done()
			return nil, nil, ctx.Err()
		})
	})
	const ping, wait = `{"jsonrpc":"2.0","id":%s,"method":"ping"}`, `{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"wait","arguments":{}}}`
	const cancel = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`
	send := func(format string, ids ...any) { c.sendLine(fmt.Sprintf(format, ids...)) }
	send("["+ping+`,{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}]`, "1")
	if line := c.nextLine(); line != `[{"jsonrpc":"2.0","id":1,"result":{}}]` {
		t.Error(line)
	}
	send("["+wait+","+ping+"]", "2", "2.5")
	<-begun
	send(cancel, "2")
	if line := c.nextLine(); line != `[{"jsonrpc":"2.0","id":2.5,"result":{}}]` {
		t.Error(line)
	}
	send("["+wait+"]", "3.5") // must not be answered
	<-begun
	send("["+ping+","+ping+"]", "4", "3.5")
	if line := c.nextLine(); !strings.Contains(line, "-32600") || !strings.Contains(line, "message 2 of the batch") {
		t.Error(line)
	}
	send(cancel, "3.5")
	for _, wrong := range []string{"[]", "[" + ping + "," + ping + "]", "[" + ping + ",7]", "[[]]"} {
		c.sendLine(strings.ReplaceAll(wrong, "%s", "5"))
		if line := c.nextLine(); !strings.Contains(line, `"id":null`) || !strings.Contains(line, "-32600") {
			t.Errorf("%s: %s", wrong, line)
		}
	}
	send("["+ping+"]", `"a\u0062"`)
	if line := c.nextLine(); line != `[{"jsonrpc":"2.0","id":"a\u0062","result":{}}]` {
		t.Error(line)
	}
}

// Only messages that the server acts on are processed in order by the SDK. In an earlier version, a
// ping waited for each of 100,000 notifications.
func TestIgnored(t *testing.T) {
	in, write := io.Pipe()
	connection, err := stdio.Transport{In: in, Out: discard{}, MaxMessage: longest, Log: slog.New(slog.DiscardHandler)}.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	go func() {
		for _, line := range []string{
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`,
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{}}`, `{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`, `{"jsonrpc":"2.0","method":"notifications/new"}`,
		} {
			fmt.Fprint(write, strings.Repeat(line+"\n", 100))
		}
		fmt.Fprintln(write, `{"jsonrpc":"2.0","id":"last","method":"ping"}`)
	}()
	got := map[string]int{}
	for got["ping"] == 0 {
		m, err := connection.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got[m.(*jsonrpc.Request).Method]++
	}
	if want := map[string]int{"notifications/initialized": 1, "tools/call": 100, "notifications/cancelled": 1, "ping": 1}; !maps.Equal(got, want) {
		t.Errorf("the SDK gets %v, want %v", got, want)
	}
}

// discard is a writer that discards everything.
type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Close() error                { return nil }

// BenchmarkNotification measures a notification that has no effect.
func BenchmarkNotification(b *testing.B) {
	in, write := io.Pipe()
	connection, err := stdio.Transport{In: in, Out: discard{}, MaxMessage: longest, Log: slog.New(slog.DiscardHandler)}.Connect(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	defer connection.Close()
	read := make(chan error)
	go func() {
		_, err := connection.Read(b.Context())
		read <- err
	}()
	buffered := bufio.NewWriterSize(write, 1<<16)
	for b.Loop() {
		fmt.Fprintln(buffered, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}`)
	}
	fmt.Fprintln(buffered, `{"jsonrpc":"2.0","id":"last","method":"ping"}`)
	buffered.Flush()
	if err := <-read; err != nil {
		b.Fatal(err)
	}
}

// A server continues after an invalid message.
func Example() {
	in, write := io.Pipe()
	read, out := io.Pipe()
	go func() {
		server := sdk.NewServer(&sdk.Implementation{Name: "example", Version: "1"}, nil)
		_ = server.Run(context.Background(), stdio.Transport{In: in, Out: out, MaxMessage: 1 << 20, Log: slog.New(slog.DiscardHandler)})
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
