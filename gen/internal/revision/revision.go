// Package revision gives the files of a git revision a folder of their own, where
// the go command finds what it finds in the checkout. The checkout itself, its
// index and its refs stay as they are.
package revision

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

	"github.com/aiongen/aiongen/internal/regular"
	"github.com/aiongen/aiongen/internal/words"
)

// A Folder holds the files of a revision.
type Folder struct {
	Dir  string // what the directory of the checkout was then; it may not be there
	temp string
}

// Remove deletes the folder.
func (f *Folder) Remove() error { return os.RemoveAll(f.temp) }

// An UnknownError says that git does not know a revision.
type UnknownError struct {
	Name    string
	Near    string // a branch or tag that may be meant; "" if there is none
	Shallow bool   // the clone does not have all that its origin has
}

func (e *UnknownError) Error() string { return fmt.Sprintf("git knows no revision %q", e.Name) }

// ErrNoGit is the error where the git command is not installed.
var ErrNoGit = errors.New("there is no git command")

// ErrNoRepository is the error for a directory that is in no git checkout.
var ErrNoRepository = errors.New("the directory is in no git repository")

// Checkout writes the files of a revision, as git rev-parse takes its name, to a
// temporary folder, for a directory of a checkout. The error is an
// [*UnknownError], [ErrNoGit], [ErrNoRepository] or one of git or the system.
func Checkout(ctx context.Context, dir, name string) (*Folder, error) {
	r, err := open(ctx, dir)
	if err != nil {
		return nil, err
	}
	commit, err := r.commit(ctx, name)
	if err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "aiongen-")
	if err != nil {
		return nil, err
	}
	// The folder lies as deep as the checkout, so that there is room for what
	// stands around that.
	top := filepath.Join(temp, "files", strings.TrimPrefix(r.top, filepath.VolumeName(r.top)))
	f := &Folder{Dir: filepath.Join(top, filepath.FromSlash(r.prefix)), temp: temp}
	if err = r.write(ctx, commit, temp, top); err == nil {
		err = copyOf{r.top, top, temp}.linkNeighbours()
	}
	if err != nil {
		return nil, errors.Join(err, f.Remove())
	}
	return f, nil
}

// repository is a checkout.
type repository struct {
	top    string // its root
	prefix string // the way from there to the directory, with slashes
}

func open(ctx context.Context, dir string) (repository, error) {
	if _, err := exec.LookPath("git"); err != nil {
		return repository{}, ErrNoGit
	}
	if _, err := git(ctx, dir, nil, "rev-parse", "--git-dir"); err != nil {
		if strings.Contains(err.Error(), "not a git repository") {
			err = ErrNoRepository
		}
		return repository{}, err
	}
	top, err := git(ctx, dir, nil, "rev-parse", "--show-toplevel")
	if err != nil {
		return repository{}, err
	}
	prefix, err := git(ctx, dir, nil, "rev-parse", "--show-prefix")
	return repository{filepath.FromSlash(top), prefix}, err
}

// commit returns the hash of a revision. Its name is never taken for an option.
func (r repository) commit(ctx context.Context, name string) (string, error) {
	hash, err := git(ctx, r.top, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	if err == nil {
		return hash, nil
	}
	unknown := &UnknownError{Name: name}
	if refs, err := git(ctx, r.top, nil, "for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags", "refs/remotes"); err == nil {
		unknown.Near = words.Nearest(name, strings.Fields(refs))
	}
	if shallow, err := git(ctx, r.top, nil, "rev-parse", "--is-shallow-repository"); err == nil {
		unknown.Shallow = shallow == "true"
	}
	return "", unknown
}

// write puts the files of a commit into a directory, by an index of its own.
func (r repository) write(ctx context.Context, commit, temp, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	env := []string{
		"GIT_INDEX_FILE=" + filepath.Join(temp, "index"),
		"GIT_LFS_SKIP_SMUDGE=1", // what is stored elsewhere is no Go
	}
	if _, err := git(ctx, r.top, env, "read-tree", commit); err != nil {
		return err
	}
	_, err := git(ctx, r.top, env, "checkout-index", "--all", "--quiet", "--prefix="+filepath.ToSlash(dir)+"/")
	return err
}

// git runs a git command and returns what it prints. No hook runs.
func git(ctx context.Context, dir string, env []string, args ...string) (string, error) {
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

// copyOf is a copy of a checkout, below a directory that holds nothing else.
type copyOf struct{ checkout, top, within string }

// linkNeighbours lets the modules in a copy find the directories beside the
// checkout that they name by relative paths, as workspaces and replacements do.
func (c copyOf) linkNeighbours() error {
	return filepath.WalkDir(c.top, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || e.Name() != "go.mod" && e.Name() != "go.work" {
			return err
		}
		data, err := regular.ReadFile(path)
		if err != nil {
			return err
		}
		dir := filepath.Dir(path)
		for _, named := range directories(e.Name(), data) {
			if err := c.link(dir, named); err != nil {
				return err
			}
		}
		return nil
	})
}

// link makes a relative path in a directory of the copy lead to where it leads in
// the checkout, if that is outside of it.
func (c copyOf) link(dir, named string) error {
	at, err := filepath.Rel(c.top, dir)
	if err != nil {
		return err
	}
	here, there := filepath.Join(dir, named), filepath.Join(c.checkout, at, named)
	if isWithin(c.checkout, there) || !isWithin(c.within, here) {
		return nil
	}
	if _, err := os.Lstat(here); err == nil {
		return nil // by a link to what is around it
	}
	if err := os.MkdirAll(filepath.Dir(here), 0o777); err != nil {
		return err
	}
	return os.Symlink(there, here)
}

func isWithin(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// directories are the relative paths of directories that a go.mod or go.work
// names, shorter ones first. One that is not sound names none: the go command
// says what is wrong.
func directories(name string, data []byte) (found []string) {
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
