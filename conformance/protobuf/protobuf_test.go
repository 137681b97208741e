package protobuf

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/aiongen/aiongen/conformance/protobuf/shoppb"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

var rounds = flag.Int("rounds", 1000, "number of random documents for each message")

// A server is a shop that answers with what it was asked.
type server struct {
	shoppb.UnimplementedShopServer
	got proto.Message
}

func (s *server) GetItem(_ context.Context, r *shoppb.GetItemRequest) (*shoppb.Item, error) {
	s.got = r
	if r.ItemId == 404 {
		return nil, status.Error(codes.NotFound, "there is no item 404")
	}
	return sampleItem(), nil
}

func (s *server) ListItems(_ context.Context, r *shoppb.ListItemsRequest) (*shoppb.ListItemsResponse, error) {
	s.got = r
	return &shoppb.ListItemsResponse{Items: []*shoppb.Item{sampleItem(), {Id: 2}}, NextPageToken: "next"}, nil
}

func (s *server) UpdateItem(_ context.Context, r *shoppb.UpdateItemRequest) (*shoppb.Item, error) {
	s.got = r
	return r.Item, nil
}

func (s *server) DeleteItem(_ context.Context, r *shoppb.GetItemRequest) (*emptypb.Empty, error) {
	s.got = r
	return &emptypb.Empty{}, nil
}

func (s *server) Ping(_ context.Context, r *emptypb.Empty) (*emptypb.Empty, error) {
	s.got = r
	return r, nil
}

func (s *server) Search(_ context.Context, r *structpb.Struct) (*structpb.ListValue, error) {
	s.got = r
	return &structpb.ListValue{Values: []*structpb.Value{structpb.NewStructValue(r), structpb.NewNullValue()}}, nil
}

const sampleText = `{"id":"9007199254740993","displayName":"<Coat>","state":"STATE_SOLD","since":"2026-01-02T03:04:05Z",
	"reservedFor":"1.500s","outerBox":{"width":1.5},"stock":{"a":"5"},"parts":[{"label":"x"}],"image":"aGk=","views":"3",
	"attributes":{"k":[1,null]},"extra":null,"flags":{"true":"STATE_SOLD"},"boxes":{"-3":{"height":2}},
	"origin":{"@type":"type.googleapis.com/google.protobuf.Duration","value":"3s"}}`

func sampleItem() *shoppb.Item {
	var item shoppb.Item
	if err := protojson.Unmarshal([]byte(sampleText), &item); err != nil {
		panic(err)
	}
	return &item
}

// newRegistry returns the tools, with a client of a server in this process.
func newRegistry(t *testing.T) (*tool.Registry, *server) {
	t.Helper()
	listener := bufconn.Listen(1 << 20)
	shop := &server{}
	g := grpc.NewServer()
	shoppb.RegisterShopServer(g, shop)
	served := make(chan error, 1)
	go func() { served <- g.Serve(listener) }()
	conn, err := grpc.NewClient("passthrough:///shop", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
		g.Stop()
		if err := <-served; err != nil && !errors.Is(err, grpc.ErrServerStopped) {
			t.Error(err)
		}
	})
	registry := tool.NewRegistry()
	if err := Register(registry, Deps{Shop: shoppb.NewShopClient(conn)}); err != nil {
		t.Fatal(err)
	}
	return registry, shop
}

func call(r *tool.Registry, name, arguments string) (string, error) {
	c := r.Call(context.Background(), tool.Request{Name: name, Arguments: []byte(arguments)})
	return string(c.Output), c.Err
}

