package tools

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"github.com/aiongen/aiongen/runtime/tool"
)

// serveQueue starts a server that answers like SQS, and records its requests.
func serveQueue(t *testing.T) (url string, requests *[]string) {
	answers := map[string]string{
		"SendMessage": `{"MD5OfMessageBody":"5d41402abc4b2a76b9719d911017c592","MessageId":"m1"}`,
		"ReceiveMessage": `{"Messages":[{"MessageId":"m1","ReceiptHandle":"r1","MD5OfBody":"5d41402abc4b2a76b9719d911017c592","Body":"hello","Attributes":{"SentTimestamp":"1767323045000"},
			"MessageAttributes":{"kind":{"DataType":"Binary","BinaryValue":"AQID"}}}]}`,
		"DeleteMessage": `{}`,
		"PurgeQueue":    `{}`,
		"ListQueues":    `{"QueueUrls":["https://sqs/1/jobs"],"NextToken":"n"}`,
		"GetQueueUrl":   `{"QueueUrl":"https://sqs/1/jobs"}`,
	}
	requests = new([]string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		target := strings.TrimPrefix(r.Header.Get("X-Amz-Target"), "AmazonSQS.")
		*requests = append(*requests, target+" "+string(body))
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		io.WriteString(w, answers[target])
	}))
	t.Cleanup(server.Close)
	return server.URL, requests
}

func TestSQS(t *testing.T) {
	url, requests := serveQueue(t)
	client := sqs.New(sqs.Options{Region: "eu-west-1", BaseEndpoint: &url, Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{AccessKeyID: "id", SecretAccessKey: "secret"}, nil
	})})
	r := newRegistry(t, func(r *tool.Registry) error { return Register(r, Deps{Client: client}) })
	ctx, queue := context.Background(), aws.String("https://sqs/1/jobs")
	sent := firstResult(client.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: queue, MessageBody: aws.String("hello"), DelaySeconds: 5,
		MessageAttributes: map[string]types.MessageAttributeValue{"kind": {DataType: aws.String("Binary"), BinaryValue: []byte{1, 2, 3}}}}))
	compare(t, r, "client_send_message", `{"QueueUrl":"https://sqs/1/jobs","MessageBody":"hello","DelaySeconds":5,
		"MessageAttributes":{"kind":{"DataType":"Binary","BinaryValue":"AQID"}}}`, sent, outputFields...)
	compare(t, r, "client_receive_message", `{"QueueUrl":"https://sqs/1/jobs","MaxNumberOfMessages":10,"MessageSystemAttributeNames":["SentTimestamp"]}`,
		firstResult(client.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{QueueUrl: queue, MaxNumberOfMessages: 10,
			MessageSystemAttributeNames: []types.MessageSystemAttributeName{"SentTimestamp"}})), outputFields...)
	compare(t, r, "client_list_queues", `{"QueueNamePrefix":"jo"}`, firstResult(client.ListQueues(ctx, &sqs.ListQueuesInput{QueueNamePrefix: aws.String("jo")})), outputFields...)
	compare(t, r, "client_get_queue_url", `{"QueueName":"jobs"}`, firstResult(client.GetQueueUrl(ctx, &sqs.GetQueueUrlInput{QueueName: aws.String("jobs")})), outputFields...)
	call(t, r, "client_delete_message", `{"QueueUrl":"https://sqs/1/jobs","ReceiptHandle":"r1"}`)
	firstResult(client.DeleteMessage(ctx, &sqs.DeleteMessageInput{QueueUrl: queue, ReceiptHandle: aws.String("r1")}))
	call(t, r, "client_purge_queue", `{"QueueUrl":"https://sqs/1/jobs"}`)
	firstResult(client.PurgeQueue(ctx, &sqs.PurgeQueueInput{QueueUrl: queue}))
	compareRequests(t, *requests)
}

// outputFields are all fields of outputs except ResultMetadata, which contains nothing for JSON.
var outputFields = []string{"MD5OfMessageAttributes", "MD5OfMessageBody", "MD5OfMessageSystemAttributes", "MessageId", "SequenceNumber", "Messages", "QueueUrls", "NextToken", "QueueUrl"}
