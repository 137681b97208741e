// Package toolpage renders HTML pages about tools from plain data. Build the body of a page
// with ListBody or ToolBody, and put it into the layout that all pages share with WritePage.
// Serve StyleSheet and SearchScript at the URLs that the page names.
//
// All texts may come from files and servers that cannot be trusted. The package escapes the texts, and cuts long
// texts and large schemas. It shows invisible characters, and those that change the direction of text, as blanks
// or as JSON escapes. The pages need no inline styles or scripts, so they work with a strict content security
// policy. Only the search of static pages needs a script.
package toolpage
