// Package structs has lambdas that pass structs to methods of a client.
package structs

import (
	"context"
	"fmt"
	"time"

	"github.com/aiongen/aiongen/runtime/tool"
	metav1 "github.com/aiongen/aiongen/testdata/golden/lambda_structs/meta"
)

// Client is the client of a cluster.
type Client interface{ CoreV1() Core }

// Core gives access to pods.
type Core interface{ Pods(namespace string) Pods }

// Pods are the pods of a namespace.
type Pods interface {
	List(ctx context.Context, opts metav1.ListOptions) ([]string, error)
	Get(ctx context.Context, name string, opts metav1.GetOptions) (string, error)
	Delete(ctx context.Context, name string, opts *metav1.GetOptions) (string, error)
	Create(ctx context.Context, pods []Pod, opts *metav1.ListOptions) (string, error)
}

// Pod is a pod.
type Pod struct {
	Name  string `json:"name"`
	Image string `json:"image,omitempty"`
}

var _ = tool.Inject[Client]()

// Describe describes a value, and the values of a dict.
func Describe(x any) string { return fmt.Sprintf("%T", x) }

// Count counts the members of a dict.
func Count(labels map[string]any) int { return len(labels) }

// Remind describes when to remind people.
func Remind(after time.Duration, at []time.Time, names ...string) string {
	return fmt.Sprint(after, at, names)
}

// Save returns settings.
func Save(settings []byte, labels []Labels) string { return fmt.Sprintf("%s %T", settings, labels) }

// Labels is JSON.
type Labels []byte
