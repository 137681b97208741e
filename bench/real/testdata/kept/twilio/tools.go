package tools

import (
	"github.com/aiongen/aiongen/runtime/tool"
	openapi "github.com/twilio/twilio-go/rest/api/v2010"
)

var _ = tool.Inject[*openapi.ApiService]()
