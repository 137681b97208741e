// Package prompts has .aion files with prompts, and no tools.
package prompts
