// Package protobuf has tools of a gRPC client and of functions that take and return messages of Protocol
// Buffers. Its tests compare them with package protojson.
package protobuf

import (
	"context"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/aiongen/aiongen/conformance/protobuf/shoppb"
	"github.com/aiongen/aiongen/runtime/tool"
)

//go:generate go run -C ../.. ./cmd/aiongen -C conformance/protobuf

var _ = tool.Inject[shoppb.ShopClient]("Shop")

// EchoItem returns an item.
func EchoItem(item *shoppb.Item) (*shoppb.Item, error) { return item, nil }

// EchoTree returns a tree.
func EchoTree(tree *shoppb.Tree) *shoppb.Tree { return tree }

// EchoLegacy returns a message of the second version of the language.
func EchoLegacy(m *shoppb.Legacy) *shoppb.Legacy { return m }

// ExtendLegacy returns a message with an extension.
func ExtendLegacy() *shoppb.Legacy {
	m := &shoppb.Legacy{Id: proto.String("a"), Ratio: proto.Float64(2)}
	proto.SetExtension(m, shoppb.E_Nickname, "x")
	return m
}

// EchoOrder returns a message with the opaque API.
func EchoOrder(m *shoppb.Order) *shoppb.Order { return m }

// Known has the well-known types.
type Known struct {
	At       *timestamppb.Timestamp   `json:"at,omitempty"`
	Wait     *durationpb.Duration     `json:"wait,omitempty"`
	Mask     *fieldmaskpb.FieldMask   `json:"mask,omitempty"`
	Object   *structpb.Struct         `json:"object,omitempty"`
	Value    *structpb.Value          `json:"value,omitempty"`
	List     *structpb.ListValue      `json:"list,omitempty"`
	Count    *wrapperspb.Int64Value   `json:"count,omitempty"`
	Ratio    *wrapperspb.DoubleValue  `json:"ratio,omitempty"`
	Data     *wrapperspb.BytesValue   `json:"data,omitempty"`
	Any      *anypb.Any               `json:"any,omitempty"`
	None     *emptypb.Empty           `json:"none,omitempty"`
	Items    []*shoppb.Item           `json:"items,omitempty"`
	ByName   map[string]*shoppb.Item  `json:"byName,omitempty"`
	Required *shoppb.ListItemsRequest `json:"required" jsonschema:"required"`
}

// EchoKnown returns a struct with the well-known types.
func EchoKnown(k Known) Known { return k }

// Wait returns how long it was asked to wait, and until when.
func Wait(ctx context.Context, wait *durationpb.Duration, until *timestamppb.Timestamp) (*durationpb.Duration, *timestamppb.Timestamp, error) {
	return wait, until, ctx.Err()
}

// CreateBook returns the book that it would add, with what the server chooses.
func CreateBook(r *shoppb.CreateBookRequest) *shoppb.Book {
	r.Book.Name, r.Book.CreateTime = r.GetParent()+"/books/1", timestamppb.New(time.Unix(0, 0))
	return r.GetBook()
}

// UpdateBook returns the changes of a book.
func UpdateBook(r *shoppb.UpdateBookRequest) *shoppb.Book { return r.GetBook() }
