// Package middleware provides middleware for a registry of package tool: access rules, timeouts, limits,
// shortened results, and a log of calls.
//
//	r := tool.NewRegistry(tool.Use(
//		middleware.LogCalls(slog.Default()),
//		middleware.Timeout(30*time.Second),
//		middleware.Gate(middleware.Allow(middleware.HasAnnotation(tool.ReadOnly)), middleware.RequireApproval()),
//	))
//
// The first middleware is the outermost. [WithLogger] provides the logger for functions that take a
// [*slog.Logger].
package middleware
