package emit_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
	structs "github.com/aiongen/aiongen/testdata/golden/lambda_structs"
	"github.com/aiongen/aiongen/testdata/golden/lambda_structs/meta"
)

// cluster is a client that describes its calls.
type cluster struct{ namespace string }

func (c cluster) CoreV1() structs.Core             { return c }
func (cluster) Pods(namespace string) structs.Pods { return cluster{namespace} }
func (c cluster) describe(call string, x any) string {
	return fmt.Sprintf("%s %s %+v", c.namespace, call, x)
}
func (c cluster) List(_ context.Context, o meta.ListOptions) ([]string, error) {
	return []string{c.describe("list", o)}, nil
}
func (c cluster) Get(_ context.Context, name string, o meta.GetOptions) (string, error) {
	return c.describe("get "+name, o), nil
}
func (c cluster) Delete(_ context.Context, name string, o *meta.GetOptions) (string, error) {
	return c.describe("delete "+name, *o), nil
}
func (c cluster) Create(_ context.Context, pods []structs.Pod, o *meta.ListOptions) (string, error) {
	return c.describe(fmt.Sprintf("create %+v", pods), o), nil
}

// TestLambdaStructs calls lambdas that pass structs to methods.
func TestLambdaStructs(t *testing.T) {
	r := tool.NewRegistry()
	if err := structs.Register(r, structs.Deps{Client: cluster{}}); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, arguments, want string }{
		{"list_pods", `{"namespace":"n","opts":{"limit":3,"labelSelector":"a"}}`, `["n list {Labels:a Limit:3 Watch:false}"]`},
		{"list_pods", `{"namespace":"n","opts":{"watch":true}}`, "fault: /opts/watch /opts/limit"},
		{"get_pod", `{"namespace":"n","name":"p"}`, `"n get p {Version:}"`},
		{"get_pod_again", `{"namespace":"n","name":"p"}`, `"n get p {Version:}"`},
		{"delete_pod", `{"namespace":"n","name":"p"}`, `"n delete p {Version:}"`},
		{"delete_pod_again", `{"namespace":"n","name":"p"}`, `"n delete p {Version:}"`},
		{"create_pods", `{"namespace":"n","pods":[{"name":"p"}]}`, `"n create [{Name:p Image:}] <nil>"`},
		{"create_pods", `{"namespace":"n","pods":[{"name":"p"}],"opts":{"watch":true}}`, `"n create [{Name:p Image:}] &{Labels: Limit:0 Watch:true}"`},
		{"create_pods", `{"namespace":"n","pods":[{"image":"i"}]}`, "fault: /pods/0/image /pods/0/name"},
		{"describe", `{"pod":{"a":1}}`, `"map[string]interface {}1"`},
		{"describe_zero", `{}`, `"structs.Podmap[string]interface {}"`},
		{"remind", `{"after":"90s","at":["2026-01-02T03:04:05Z"],"names":["a","b"]}`, `"1m30s [2026-01-02 03:04:05 +0000 UTC] [a b]"`},
		{"remind", `{"after":"soon","at":["today"],"names":[]}`, "fault: /after /at/0"},
		{"remind_all", `{"names":["a"]}`, `"5ns [] [a]"`},
		{"save", `{}`, `"{} []structs.Labels"`},
		{"save", `{"settings":"[]"}`, `"[] []structs.Labels"`},
	} {
		call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
		if got := describeCall(call); got != tt.want {
			t.Errorf("%s(%s): %s\nwant %s", tt.name, tt.arguments, got, tt.want)
		}
	}
}
