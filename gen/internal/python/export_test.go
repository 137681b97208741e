package python

// Instead are the expressions that messages say to write.
func Instead() (list []string) {
	tables := []map[string]instead{insteadOfFunction}
	for _, table := range insteadOfMethod {
		tables = append(tables, table)
	}
	for _, table := range tables {
		for _, i := range table {
			if i.write != "" {
				list = append(list, i.write)
			}
		}
	}
	return list
}
