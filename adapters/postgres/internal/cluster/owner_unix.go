//go:build unix

package cluster

import (
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// nobody is who runs the server in the place of root.
func nobody() (uid, gid int, err error) {
	u, err := user.Lookup("nobody")
	if err != nil {
		return 0, 0, err
	}
	if uid, err = strconv.Atoi(u.Uid); err != nil {
		return 0, 0, err
	}
	gid, err = strconv.Atoi(u.Gid)
	return uid, gid, err
}

// own gives a folder to who will run the server.
func own(folder string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	uid, gid, err := nobody()
	if err != nil {
		return err
	}
	return os.Chown(folder, uid, gid)
}

// unprivileged has a command run by who owns the folder, and not be ended by what
// ends the test, such as ^C, before the test has ended it.
func unprivileged(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if uid, gid, err := nobody(); err == nil && os.Geteuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
}
