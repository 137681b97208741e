//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd || windows)

package file

import "os"

const lockable = false

func tryLock(*os.File) (bool, error) { panic("files cannot be locked") } // unreachable, because Open fails
