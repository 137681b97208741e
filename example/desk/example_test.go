package desk_test

import (
	"fmt"

	"github.com/aiongen/aiongen/example/desk"
)

// A recorded conversation, in which the model looks for a ticket and then opens one.
func Example() {
	status := desk.Main("example", []string{"-talk", "Is there a ticket about the coffee machine? If not, open one for Grace."}, desk.Backends{})
	fmt.Println("exit status", status)
	// Output:
	//   call     find_tickets {"words":"coffee","status":null,"limit":5}
	//   call     suggest_priority {"description":"The coffee machine is broken"}
	//   call     open_ticket {"title":"Coffee machine","priority":"normal","requester":{"name":"Grace"}}
	// There was none, so I opened one: ticket 1, for Grace.
	// exit status 0
}
