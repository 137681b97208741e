package tools

import (
	"context"
	"testing"

	"github.com/hashicorp/vault/api"

	"github.com/aiongen/aiongen/runtime/tool"
)

func TestVault(t *testing.T) {
	url, requests := serve(t, map[string]string{
		"GET /v1/secret/app":      `{"request_id":"1","lease_duration":2764800,"renewable":false,"data":{"password":"<secret>","port":9007199254740993}}`,
		"GET /v1/secret":          `{"request_id":"2","data":{"keys":["app","db/"]}}`,
		"PUT /v1/secret/app":      `{"request_id":"3","data":{"version":2}}`,
		"DELETE /v1/secret/app":   `{"request_id":"4","warnings":["gone"]}`,
		"GET /v1/sys/health":      `{"initialized":true,"sealed":false,"standby":false,"server_time_utc":1767323045,"version":"1.18.0"}`,
		"GET /v1/sys/mounts":      `{"data":{"secret/":{"type":"kv","description":"secrets","accessor":"kv_1","options":{"version":"2"},"config":{"default_lease_ttl":0}}}}`,
		"GET /v1/kv/data/app":     `{"data":{"data":{"a":1.50},"metadata":{"version":3,"created_time":"2026-01-02T03:04:05Z","destroyed":false}}}`,
		"PUT /v1/kv/data/app":     `{"data":{"version":4,"created_time":"2026-01-02T03:04:06Z"}}`,
		"GET /v1/kv/metadata/app": `{}`,
	})
	config := api.DefaultConfig()
	config.Address, config.MaxRetries = url, 0
	client := firstResult(api.NewClient(config))
	client.SetToken("token")
	logical, sys, kv, ctx := client.Logical(), client.Sys(), client.KVv2("kv"), context.Background()
	r := newRegistry(t, func(r *tool.Registry) error { return Register(r, Deps{Logical: logical, Sys: sys, KVv2: kv}) })
	compare(t, r, "logical_read_with_context", `{"path":"secret/app"}`, firstResult(logical.ReadWithContext(ctx, "secret/app")))
	compare(t, r, "logical_list_with_context", `{"path":"secret"}`, firstResult(logical.ListWithContext(ctx, "secret")))
	compare(t, r, "logical_write_with_context", `{"path":"secret/app","data":{"password":"<secret>","port":5432}}`,
		firstResult(logical.WriteWithContext(ctx, "secret/app", map[string]any{"password": "<secret>", "port": 5432})))
	compare(t, r, "logical_delete_with_context", `{"path":"secret/app"}`, firstResult(logical.DeleteWithContext(ctx, "secret/app")))
	compare(t, r, "sys_health_with_context", `{}`, firstResult(sys.HealthWithContext(ctx)))
	compare(t, r, "sys_list_mounts_with_context", `{}`, firstResult(sys.ListMountsWithContext(ctx)))
	compare(t, r, "kv_v2_get", `{"secret_path":"app"}`, firstResult(kv.Get(ctx, "app")))
	compare(t, r, "kv_v2_put", `{"secret_path":"app","data":{"a":2}}`, firstResult(kv.Put(ctx, "app", map[string]any{"a": 2})))
	compareRequests(t, *requests)
}
