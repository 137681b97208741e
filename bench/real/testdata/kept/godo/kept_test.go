package tools

import (
	"context"
	"testing"

	"github.com/digitalocean/godo"

	"github.com/aiongen/aiongen/runtime/tool"
)

func TestGodo(t *testing.T) {
	const droplet = `{"id":9007199254740993,"name":"web","memory":1024,"vcpus":1,"disk":25,"status":"active","created_at":"2026-01-02T03:04:05Z",
		"region":{"slug":"nyc3","name":"New York 3"},"image":{"id":63,"slug":"debian-12-x64"},"networks":{"v4":[{"ip_address":"203.0.113.7","type":"public"}]},"tags":["web"]}`
	url, requests := serve(t, map[string]string{
		"GET /v2/droplets":                     `{"droplets":[` + droplet + `],"links":{},"meta":{"total":1}}`,
		"GET /v2/droplets/9007199254740993":    `{"droplet":` + droplet + `}`,
		"POST /v2/droplets":                    `{"droplet":` + droplet + `}`,
		"DELETE /v2/droplets/9007199254740993": ``,
		"GET /v2/domains/example.com/records":  `{"domain_records":[{"id":3,"type":"A","name":"www","data":"203.0.113.7","ttl":1800}]}`,
		"POST /v2/domains/example.com/records": `{"domain_record":{"id":3,"type":"A","name":"www","data":"203.0.113.7","ttl":1800}}`,
		"GET /v2/account":                      `{"account":{"droplet_limit":25,"email":"ada@example.com","status":"active"}}`,
	})
	client := firstResult(godo.New(nil, godo.SetBaseURL(url)))
	r := newRegistry(t, func(r *tool.Registry) error { return Register(r, Deps{Client: client}) })
	ctx := context.Background()
	compare(t, r, "droplets_list", `{"Page":2,"PerPage":50}`, firstResult(client.Droplets.List(ctx, &godo.ListOptions{Page: 2, PerPage: 50})))
	compare(t, r, "droplets_get", `{"droplet_id":9007199254740993}`, firstResult(client.Droplets.Get(ctx, 9007199254740993)))
	compare(t, r, "droplets_create", `{"name":"web","region":"nyc3","size":"s-1vcpu-1gb","image":{"ID":0,"Slug":"debian-12-x64"},"ssh_keys":[],"backups":false,"ipv6":true,"private_networking":false,"monitoring":true,"tags":["web"]}`,
		firstResult(client.Droplets.Create(ctx, &godo.DropletCreateRequest{Name: "web", Region: "nyc3", Size: "s-1vcpu-1gb", Image: godo.DropletCreateImage{Slug: "debian-12-x64"},
			SSHKeys: []godo.DropletCreateSSHKey{}, IPv6: true, Monitoring: true, Tags: []string{"web"}})))
	call(t, r, "droplets_delete", `{"droplet_id":9007199254740993}`)
	firstResult(client.Droplets.Delete(ctx, 9007199254740993))
	compare(t, r, "domains_records", `{"domain":"example.com"}`, firstResult(client.Domains.Records(ctx, "example.com", nil)))
	compare(t, r, "domains_create_record", `{"domain":"example.com","record":{"type":"A","name":"www","data":"203.0.113.7","ttl":1800}}`,
		firstResult(client.Domains.CreateRecord(ctx, "example.com", &godo.DomainRecordEditRequest{Type: "A", Name: "www", Data: "203.0.113.7", TTL: 1800})))
	compare(t, r, "account_get", `{}`, firstResult(client.Account.Get(ctx)))
	compareRequests(t, *requests)
}
