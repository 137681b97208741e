package output

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// lock keeps other runs of aiongen out of a directory. The lock of a run that is
// killed is gone with it. Where directories cannot be locked themselves, on Windows
// and on some network file systems, a file elsewhere is.
func lock(dir string) (unlock func(), err error) {
	if unlock, ok := lockDirectory(dir); ok {
		return unlock, nil
	}
	name := fmt.Sprintf("aiongen-%d-%x.lock", os.Getuid(), sha256.Sum256([]byte(dir)))
	return lockedfile.MutexAt(filepath.Join(os.TempDir(), name)).Lock()
}
