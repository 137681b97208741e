package tools

import (
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

var _ = tool.Inject[*sqs.Client]()
