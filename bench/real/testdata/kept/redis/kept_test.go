package tools

import (
	"context"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"github.com/aiongen/aiongen/runtime/tool"
)

func TestRedis(t *testing.T) {
	server := miniredis.RunT(t)
	client := redis.NewClient(&redis.Options{Addr: server.Addr()})
	t.Cleanup(func() { client.Close() })
	r := newRegistry(t, func(r *tool.Registry) error { return Register(r, Deps{Client: client}) })
	ctx := context.Background()
	compare(t, r, "client_set", `{"key":"name","value":"Ada <&>","expiration":"0s"}`, "OK")
	compare(t, r, "client_get", `{"key":"name"}`, firstResult(client.Get(ctx, "name").Result()))
	_, err := client.Get(ctx, "other").Result()
	compareError(t, r, "client_get", `{"key":"other"}`, err)
	compare(t, r, "client_set", `{"key":"short","value":"1","expiration":"90s"}`, "OK")
	compare(t, r, "client_ttl", `{"key":"short"}`, "1m30s")
	compare(t, r, "client_keys", `{"pattern":"*"}`, firstResult(client.Keys(ctx, "*").Result()))
	compare(t, r, "client_hset", `{"key":"user","values":["first","Ada","last","Lovelace"]}`, 2)
	compare(t, r, "client_hget_all", `{"key":"user"}`, firstResult(client.HGetAll(ctx, "user").Result()))
	compare(t, r, "client_hget_all", `{"key":"other"}`, firstResult(client.HGetAll(ctx, "other").Result()))
	compare(t, r, "client_incr_by", `{"key":"count","value":9007199254740993}`, 9007199254740993)
	compare(t, r, "client_rpush", `{"key":"list","values":["a","b","c"]}`, 3)
	compare(t, r, "client_lrange", `{"key":"list","start":1,"stop":-1}`, firstResult(client.LRange(ctx, "list", 1, -1).Result()))
	client.ZAdd(ctx, "scores", redis.Z{Score: 1.5, Member: "ada"}, redis.Z{Score: 2, Member: "bob"})
	compare(t, r, "client_zrange_with_scores", `{"key":"scores","start":0,"stop":-1}`, firstResult(client.ZRangeWithScores(ctx, "scores", 0, -1).Result()))
	compare(t, r, "client_del", `{"keys":["name","list","other"]}`, 2)
}
