package contract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/aiongen/aiongen/internal/regularfile"
	"github.com/aiongen/aiongen/internal/words"
)

// A RevisionFolder holds the files of a revision.
type RevisionFolder struct {
	Dir  string // working directory in the revision; it need not exist
	temp string
}

// Remove deletes the files.
func (f *RevisionFolder) Remove() error { return os.RemoveAll(f.temp) }

// An UnknownRevisionError reports that git does not know a revision.
type UnknownRevisionError struct {
	Name    string
	Near    string // similar branch or tag, or ""
	Shallow bool   // the clone lacks a part of the history
}

func (e *UnknownRevisionError) Error() string { return fmt.Sprintf("unknown git revision %q", e.Name) }

// ErrNoGit is returned if the git command is not installed.
var ErrNoGit = errors.New("the git command is not installed")

// errNoRepository is returned for a directory outside of any git repository.
var errNoRepository = errors.New("the directory is not in a git repository")

// Checkout writes the files of a revision, in the syntax of git rev-parse, to a temporary
// directory. The directory dir must be in a git checkout. The error is an
// [*UnknownRevisionError], [ErrNoGit] or one of git or the system.
func Checkout(ctx context.Context, dir, name string) (*RevisionFolder, error) {
	r, err := openRepository(ctx, dir)
	if err != nil {
		return nil, err
	}
	commit, err := r.resolveCommit(ctx, name)
	if err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "aiongen-")
	if err != nil {
		return nil, err
	}
	// The copy is as deep as the checkout, so that relative paths to directories
	// outside of the checkout stay within the temporary directory.
	top := filepath.Join(temp, "files", strings.TrimPrefix(r.top, filepath.VolumeName(r.top)))
	f := &RevisionFolder{Dir: filepath.Join(top, filepath.FromSlash(r.prefix)), temp: temp}
	if err = r.writeFiles(ctx, commit, temp, top); err == nil {
		err = revisionCopy{r.top, top, temp}.linkNeighbors()
	}
	if err != nil {
		return nil, errors.Join(err, f.Remove())
	}
	return f, nil
}

// A repository is a git checkout.
type repository struct {
	top    string // root directory
	prefix string // path from there to the working directory, with slashes
}

func openRepository(ctx context.Context, dir string) (repository, error) {
	if _, err := exec.LookPath("git"); err != nil {
		return repository{}, ErrNoGit
	}
	if _, err := runGit(ctx, dir, nil, "rev-parse", "--git-dir"); err != nil {
		if strings.Contains(err.Error(), "not a git repository") {
			err = errNoRepository
		}
		return repository{}, err
	}
	top, err := runGit(ctx, dir, nil, "rev-parse", "--show-toplevel")
	if err != nil {
		return repository{}, err
	}
	prefix, err := runGit(ctx, dir, nil, "rev-parse", "--show-prefix")
	return repository{filepath.FromSlash(top), prefix}, err
}

// resolveCommit returns the hash of a revision. A name that looks like an option is safe.
func (r repository) resolveCommit(ctx context.Context, name string) (string, error) {
	hash, err := runGit(ctx, r.top, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	if err == nil {
		return hash, nil
	}
	unknown := &UnknownRevisionError{Name: name}
	if refs, err := runGit(ctx, r.top, nil, "for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags", "refs/remotes"); err == nil {
		unknown.Near = words.Nearest(name, strings.Fields(refs))
	}
	if shallow, err := runGit(ctx, r.top, nil, "rev-parse", "--is-shallow-repository"); err == nil {
		unknown.Shallow = shallow == "true"
	}
	return "", unknown
}

// writeFiles writes the files of a commit to a directory, using a temporary index.
func (r repository) writeFiles(ctx context.Context, commit, temp, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	env := []string{
		"GIT_INDEX_FILE=" + filepath.Join(temp, "index"),
		"GIT_LFS_SKIP_SMUDGE=1", // Go files are not stored in LFS
	}
	if _, err := runGit(ctx, r.top, env, "read-tree", commit); err != nil {
		return err
	}
	_, err := runGit(ctx, r.top, env, "checkout-index", "--all", "--quiet", "--prefix="+filepath.ToSlash(dir)+"/")
	return err
}

// runGit runs a git command, without hooks, and returns its output.
func runGit(ctx context.Context, dir string, env []string, args ...string) (string, error) {
	settings := []string{"-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false", "-c", "core.sparseCheckout=false"}
	cmd := exec.CommandContext(ctx, "git", slices.Concat(settings, args)...)
	cmd.Dir = dir
	cmd.Env = slices.Concat(os.Environ(), []string{"LC_ALL=C", "GIT_OPTIONAL_LOCKS=0"}, env)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if text := strings.TrimSpace(stderr.String()); text != "" {
			err = errors.New(text)
		}
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return strings.TrimSuffix(stdout.String(), "\n"), nil
}

// A revisionCopy is a copy of a checkout below a temporary directory.
type revisionCopy struct {
	checkout, top string // root directories of the checkout and of the copy
	parent        string // the temporary directory
}

// linkNeighbors adds links to directories outside of the checkout to which go.work files and replace
// directives refer by relative paths.
func (c revisionCopy) linkNeighbors() error {
	return filepath.WalkDir(c.top, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || e.Name() != "go.mod" && e.Name() != "go.work" {
			return err
		}
		data, err := regularfile.ReadFile(path)
		if err != nil {
			return err
		}
		dir := filepath.Dir(path)
		for _, replaced := range replacedDirs(e.Name(), data) {
			if err := c.linkDir(dir, replaced); err != nil {
				return err
			}
		}
		return nil
	})
}

// linkDir makes a relative path in dir lead to the same directory as in the checkout, if that directory is
// outside of the checkout. For "../shared", it adds a link next to the copy.
func (c revisionCopy) linkDir(dir, path string) error {
	rel, err := filepath.Rel(c.top, dir)
	if err != nil {
		return err
	}
	link, target := filepath.Join(dir, path), filepath.Join(c.checkout, rel, path)
	if isWithin(c.checkout, target) || !isWithin(c.parent, link) {
		return nil
	}
	if _, err := os.Lstat(link); err == nil {
		return nil // already linked, or within a linked directory
	}
	if err := os.MkdirAll(filepath.Dir(link), 0o777); err != nil {
		return err
	}
	return os.Symlink(target, link)
}

func isWithin(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// replacedDirs returns the relative paths of directories in a go.mod or go.work file, shorter ones first.
// It returns none if the file is invalid, because the go command reports that.
func replacedDirs(name string, data []byte) (found []string) {
	var replacements []*modfile.Replace
	if name == "go.work" {
		work, err := modfile.ParseWork(name, data, nil)
		if err != nil {
			return nil
		}
		for _, use := range work.Use {
			found = append(found, use.Path)
		}
		replacements = work.Replace
	} else {
		mod, err := modfile.Parse(name, data, nil)
		if err != nil {
			return nil
		}
		replacements = mod.Replace
	}
	for _, r := range replacements {
		if r.New.Version == "" {
			found = append(found, r.New.Path)
		}
	}
	found = slices.DeleteFunc(found, func(path string) bool { return !modfile.IsDirectoryPath(path) || filepath.IsAbs(path) })
	for i, path := range found {
		found[i] = filepath.FromSlash(path)
	}
	slices.SortFunc(found, func(a, b string) int { return len(a) - len(b) })
	return found
}
