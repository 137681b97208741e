package mcp

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/runtime/content"
)

const (
	maxFileBytes = 16 << 20
	maxLinks     = 40  // symbolic links on the way to a file
	maxNameBytes = 255 // longest name that file systems support
)

// ServeFS returns a resource that serves the files of fsys. The URI of a file is prefix, such
// as "docs:///", followed by its path in fsys:
//
//	err := server.AddResource(mcp.ServeFS("docs", "docs:///", os.DirFS("docs")))
//
// Clients can read only files in fsys: for paths with "..", absolute paths, directories, devices,
// and symbolic links to targets outside of fsys, they receive the error for a missing file. The
// check of symbolic links requires an [fs.ReadLinkFS], such as [os.DirFS] and [os.Root.FS] return.
// If another process may change links at the same time, use [os.Root.FS]. All other files are
// served, including those whose names begin with a dot.
//
// Clients can complete paths while a user types them. The media type is derived from the name,
// or else from the data. A file may have at most 16 MiB, and its encoded content must not exceed
// [MaxResult]; reading a larger file returns an error.
// Set Title and Description of the returned resource as needed.
func ServeFS(name, prefix string, fsys fs.FS) Resource {
	return Resource{
		URI:         prefix + "{+path}",
		Name:        name,
		Description: "Files by their path.",
		Variables: []Argument{{Name: "path", Complete: func(_ context.Context, typed string, _ map[string]string) ([]string, error) {
			return completePath(fsys, typed)
		}}},
		Read: func(ctx context.Context, variables map[string]string) (content.Part, error) {
			return readFile(fsys, variables["path"], resultLimit(ctx))
		},
	}
}

// readFile reads a regular file of at most limit bytes.
func readFile(fsys fs.FS, name string, limit int) (content.Part, error) {
	resolved, err := resolvePath(fsys, name)
	if err != nil {
		return content.Part{}, err
	}
	info, err := fs.Stat(fsys, resolved) // before Open, which would block for a named pipe
	switch {
	case err != nil:
		return content.Part{}, err
	case !info.Mode().IsRegular():
		return content.Part{}, notExistError(name)
	}
	file, err := fsys.Open(resolved)
	if err != nil {
		return content.Part{}, err
	}
	defer file.Close()
	limit = min(limit, maxFileBytes)
	data, err := io.ReadAll(io.LimitReader(file, int64(limit)+1))
	switch {
	case err != nil:
		return content.Part{}, err
	case len(data) > limit:
		return content.Part{}, fmt.Errorf("the file has more than %d bytes", limit)
	}
	media := mime.TypeByExtension(path.Ext(name))
	if media == "" {
		media = http.DetectContentType(data)
	}
	return content.File("", media, data), nil
}

// resolvePath resolves the symbolic links in a path. For a path that leads out of fsys, it returns
// the error for a missing file.
func resolvePath(fsys fs.FS, name string) (string, error) {
	if !fs.ValidPath(name) {
		return "", notExistError(name)
	}
	resolved, links := ".", 0
	for rest := name; rest != ""; {
		var element string
		switch element, rest, _ = strings.Cut(rest, "/"); {
		case element == "" || element == ".":
			continue
		case element == ".." && resolved == ".", len(element) > maxNameBytes:
			return "", notExistError(name)
		case element == "..":
			resolved = path.Dir(resolved)
			continue
		}
		next := path.Join(resolved, element)
		info, err := fs.Lstat(fsys, next)
		if err != nil {
			return "", err
		}
		switch kind := info.Mode().Type(); {
		case kind == fs.ModeDir, kind == 0 && rest == "":
			resolved = next
			continue
		case kind != fs.ModeSymlink:
			return "", notExistError(name)
		}
		target, err := fs.ReadLink(fsys, next)
		if err != nil {
			return "", err
		}
		if links++; links > maxLinks || !isRelative(target) {
			return "", notExistError(name)
		}
		rest = filepath.ToSlash(target) + "/" + rest
	}
	return resolved, nil
}

// isRelative reports whether the target of a link is relative, both as a path of the operating
// system and as a path with slashes.
func isRelative(target string) bool {
	return !filepath.IsAbs(target) && !path.IsAbs(filepath.ToSlash(target))
}

// completePath returns the files and directories whose paths begin with the typed text. For
// "docs/re", it may return "docs/readme.md" and "docs/reference/", but no files in subdirectories.
func completePath(fsys fs.FS, typed string) ([]string, error) {
	dir, prefix := path.Split(typed)
	resolved, err := resolvePath(fsys, path.Clean(dir))
	if err != nil {
		return nil, nil // there are no such paths
	}
	entries, err := fs.ReadDir(fsys, resolved)
	if err != nil {
		return nil, nil
	}
	var paths []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), prefix) || !utf8.ValidString(e.Name()) {
			continue
		}
		switch kind := resolveType(fsys, path.Join(resolved, e.Name()), e); kind {
		case fs.ModeDir:
			paths = append(paths, dir+e.Name()+"/")
		case 0:
			paths = append(paths, dir+e.Name())
		}
	}
	return paths, nil
}

// resolveType returns the type of a directory entry, or of the file to which it links. For a link
// that leads out of fsys, it returns [fs.ModeSymlink].
func resolveType(fsys fs.FS, name string, e fs.DirEntry) fs.FileMode {
	if e.Type() != fs.ModeSymlink {
		return e.Type()
	}
	resolved, err := resolvePath(fsys, name)
	if err != nil {
		return fs.ModeSymlink
	}
	info, err := fs.Lstat(fsys, resolved)
	if err != nil {
		return fs.ModeSymlink
	}
	return info.Mode().Type()
}

func notExistError(name string) error {
	return &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}
