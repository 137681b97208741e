package tools

import (
	"context"
	"net"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/aiongen/aiongen/runtime/tool"
)

func TestHealth(t *testing.T) {
	listener := bufconn.Listen(1 << 16)
	server, service := grpc.NewServer(), health.NewServer()
	service.SetServingStatus("shop", grpc_health_v1.HealthCheckResponse_NOT_SERVING)
	grpc_health_v1.RegisterHealthServer(server, service)
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	connection := firstResult(grpc.NewClient("passthrough:///test", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) })))
	t.Cleanup(func() { connection.Close() })
	client, ctx := grpc_health_v1.NewHealthClient(connection), context.Background()
	r := newRegistry(t, func(r *tool.Registry) error { return Register(r, Deps{HealthClient: client}) })
	message := func(m proto.Message) []byte { return firstResult(protojson.Marshal(m)) }
	compareJSON(t, r, "health_client_check", `{}`, message(firstResult(client.Check(ctx, &grpc_health_v1.HealthCheckRequest{}))))
	compareJSON(t, r, "health_client_check", `{"service":"shop"}`, message(firstResult(client.Check(ctx, &grpc_health_v1.HealthCheckRequest{Service: "shop"}))))
	compareJSON(t, r, "health_client_list", `{}`, message(firstResult(client.List(ctx, &grpc_health_v1.HealthListRequest{}))))
	_, err := client.Check(ctx, &grpc_health_v1.HealthCheckRequest{Service: "other"})
	compareError(t, r, "health_client_check", `{"service":"other"}`, err)
}
