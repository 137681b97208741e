package peer

import (
	"context"

	"github.com/aiongen/aiongen/runtime/mcp/observe"
)

// Delivery describes how a message reached the server, for functions that observe requests.
type Delivery struct {
	ID         string // ID of the request; "" for notifications and batches
	Connection observe.Connection
}

type deliveryKey struct{}

// WithDelivery returns a context for [DeliveryFrom].
func WithDelivery(ctx context.Context, d Delivery) context.Context {
	return context.WithValue(ctx, deliveryKey{}, d)
}

// DeliveryFrom returns the Delivery in a context, or the zero Delivery.
func DeliveryFrom(ctx context.Context) Delivery {
	d, _ := ctx.Value(deliveryKey{}).(Delivery)
	return d
}
