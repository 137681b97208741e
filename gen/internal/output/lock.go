package output

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// lockDir locks a directory against other runs of aiongen. The lock ends with the process.
// On systems that cannot lock directories, such as Windows, it locks a file in the
// temporary directory.
func lockDir(dir string) (unlock func(), err error) {
	if unlock, ok := tryLock(dir); ok {
		return unlock, nil
	}
	name := fmt.Sprintf("aiongen-%d-%x.lock", os.Getuid(), sha256.Sum256([]byte(dir)))
	return lockedfile.MutexAt(filepath.Join(os.TempDir(), name)).Lock()
}
