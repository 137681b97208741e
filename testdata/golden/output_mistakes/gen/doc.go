// Package gen is where tools would be generated to.
package gen