// compact returns the JSON of a message without the spaces that protojson inserts at random.
func compact(t *testing.T, m proto.Message) string {
	t.Helper()
	text, err := protojson.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestShop(t *testing.T) {
	registry, shop := newRegistry(t)
	for _, x := range []struct {
		tool, arguments string
		got             proto.Message // what the server received
		result          string
	}{
		{"get_item", `{"itemId":"7"}`, &shoppb.GetItemRequest{ItemId: 7}, compact(t, sampleItem())},
		{"get_item", `{"item_id":9007199254740993}`, &shoppb.GetItemRequest{ItemId: 9007199254740993}, compact(t, sampleItem())},
		{"get_item", `{}`, &shoppb.GetItemRequest{}, compact(t, sampleItem())},
		{
			"list_items", `{"state":"STATE_SOLD","createdAfter":"1970-01-01T01:00:01+01:00"}`,
			parse(t, `{"state":2,"pageSize":20,"createdAfter":"1970-01-01T00:00:01Z"}`, &shoppb.ListItemsRequest{}),
			`{"items":[{"displayName":"<Coat>","state":"STATE_SOLD","outerBox":{"width":1.5}},{}],"nextPageToken":"next"}`,
		},
		{
			"list_items", `{"pageSize":null,"state":1,"createdAfter":"1970-01-01T00:00:01Z"}`,
			parse(t, `{"state":"STATE_FOR_SALE","pageSize":20,"createdAfter":"1970-01-01T00:00:01Z"}`, &shoppb.ListItemsRequest{}),
			`{"items":[{"displayName":"<Coat>","state":"STATE_SOLD","outerBox":{"width":1.5}},{}],"nextPageToken":"next"}`,
		},
		{
			"list_items", `{"page_size":5,"created_after":"1970-01-01T00:00:01Z"}`,
			parse(t, `{"pageSize":5,"createdAfter":"1970-01-01T00:00:01Z"}`, &shoppb.ListItemsRequest{}),
			`{"items":[{"displayName":"<Coat>","state":"STATE_SOLD","outerBox":{"width":1.5}},{}],"nextPageToken":"next"}`,
		},
		{
			"update_item", `{"item":{"id":"1","display_name":"New"},"updateMask":"displayName,outerBox.width"}`,
			parse(t, `{"item":{"id":"1","displayName":"New"},"updateMask":"displayName,outerBox.width"}`, &shoppb.UpdateItemRequest{}),
			`{"id":"1","displayName":"New"}`,
		},
		{"delete_item", `{"itemId":"1"}`, &shoppb.GetItemRequest{ItemId: 1}, "null"},
		{"ping", `{}`, &emptypb.Empty{}, "null"},
		{"search", `{"in":{"a":[1.5,{"b":null}]}}`, parse(t, `{"a":[1.5,{"b":null}]}`, &structpb.Struct{}), `[{"a":[1.5,{"b":null}]},null]`},
	} {
		output, err := call(registry, x.tool, x.arguments)
		if err != nil || output != x.result {
			t.Errorf("%s %s = %s, %v, want %s", x.tool, x.arguments, output, err, x.result)
		}
		if !proto.Equal(shop.got, x.got) {
			t.Errorf("%s %s: the server received %v, want %v", x.tool, x.arguments, shop.got, x.got)
		}
	}
	if _, err := call(registry, "get_item", `{"itemId":404}`); status.Code(err) != codes.NotFound && !strings.Contains(fmt.Sprint(err), "there is no item 404") {
		t.Errorf("the error is %v", err)
	}
}

func parse[M proto.Message](t *testing.T, text string, m M) M {
	t.Helper()
	if err := protojson.Unmarshal([]byte(text), m); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestFaults checks what a model is told about wrong arguments.
func TestFaults(t *testing.T) {
	registry, shop := newRegistry(t)
	for _, x := range []struct{ tool, arguments, want string }{
		{"get_item", `{"itemId":"x"}`, `/itemId: expected an integer in a string, found the string "x"`},
		{"get_item", `{"itemID":"1"}`, `/itemID: expected the key itemId, found the key "itemID"`},
		{"get_item", `{"itemId":"1","item_id":"1"}`, `/item_id: expected the key itemId, found the key "item_id"`},
		{"get_item", `{"itemId":"9223372036854775808"}`, `/itemId: expected an integer of at most 9223372036854775807 in a string, found the string "9223372036854775808"`},
		{"list_items", `{"state":"SOLD","createdAfter":"2026-01-02T03:04:05Z"}`, `/state: expected one of "STATE_UNSPECIFIED", "STATE_FOR_SALE", "STATE_SOLD" (strings), found the string "SOLD"`},
		{"list_items", `{"pageSize":101,"createdAfter":"2026-01-02T03:04:05Z"}`, `/pageSize: expected an integer of at most 100, found the number 101`},
		{"list_items", `{"pageSize":"101","createdAfter":"2026-01-02T03:04:05Z"}`, `/pageSize: expected an integer, found the string "101"`},
		{"list_items", `{}`, `/createdAfter: expected a value, found nothing`},
		{"update_item", `{"item":{}}`, `/item/id: expected a value, found nothing`},
		{"update_item", `{"item":{"id":1,"state":"STATE_SOLD"}}`, `/item/state: expected one of the 4 keys id, displayName, number, label, found the key "state"`},
		{"update_item", `{"item":{"id":1,"number":1,"label":"x"}}`, `/item/label: expected at most one of number and label, found the key "label"`},
		{"update_item", `{"item":{"id":1},"updateMask":"a_b"}`, `/updateMask: expected another value (google.protobuf.FieldMask.paths contains invalid path: "a_b"), found the string "a_b"`},
		{"echo_item", `{"reservedFor":"1h"}`, `/reservedFor: expected a string that matches ^-?(0|[1-9][0-9]*)(\.[0-9]{1,9})?s$, found the string "1h"`},
		{"echo_item", `{"parts":[{"since":"yesterday"}]}`, `/parts/0/since: expected a date and time such as 2006-01-02T15:04:05Z, found the string "yesterday"`},
		{"echo_item", `{"boxes":{"x":{}}}`, `/boxes/x: expected an integer in the range of the keys, found the key "x"`},
		{"echo_item", `{"flags":{"yes":1}}`, `/flags/yes: expected another key (invalid value for bool key: "yes"), found the key "yes"`},
		{"echo_legacy", `{}`, `/id: expected a value, found nothing`},
		{"echo_known", `{"required":{},"items":[{"id":[]}]}`, `/items/0/id: expected an integer, found an array`},
	} {
		shop.got = nil
		_, err := call(registry, x.tool, x.arguments)
		if got := fmt.Sprint(err); !strings.Contains(got, x.want) {
			t.Errorf("%s %s: %s\nwant %s", x.tool, x.arguments, got, x.want)
		}
		if shop.got != nil {
			t.Errorf("%s %s: the server received %v", x.tool, x.arguments, shop.got)
		}
	}
}

// TestEcho passes values through tools that return what they take.
func TestEcho(t *testing.T) {
	registry, _ := newRegistry(t)
	for _, x := range []struct{ tool, arguments, want string }{
		{"echo_item", sampleText, compact(t, sampleItem())},
		{"echo_item", `{"extra":null,"nothing":null,"note":"","rating":"NaN","tags":{"a":null},"codes":[null,1]}`, `{"note":"","extra":null,"rating":"NaN","codes":[null,1],"tags":{"a":null}}`},
		{"echo_item", `{"state":77,"history":["STATE_SOLD",5],"image":"_-8"}`, `{"state":77,"image":"/+8=","history":["STATE_SOLD",5]}`},
		{"echo_tree", `{"name":"a","children":[{"named":{"b":{"children":[{}]}}}]}`, `{"name":"a","children":[{"named":{"b":{"children":[{}]}}}]}`},
		{"echo_legacy", `{"id":"","line":[{"text":"x"}],"kind":"NOTHING","ratio":"Infinity"}`, `{"id":"","line":[{"text":"x"}],"kind":"NONE","ratio":"Infinity"}`},
		{"extend_legacy", `{}`, `{"id":"a","[shop.v1.nickname]":"x"}`},
		{"extend_legacy_id", `{}`, `{"id":"a"}`},
		{"echo_legacy", `{"id":"","Line":[{"text":"x"}]}`, `{"id":"","line":[{"text":"x"}]}`},
		{"echo_order", `{"number":5,"placed_at":"2026-01-02T03:04:05.5Z","state":"STATE_SOLD","cash":false,"lines":[{"item_name":"x","amount":2}]}`, `{"number":"5","placedAt":"2026-01-02T03:04:05.500Z","state":"STATE_SOLD","cash":false,"lines":[{"itemName":"x","amount":2}]}`},
		{
			"echo_known",
			`{"at":"2026-01-02T03:04:05Z","wait":"90s","mask":"a,bC.d","object":{"a":1},"value":[true],"list":["x"],"count":3,"ratio":"-Infinity","data":"aGk","any":{"@type":"type.googleapis.com/shop.v1.Item","id":"1"},"none":{},"items":[{"id":1},{}],"byName":{"x":{"label":"y"}},"required":{"page_size":3}}`,
			`{"at":"2026-01-02T03:04:05Z","wait":"90s","mask":"a,bC.d","object":{"a":1},"value":[true],"list":["x"],"count":"3","ratio":"-Infinity","data":"aGk=","any":{"@type":"type.googleapis.com/shop.v1.Item","id":"1"},"none":{},"items":[{"id":"1"},{}],"byName":{"x":{"label":"y"}},"required":{"pageSize":3}}`,
		},
		{"wait", `{"wait":"1.5s"}`, `{"return_1":"1.500s","return_2":null}`},
	} {
		if got, err := call(registry, x.tool, x.arguments); err != nil || got != x.want {
			t.Errorf("%s %s = %s, %v\nwant %s", x.tool, x.arguments, got, err, x.want)
		}
	}
}

// TestFieldBehavior checks that google.api.field_behavior says which fields arguments have.
func TestFieldBehavior(t *testing.T) {
	registry, _ := newRegistry(t)
	for _, x := range []struct{ tool, arguments, want string }{
		{"create_book", `{"parent":"p","book":{"title":"t","authors":[{"name":"a"}]}}`, `{"name":"p/books/1","title":"t","authors":[{"name":"a"}],"createTime":"1970-01-01T00:00:00Z"}`},
		{"create_book", `{"parent":"p","book":{"title":"","number":3}}`, `{"name":"p/books/1","createTime":"1970-01-01T00:00:00Z","number":3}`},
		{"create_book", `{"book":{"authors":[{}]}}`, "/parent /book/title /book/authors/0/name"},
		{"create_book", `{"parent":"p","book":{"title":"t","name":"n","createTime":"1970-01-01T00:00:00Z","authors":[{"name":"a","books":"1"}]}}`, "/book/name /book/createTime /book/authors/0/books"},
		{"update_book", `{"book":{"authors":[{}]},"updateMask":"authors"}`, `{"authors":[{}]}`},
		{"update_book", `{"updateMask":"authors"}`, "/book"},
	} {
		got, err := call(registry, x.tool, x.arguments)
		if bad, ok := errors.AsType[*tool.ArgumentError](err); ok {
			var pointers []string
			for _, f := range bad.Faults {
				pointers = append(pointers, f.Pointer)
			}
			slices.Sort(pointers)
			want := strings.Fields(x.want)
			slices.Sort(want)
			got, x.want = strings.Join(pointers, " "), strings.Join(want, " ")
		}
		if got != x.want {
			t.Errorf("%s %s = %s, %v\nwant %s", x.tool, x.arguments, got, err, x.want)
		}
	}
}

// compileSchema compiles a schema, with formats and contents asserted.
func compileSchema(t *testing.T, text []byte) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	c.AssertContent()
	if err := c.AddResource("schema.json", document); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func isValid(t *testing.T, s *jsonschema.Schema, text string) bool {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(document) == nil
}

// echoes are the tools that return the message that they take.
var echoes = map[string]func() proto.Message{
	"echo_item":           func() proto.Message { return &shoppb.Item{} },
	"echo_item_by_lambda": func() proto.Message { return &shoppb.Item{} },
	"echo_tree":           func() proto.Message { return &shoppb.Tree{} },
	"echo_legacy":         func() proto.Message { return &shoppb.Legacy{} },
	"echo_order":          func() proto.Message { return &shoppb.Order{} },
}

func definitionOf(t *testing.T, registry *tool.Registry, name string) tool.Definition {
	t.Helper()
	definitions, err := registry.Definitions(registry.Names()...)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(definitions, func(d tool.Definition) bool { return d.Name == name })
	if i < 0 {
		t.Fatalf("there is no tool %s", name)
	}
	return definitions[i]
}

// beyondSchema are parts of the messages about arguments that schemas do not rule out.
var beyondSchema = []string{
	"at most one of",           // of the fields of a oneof
	"in a string",              // an integer of 64 bits that is too large
	"a number with a smaller",  // exponent
	"e308",                     // a number beyond the range of a double
	"at most 3.4e38",           // a number beyond the range of a float
	"each key once",            // 1 and 01 in a map
	"in the range of the keys", // a large integer as the key of a map
	"expected another key (",
	"expected another value (", // what only protojson rejects, such as unknown types in Any
}

// TestRandom compares tools with protojson and schemas on random documents: a tool accepts what protojson
// accepts, its result is the one of protojson and valid, and what the schema allows is accepted.
func TestRandom(t *testing.T) {
	registry, _ := newRegistry(t)
	for name, newMessage := range echoes {
		d := definitionOf(t, registry, name)
		input, output := compileSchema(t, d.Input), compileSchema(t, d.Output)
		g := generator{rand.New(rand.NewPCG(1, uint64(len(name))))}
		counts := map[string]int{}
		for range *rounds {
			text := g.document(t, newMessage())
			m := newMessage()
			parseErr := protojson.Unmarshal([]byte(text), m)
			result, err := call(registry, name, text)
			valid := isValid(t, input, text)
			counts[fmt.Sprintf("accepted %t, valid %t", err == nil, valid)]++
			switch {
			case parseErr == nil && err != nil:
				t.Errorf("%s %s: protojson accepts it, the tool says %v", name, text, err)
			case parseErr != nil && err == nil:
				t.Errorf("%s %s: protojson says %v, the tool accepts it", name, text, parseErr)
			case err != nil && valid && !slices.ContainsFunc(beyondSchema, func(reason string) bool { return strings.Contains(err.Error(), reason) }):
				t.Errorf("%s %s: the schema allows it, the tool says %v", name, text, err)
			case err != nil:
			case result != compact(t, m):
				t.Errorf("%s %s = %s, want %s", name, text, result, compact(t, m))
			case !isValid(t, output, result):
				t.Errorf("%s %s: the result %s is not valid", name, text, result)
			}
		}
		for _, outcome := range []string{"accepted true, valid true", "accepted true, valid false", "accepted false, valid false"} {
			if counts[outcome] < *rounds/200 {
				t.Errorf("%s: %v", name, counts)
				break
			}
		}
	}
}

// document returns the JSON of a random message, mostly with changes.
func (g generator) document(t *testing.T, m proto.Message) string {
	t.Helper()
	g.fill(m.ProtoReflect(), 3)
	decoder := json.NewDecoder(strings.NewReader(compact(t, m)))
	decoder.UseNumber()
	var document any
	if err := decoder.Decode(&document); err != nil {
		t.Fatal(err)
	}
	for range g.IntN(4) {
		document = g.mutate(document)
	}
	text, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	if len(text) == 0 || text[0] != '{' {
		return "{}"
	}
	return string(text)
}

// TestTargets passes arguments through the definitions for all providers.
func TestTargets(t *testing.T) {
	registry, _ := newRegistry(t)
	for name, arguments := range map[string]string{
		"echo_item":  sampleText,
		"echo_tree":  `{"name":"a","children":[{"named":{"b":{"children":[{}]}}}]}`,
		"echo_order": `{"number":"5","placedAt":"2026-01-02T03:04:05.500Z","state":"STATE_SOLD","cash":false,"lines":[{"itemName":"x","amount":2}]}`,
	} {
		want, err := call(registry, name, arguments)
		if err != nil {
			t.Fatal(err)
		}
		for _, target := range schema.Targets() {
			lowered, err := schema.Lower(target, definitionOf(t, registry, name))
			if err != nil {
				t.Fatal(err)
			}
			encoded, err := lowered.Encode(json.RawMessage(arguments))
			if err != nil {
				t.Fatal(err)
			}
			if !isValid(t, compileSchema(t, lowered.Input), string(encoded)) {
				t.Errorf("%s for %s: %s is not valid by %s", name, target, encoded, lowered.Input)
			}
			raised, err := lowered.Raise(encoded)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := call(registry, name, string(raised)); err != nil || got != want {
				t.Errorf("%s for %s: %s = %s, %v, want %s", name, target, raised, got, err, want)
			}
		}
	}
}

// TestSchema compares the schema of a shaped tool.
func TestSchema(t *testing.T) {
	registry, _ := newRegistry(t)
	d := definitionOf(t, registry, "list_items")
	const input = `{"properties":{` +
		`"state":{"type":"string","enum":["STATE_UNSPECIFIED","STATE_FOR_SALE","STATE_SOLD"],"description":"only items in this state\nSTATE_UNSPECIFIED\nSTATE_FOR_SALE: The item can be bought.\nSTATE_SOLD"},` +
		`"pageSize":{"type":"integer","maximum":100,"minimum":-2147483648,"description":"PageSize is the largest number of items.","default":20},` +
		`"pageToken":{"type":"string"},` +
		`"createdAfter":{"type":"string","format":"date-time"}},` +
		`"additionalProperties":false,"type":"object","required":["createdAfter"],"description":"ListItemsRequest selects items."}`
	if diff := cmp.Diff(input, string(d.Input)); diff != "" {
		t.Error(diff)
	}
	const output = `{"properties":{"items":{"items":{"properties":{"displayName":{"type":"string","description":"DisplayName is shown to buyers."},` +
		`"state":{"anyOf":[{"type":"string"},{"type":"integer"}]},` +
		`"outerBox":{"properties":{"width":{"anyOf":[{"type":"number"},{"enum":["NaN","Infinity","-Infinity"]}]}},"type":"object"}},"type":"object"},"type":"array"},` +
		`"nextPageToken":{"type":"string"}},"type":"object"}`
	if diff := cmp.Diff(output, string(d.Output)); diff != "" {
		t.Error(diff)
	}
}
