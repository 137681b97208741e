package tools

import (
	"context"
	"net/url"
	"testing"

	"github.com/google/go-github/v74/github"

	"github.com/aiongen/aiongen/runtime/tool"
)

func TestGitHub(t *testing.T) {
	const (
		issue = `{"id":1,"number":7,"title":"It <crashes>","body":"Often","state":"open","comments":2,"user":{"login":"ada","id":5},"labels":[{"id":3,"name":"bug","color":"f00"}],
			"created_at":"2026-01-02T03:04:05Z","html_url":"https://github.com/octo/app/issues/7"}`
		pull = `{"id":2,"number":8,"title":"Fix it","state":"open","user":{"login":"bob"},"head":{"ref":"fix","sha":"1"},"base":{"ref":"main","sha":"2"}}`
	)
	base, requests := serve(t, map[string]string{
		"GET /repos/octo/app/issues":             "[" + issue + "]",
		"GET /repos/octo/app/issues/7":           issue,
		"POST /repos/octo/app/issues":            issue,
		"POST /repos/octo/app/issues/7/comments": `{"id":9007199254740993,"body":"Thanks","html_url":"https://github.com/octo/app/issues/7#c"}`,
		"GET /repos/octo/app":                    `{"id":4,"full_name":"octo/app","description":"An app","default_branch":"main","private":false,"stargazers_count":12,"owner":{"login":"octo"}}`,
		"GET /repos/octo/app/pulls":              "[" + pull + "]",
		"GET /search/issues":                     `{"total_count":1,"incomplete_results":false,"items":[` + issue + `]}`,
	})
	client := github.NewClient(nil)
	client.BaseURL = firstResult(url.Parse(base + "/"))
	r := newRegistry(t, func(r *tool.Registry) error { return Register(r, Deps{Client: client}) })
	ctx := context.Background()
	compare(t, r, "issues_list_by_repo", `{"owner":"octo","repo":"app","opts":{"State":"open","Labels":["bug"],"ListOptions":{"Page":2}}}`,
		firstResult(client.Issues.ListByRepo(ctx, "octo", "app", &github.IssueListByRepoOptions{State: "open", Labels: []string{"bug"}, ListOptions: github.ListOptions{Page: 2}})),
		"number", "title", "state", "user.login", "labels.name", "comments")
	compare(t, r, "issues_get", `{"owner":"octo","repo":"app","number":7}`, firstResult(client.Issues.Get(ctx, "octo", "app", 7)),
		"number", "title", "body", "state", "user.login", "labels.name", "created_at")
	compare(t, r, "issues_create", `{"owner":"octo","repo":"app","issue":{"title":"It <crashes>","labels":["bug"]}}`,
		firstResult(client.Issues.Create(ctx, "octo", "app", &github.IssueRequest{Title: github.Ptr("It <crashes>"), Labels: &[]string{"bug"}})), "number", "html_url")
	compare(t, r, "issues_create_comment", `{"owner":"octo","repo":"app","number":7,"comment":{"body":"Thanks"}}`,
		firstResult(client.Issues.CreateComment(ctx, "octo", "app", 7, &github.IssueComment{Body: github.Ptr("Thanks")})), "id", "html_url")
	compare(t, r, "repositories_get", `{"owner":"octo","repo":"app"}`, firstResult(client.Repositories.Get(ctx, "octo", "app")),
		"full_name", "description", "default_branch", "private", "stargazers_count")
	compare(t, r, "pull_requests_list", `{"owner":"octo","repo":"app","opts":{"Head":"ada:fix"}}`,
		firstResult(client.PullRequests.List(ctx, "octo", "app", &github.PullRequestListOptions{Head: "ada:fix"})),
		"number", "title", "state", "user.login", "head.ref", "base.ref")
	compare(t, r, "search_issues", `{"query":"repo:octo/app is:open","opts":{"Sort":"updated"}}`,
		firstResult(client.Search.Issues(ctx, "repo:octo/app is:open", &github.SearchOptions{Sort: "updated"})),
		"total_count", "items.number", "items.title", "items.state")
	compareRequests(t, *requests)
}
