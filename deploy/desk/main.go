// Desk is the help desk of the example on engines: runs are begun here, and carried out by
// workers, which survive what workers survive there. It is the command of package
// example/desk, with two flags more.
//
//	./postgres /tmp/desk        # a server, which says its URL
//	go run ./desk work -postgres "$URL"
//	go run ./desk -postgres "$URL" "Tell linus that the VPN is down."
//	go run ./desk runs -postgres "$URL"
//
// and with -temporal, whose workers need a place for the tickets, too:
//
//	./temporal /tmp/temporal    # a server, which says its address
//	go run ./desk work -temporal 127.0.0.1:7233 -memory /tmp/tickets
//	go run ./desk -temporal 127.0.0.1:7233 "Tell linus that the VPN is down."
//
// It is in a module of its own, so that nobody else depends on a driver of PostgreSQL or on
// the SDK of Temporal.
package main

import (
	"os"

	"github.com/aiongen/aiongen/example/desk"
)

// places are where runs are driven.
var places = []desk.Place{onPostgres, onTemporal}

func main() { os.Exit(desk.Main("desk", os.Args[1:], places...)) }
