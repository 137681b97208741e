package lambda

// ReplacementExpressions returns all expressions that messages suggest.
func ReplacementExpressions() (list []string) {
	tables := []map[string]replacement{functionReplacements}
	for _, table := range methodReplacements {
		tables = append(tables, table)
	}
	for _, table := range tables {
		for _, advice := range table {
			for _, text := range []string{advice.write, advice.more} {
				if text != "" {
					list = append(list, text)
				}
			}
		}
	}
	return list
}
