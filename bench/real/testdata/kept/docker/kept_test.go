package tools

import (
	"context"
	"testing"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/filters"
	"github.com/docker/docker/api/types/image"
	"github.com/docker/docker/api/types/volume"
	"github.com/docker/docker/client"

	"github.com/aiongen/aiongen/runtime/tool"
)

func TestDocker(t *testing.T) {
	url, requests := serve(t, map[string]string{
		"GET /v1.51/containers/json": `[{"Id":"c1","Names":["/web"],"Image":"nginx","Created":1767323045,"Ports":[{"PrivatePort":80,"PublicPort":8080,"Type":"tcp"}],
			"Labels":{"a":"<b>"},"State":"running","Mounts":[],"NetworkSettings":{"Networks":{"bridge":{"IPAddress":"172.17.0.2"}}}}]`,
		"GET /v1.51/containers/web/json": `{"Id":"c1","Name":"/web","Created":"2026-01-02T03:04:05Z","Path":"nginx","Args":["-g"],"State":{"Status":"running","Pid":7,"ExitCode":0},
			"HostConfig":{"Memory":9007199254740993,"RestartPolicy":{"Name":"always"}},"Config":{"Env":["A=1"],"ExposedPorts":{"80/tcp":{}}},"Mounts":[]}`,
		"POST /v1.51/containers/web/start":  ``,
		"POST /v1.51/containers/web/stop":   ``,
		"POST /v1.51/containers/web/rename": ``,
		"GET /v1.51/images/json":            `[{"Id":"sha256:1","RepoTags":["nginx:latest"],"Created":1767323045,"Size":187000000,"SharedSize":-1,"Containers":-1}]`,
		"GET /v1.51/volumes":                `{"Volumes":[{"Name":"data","Driver":"local","Mountpoint":"/var/lib/docker/volumes/data/_data","Scope":"local"}],"Warnings":null}`,
		"GET /v1.51/version":                `{"Version":"28.5.2","ApiVersion":"1.51","GoVersion":"go1.24","Os":"linux","Arch":"amd64"}`,
	})
	c := firstResult(client.NewClientWithOpts(client.WithHost("tcp"+url[len("http"):]), client.WithVersion("1.51")))
	r := newRegistry(t, func(r *tool.Registry) error { return Register(r, Deps{Client: c}) })
	ctx := context.Background()
	compare(t, r, "client_container_list", `{"All":true,"Limit":5,"Filters":{"status":["exited","running"],"label":["a=<b>"]}}`,
		firstResult(c.ContainerList(ctx, container.ListOptions{All: true, Limit: 5, Filters: filters.NewArgs(filters.Arg("status", "running"), filters.Arg("status", "exited"), filters.Arg("label", "a=<b>"))})))
	compare(t, r, "client_container_inspect", `{"container_id":"web"}`, firstResult(c.ContainerInspect(ctx, "web")))
	call(t, r, "client_container_start", `{"container_id":"web"}`)
	firstResult[any](c.ContainerStart(ctx, "web", container.StartOptions{}))
	seconds := 5
	call(t, r, "client_container_stop", `{"container_id":"web","options":{"Timeout":5}}`)
	firstResult[any](c.ContainerStop(ctx, "web", container.StopOptions{Timeout: &seconds}))
	call(t, r, "client_container_rename", `{"container_id":"web","new_container_name":"old web"}`)
	firstResult[any](c.ContainerRename(ctx, "web", "old web"))
	compare(t, r, "client_image_list", `{"All":true}`, firstResult(c.ImageList(ctx, image.ListOptions{All: true})))
	compare(t, r, "client_volume_list", `{}`, firstResult(c.VolumeList(ctx, volume.ListOptions{})))
	compare(t, r, "client_volume_list", `{"Filters":{"dangling":["true"]}}`, firstResult(c.VolumeList(ctx, volume.ListOptions{Filters: filters.NewArgs(filters.Arg("dangling", "true"))})))
	compare(t, r, "client_server_version", `{}`, firstResult(c.ServerVersion(ctx)))
	compareRequests(t, *requests)
}
