// Desk is the example's help desk on engines: it starts runs, and workers execute them, which may be stopped or killed at
// any time. It is the command of package example/desk with two more flags, and more providers of models.
//
//	./postgres /tmp/desk        # a server, which prints its URL
//	go run ./desk work -postgres "$URL"
//	go run ./desk -postgres "$URL" "Tell linus that the VPN is down."
//	go run ./desk runs -postgres "$URL"
//
// With -temporal, workers also need a place for the tickets:
//
//	./temporal /tmp/temporal    # a server, which prints its address
//	go run ./desk work -temporal 127.0.0.1:7233 -memory /tmp/tickets
//	go run ./desk -temporal 127.0.0.1:7233 "Tell linus that the VPN is down."
//
// With -provider and -model, it uses a model of a provider, with the key in the environment:
//
//	go run ./desk -provider responses -model gpt-5 "Tell linus that the VPN is down."
//
// It is in a separate module, so that nothing else depends on a driver for PostgreSQL, on Temporal's SDK or on the SDKs
// of providers.
package main

import (
	"os"

	"github.com/aiongen/aiongen/example/desk"
)

// backends are where runs may be executed, and who provides models.
var backends = desk.Backends{
	Places:    []desk.Place{onPostgres, onTemporal},
	Providers: []desk.Provider{onAnthropic, onGemini, onResponses},
}

func main() { os.Exit(desk.Main(desk.CommandLine(), os.Args[1:], backends)) }
