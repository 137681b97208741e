package tools

import (
	"testing"

	gitlab "gitlab.com/gitlab-org/api/client-go"

	"github.com/aiongen/aiongen/runtime/tool"
)

func TestGitLab(t *testing.T) {
	const issue = `{"id":9007199254740993,"iid":7,"project_id":3,"title":"It <crashes>","description":"Often","state":"opened","labels":["bug"],"created_at":"2026-01-02T03:04:05.678Z",
		"due_date":"2026-02-03","author":{"id":5,"username":"ada","name":"Ada"},"assignees":[],"web_url":"https://gitlab.example.com/group/app/-/issues/7"}`
	url, requests := serve(t, map[string]string{
		"GET /api/v4/projects/group/app/issues":         "[" + issue + "]",
		"GET /api/v4/projects/group/app/issues/7":       issue,
		"POST /api/v4/projects/3/issues":                issue,
		"PUT /api/v4/projects/3/issues/7":               issue,
		"GET /api/v4/projects/group/app/merge_requests": `[{"id":1,"iid":2,"title":"Fix","state":"opened","source_branch":"fix","target_branch":"main"}]`,
		"GET /api/v4/projects/group/app":                `{"id":3,"name":"app","path_with_namespace":"group/app","visibility":"private","default_branch":"main","statistics":{"commit_count":4}}`,
	})
	client := firstResult(gitlab.NewClient("token", gitlab.WithBaseURL(url), gitlab.WithCustomRetryMax(0)))
	r := newRegistry(t, func(r *tool.Registry) error { return Register(r, Deps{Client: client}) })
	compare(t, r, "issues_list_project_issues", `{"pid":"group/app","opt":{"state":"opened","labels":["bug"],"page":2}}`,
		firstResult(client.Issues.ListProjectIssues("group/app", &gitlab.ListProjectIssuesOptions{State: gitlab.Ptr("opened"), Labels: &gitlab.LabelOptions{"bug"}, ListOptions: gitlab.ListOptions{Page: 2}})))
	compare(t, r, "issues_get_issue", `{"pid":"group/app","issue":7}`, firstResult(client.Issues.GetIssue("group/app", 7)))
	compare(t, r, "issues_create_issue", `{"pid":"3","opt":{"title":"It <crashes>","labels":["bug"],"confidential":false}}`,
		firstResult(client.Issues.CreateIssue("3", &gitlab.CreateIssueOptions{Title: gitlab.Ptr("It <crashes>"), Labels: &gitlab.LabelOptions{"bug"}, Confidential: gitlab.Ptr(false)})))
	compare(t, r, "issues_update_issue", `{"pid":"3","issue":7,"opt":{"state_event":"close"}}`,
		firstResult(client.Issues.UpdateIssue("3", 7, &gitlab.UpdateIssueOptions{StateEvent: gitlab.Ptr("close")})))
	compare(t, r, "merge_requests_list_project_merge_requests", `{"pid":"group/app","opt":{"state":"opened"}}`,
		firstResult(client.MergeRequests.ListProjectMergeRequests("group/app", &gitlab.ListProjectMergeRequestsOptions{State: gitlab.Ptr("opened")})))
	compare(t, r, "projects_get_project", `{"pid":"group/app","opt":{"statistics":true}}`,
		firstResult(client.Projects.GetProject("group/app", &gitlab.GetProjectOptions{Statistics: gitlab.Ptr(true)})))
	compareRequests(t, *requests)
}
