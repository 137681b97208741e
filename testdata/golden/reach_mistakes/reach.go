// Package reach binds functions of another package, whose types it cannot all name.
package reach
