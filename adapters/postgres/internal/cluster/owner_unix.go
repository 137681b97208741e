//go:build unix

package cluster

import (
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// lookupNobody returns the user that runs the server instead of root, because PostgreSQL refuses to run
// as root.
func lookupNobody() (uid, gid int, err error) {
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

// chownToNobody gives a folder to the user that will run the server, if this process runs as root.
func chownToNobody(folder string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	uid, gid, err := lookupNobody()
	if err != nil {
		return err
	}
	return os.Chown(folder, uid, gid)
}

// dropPrivileges makes a command run as the owner of the folder, and in its own process group, so
// that ^C in the terminal does not kill it before the test does.
func dropPrivileges(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if uid, gid, err := lookupNobody(); err == nil && os.Geteuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
}
