package main

import (
	"context"
	"fmt"
	"unicode/utf8"

	"github.com/google/go-github/v74/github"

	"github.com/aiongen/aiongen/runtime/tool"
)

// The program provides the client, with its token. It is not an argument of the tools.
var _ = tool.Inject[*github.Client]()

// ListDirectory lists the contents of a directory.
func ListDirectory(ctx context.Context, c *github.Client, owner, repo, path, ref string) ([]*github.RepositoryContent, error) {
	file, entries, err := getContents(ctx, c, owner, repo, path, ref)
	if err != nil {
		return nil, err
	}
	if file != nil {
		return nil, fmt.Errorf("%s is a file: read it with read_file", path)
	}
	return entries, nil
}

// ReadFile returns the text of a file.
func ReadFile(ctx context.Context, c *github.Client, owner, repo, path, ref string) (string, error) {
	file, _, err := getContents(ctx, c, owner, repo, path, ref)
	if err != nil {
		return "", err
	}
	if file == nil {
		return "", fmt.Errorf("%s is a directory: list it with list_directory", path)
	}
	return fileText(file)
}

// ReadReadme returns the text of a repository's README.
func ReadReadme(ctx context.Context, c *github.Client, owner, repo string) (string, error) {
	file, _, err := c.Repositories.GetReadme(ctx, owner, repo, nil)
	if err != nil {
		return "", err
	}
	return fileText(file)
}

func getContents(ctx context.Context, c *github.Client, owner, repo, path, ref string) (*github.RepositoryContent, []*github.RepositoryContent, error) {
	file, entries, _, err := c.Repositories.GetContents(ctx, owner, repo, path, &github.RepositoryContentGetOptions{Ref: ref})
	return file, entries, err
}

// fileText returns the content of a text file.
func fileText(file *github.RepositoryContent) (string, error) {
	content, err := file.GetContent()
	if err != nil {
		return "", fmt.Errorf("%s, %d bytes, cannot be read: %w", file.GetPath(), file.GetSize(), err)
	}
	if !utf8.ValidString(content) {
		return "", fmt.Errorf("%s, %d bytes, is not text", file.GetPath(), file.GetSize())
	}
	return content, nil
}
