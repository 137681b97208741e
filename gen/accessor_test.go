package gen

import "testing"

// TestSecretAccessors checks that an interface with an accessor for a secret is passed by reference, although a type has
// only methods that return values.
func TestSecretAccessors(t *testing.T) {
	for name, byReference := range map[string]bool{
		"Key": false, "Owner": false, "Spinning": false, "Pinned": false, "Passed": false,
		"Password": true, "GetPasswordHash": true, "Secret": true, "ClientSecret": true, "APIToken": true, "Token": true,
		"Credentials": true, "PrivateKey": true, "AccessKeyID": true, "GetAPIKey": true, "SessionCookie": true, "DSN": true, "PIN": true,
	} {
		_, faults := compileOne(t, "type V interface { Name() string; "+name+"() string }\n\ntype v struct{ text string }\n\n"+
			"func (v v) Name() string { return v.text }\n\nfunc (v v) "+name+"() string { return v.text }\n\nfunc F() V { return v{} }")
		if got := messagesOf(faults, "needs-scope") != ""; got != byReference {
			t.Errorf("%s: %v", name, faults)
		}
	}
}
