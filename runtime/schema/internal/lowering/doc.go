// Package lowering converts an input schema to what a provider accepts. For providers that accept
// JSON Schema, [PassThrough] makes few changes. For the others, [Rewrite] expresses unsupported
// parts in another form or describes them in words.
package lowering
