package main

import "github.com/aiongen/aiongen/runtime/tool"

// These annotations describe the effects of calls at GitHub. Tools that write have a title for the people who are asked
// for approval.
var (
	_ = tool.Annotate("list_issues", tool.ReadOnly)
	_ = tool.Annotate("search_issues", tool.ReadOnly, tool.Example(`{"query":"repo:octocat/Hello-World is:open crash"}`))
	_ = tool.Annotate("get_issue", tool.ReadOnly)
	_ = tool.Annotate("create_issue", tool.Additive, tool.Title("Open an issue"))
	_ = tool.Annotate("edit_issue", tool.Idempotent, tool.Title("Change or close an issue"))
	_ = tool.Annotate("list_issue_comments", tool.ReadOnly)
	_ = tool.Annotate("comment_issue", tool.Additive, tool.Title("Comment on an issue or pull request"))
	_ = tool.Annotate("list_labels", tool.ReadOnly)

	_ = tool.Annotate("get_repository", tool.ReadOnly)
	_ = tool.Annotate("list_repositories", tool.ReadOnly)
	_ = tool.Annotate("search_repositories", tool.ReadOnly)
	_ = tool.Annotate("list_branches", tool.ReadOnly)
	_ = tool.Annotate("list_commits", tool.ReadOnly)
	_ = tool.Annotate("list_directory", tool.ReadOnly)
	_ = tool.Annotate("read_file", tool.ReadOnly)
	_ = tool.Annotate("read_readme", tool.ReadOnly)

	_ = tool.Annotate("list_pull_requests", tool.ReadOnly)
	_ = tool.Annotate("get_pull_request", tool.ReadOnly)
	_ = tool.Annotate("list_pull_request_files", tool.ReadOnly)
)
