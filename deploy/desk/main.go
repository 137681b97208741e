// Desk is the help desk of the example on engines: runs are begun here, and carried out by
// workers, which survive what workers survive there. It is the command of package
// example/desk, with two flags more.
//
//	./postgres /tmp/desk        # a server, which says its URL
//	go run ./desk work -postgres "$URL"
//	go run ./desk -postgres "$URL" "Tell linus that the VPN is down."
//	go run ./desk runs -postgres "$URL"
//
// It is in a module of its own, so that nobody else depends on a driver of PostgreSQL.
package main

import (
	"os"

	"github.com/aiongen/aiongen/example/desk"
)

// places are where runs are driven.
var places = []desk.Place{onPostgres}

func main() { os.Exit(desk.Main(os.Args[1:], places...)) }
