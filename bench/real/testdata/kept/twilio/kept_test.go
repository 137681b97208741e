package tools

import (
	"net/http"
	"net/url"
	"testing"

	twilioclient "github.com/twilio/twilio-go/client"
	openapi "github.com/twilio/twilio-go/rest/api/v2010"

	"github.com/aiongen/aiongen/runtime/tool"
)

// A redirection sends all requests to another server.
type redirection struct{ host string }

func (r redirection) RoundTrip(request *http.Request) (*http.Response, error) {
	request.URL.Scheme, request.URL.Host = "http", r.host
	return http.DefaultTransport.RoundTrip(request)
}

func TestTwilio(t *testing.T) {
	const message = `{"sid":"SM1","account_sid":"AC1","to":"+15558881111","from":"+15552229999","body":"Grüße <b>","status":"queued","num_segments":"1","price":null,"error_code":null,
		"date_created":"Fri, 02 Jan 2026 03:04:05 +0000","subresource_uris":{"media":"/m.json"}}`
	base, requests := serve(t, map[string]string{
		"POST /2010-04-01/Accounts/AC1/Messages.json":       message,
		"GET /2010-04-01/Accounts/AC1/Messages/SM1.json":    message,
		"GET /2010-04-01/Accounts/AC1/Messages.json":        `{"messages":[` + message + `],"page":0,"page_size":50}`,
		"POST /2010-04-01/Accounts/AC1/Messages/SM1.json":   message,
		"DELETE /2010-04-01/Accounts/AC1/Messages/SM1.json": ``,
	})
	credentials := &twilioclient.Client{Credentials: twilioclient.NewCredentials("AC1", "token"),
		HTTPClient: &http.Client{Transport: redirection{firstResult(url.Parse(base)).Host}}}
	credentials.SetAccountSid("AC1")
	api := openapi.NewApiServiceWithClient(credentials)
	r := newRegistry(t, func(r *tool.Registry) error { return Register(r, Deps{ApiService: api}) })
	compare(t, r, "api_service_create_message", `{"To":"+15558881111","From":"+15552229999","Body":"Grüße <b>"}`,
		firstResult(api.CreateMessage(new(openapi.CreateMessageParams).SetTo("+15558881111").SetFrom("+15552229999").SetBody("Grüße <b>"))))
	compare(t, r, "api_service_fetch_message", `{"sid":"SM1"}`, firstResult(api.FetchMessage("SM1", &openapi.FetchMessageParams{})))
	compare(t, r, "api_service_list_message", `{"To":"+15558881111","limit":1}`, firstResult(api.ListMessage(new(openapi.ListMessageParams).SetTo("+15558881111").SetLimit(1))))
	compare(t, r, "api_service_update_message", `{"sid":"SM1","params":{"Body":""}}`, firstResult(api.UpdateMessage("SM1", new(openapi.UpdateMessageParams).SetBody(""))))
	call(t, r, "api_service_delete_message", `{"sid":"SM1"}`)
	firstResult[any](api.DeleteMessage("SM1", &openapi.DeleteMessageParams{}))
	compareRequests(t, *requests)
}
