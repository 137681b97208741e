package telemetry_test

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/aiongen/aiongen/adapters/telemetry"
	"github.com/aiongen/aiongen/runtime/llm/scripted"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/tool"
)

func Example() {
	ctx := context.Background()
	exporter := tracetest.NewInMemoryExporter() // in a program, that of your backend
	traces := trace.NewTracerProvider(trace.WithSyncer(exporter))
	t, err := telemetry.New(telemetry.Traces(traces))
	if err != nil {
		fmt.Println(err)
		return
	}
	registry := tool.NewRegistry(tool.Use(t.Middleware))
	model := t.Model("openai", scripted.New(scripted.Text("Hello!")))
	agent, err := orchestrator.New(model, registry, t.Agent("greeter"), orchestrator.Conversation{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := agent.Start(ctx, orchestrator.Input{Request: "Greet me."})
	if err == nil {
		_, err = r.Execute(ctx)
	}
	if err != nil {
		fmt.Println(err)
	}
	for _, span := range exporter.GetSpans() {
		fmt.Println(span.Name)
	}
	// Output:
	// start_run greeter
	// chat scripted
	// invoke_agent greeter
}
