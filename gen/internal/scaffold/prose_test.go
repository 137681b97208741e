package scaffold

import "testing"

// TestDescribeForModel checks what is left of a comment for a model.
func TestDescribeForModel(t *testing.T) {
	for _, tt := range []struct{ name, comment, want string }{
		{"ListUsers", "ListUsers returns all users.", "Returns all users."},
		{"(*Store).Find", "Find finds in the store.", "Finds in the store."},
		{"Store.Find", "Store.Find finds in the store.", "Finds in the store."},
		{"Create", "Create a user", "Create a user"},
		{"Delete", "Delete items from a list.", "Delete items from a list."},
		{"Delete", "Delete removes items from a list.", "Removes items from a list."},
		{"Copy", "Copy copies a file.", "Copies a file."},
		{"GetUser", "GetUser get a user by ID", "Get a user by ID"},
		{"GetUser", "GetUser will retrieve a user. The user must exist.", "Retrieve a user. The user must exist."},
		{"UserName", "UserName is the name of the user.", "The name of the user."},
		{"IsOpen", "IsOpen is true after Open.", "IsOpen is true after Open."},
		{"IsOpen", "IsOpen reports whether the shop is open.", "Reports whether the shop is open."},
		{"NewID", "NewID is used to create an ID.", "Create an ID."},
		{"Min", "Min and Max return the bounds.", "Min and Max return the bounds."},
		{"GetUsers", "GetUsers, if called twice, fails.", "GetUsers, if called twice, fails."},
		{"GetUserList", "GetUserList user list", "GetUserList user list"},
		{"GetUser", "GetUser - retrieves a user", "Retrieves a user"},
		{"GetUser", "GetUser: all about a user", "All about a user"},
		{"GetUser", "Gets a user.", "Gets a user."},
		{"PostMessageContext", "PostMessageContext sends a message to a channel with a custom context. For more details, see PostMessage documentation.", "Sends a message to a channel."},
		{"PostContext", "Post sends a message with a context.", "Sends a message."},
		{"GetIssue", "GetIssue gets a single project issue.\n\nGitLab API docs: https://docs.gitlab.com/issues", "Gets a single project issue."},
		{"GetIssue", "GetIssue gets an issue. GitLab API docs: https://docs.gitlab.com", "Gets an issue."},
		{"Get", "Get an issue.\n\nNote that opts may be nil.", "Get an issue."},
		{"Open", "Open opens a file. The caller must close it.", "Opens a file."},
		{"Open", "Open opens a shop. The shop must have a name.", "Opens a shop. The shop must have a name."},
		{"Old", "Old returns a value. Deprecated: Use New instead. It is better.", "Returns a value."},
		{"Old", "Deprecated: use New.", ""},
		{"ListIPS", "ListIPS returns a list of IPs Deprecated: use ListIPs instead", "Returns a list of IPs"},
		{"NewMessage", "TODO(v5): remove this method", ""},
		{"Send", "Send sends a message. FIXME: it does not retry. Send is fast.", "Sends a message."},
		{"AddTODO", "AddTODO adds a TODO to the list.", "Adds a TODO to the list."},
		{"SendMessage", "SendMessage https://core.telegram.org/bots/api#sendmessage", ""},
		{"ParseSchedule", "ParseSchedule parses a schedule, e.g. Every day. It needs 5 fields.", "Parses a schedule, e.g. Every day. It needs 5 fields."},
		{"Create", "Create makes a user. See https://example.com/users for the rules.", "Makes a user."},
		{"Close", "Close closes nil pointers.", "Closes nil pointers."},
		{"Say", "Say says:\n\n  - hello\n  - goodbye", "Says:\n\n  - hello\n  - goodbye"},
		{"GetCell", "GetCell provides a function to get a cell. This function is concurrency safe.", "Get a cell."},
		{"ListTopics", "ListTopics lists topics.\n\nThis may return *ShardErrors or *AuthError.", "Lists topics."},
		{"GetOrder", "GetOrder retrieves an order by ID Endpoint: GET /v2/orders/ID", "Retrieves an order by ID"},
		{"CaptureOrder", "CaptureOrder https://example.com/orders#capture Endpoint: POST /v2/orders/ID/capture", ""},
		{"BucketExists", "BucketExists verifies that a bucket exists with a context to control cancellations and timeouts.", "Verifies that a bucket exists."},
		{"NewID", "NewID creates an ID. NewID is equivalent to\n\n\tx := ids.New()\n\tx.String()\n\nIt is random.", "Creates an ID.\n\nIt is random."},
		{"Compare", "Compare compares numbers and returns:\n\n\t-1 if less\n\t 0 if equal", "Compares numbers and returns:\n\n\t-1 if less\n\t 0 if equal"},
		{"", "", ""},
	} {
		if got := describeForModel(tt.comment, tt.name); got != tt.want {
			t.Errorf("%s: %q becomes %q, not %q", tt.name, tt.comment, got, tt.want)
		}
	}
}
