// Package toolpage renders HTML pages about tools from plain data. Build the body of a page
// with ListBody or ToolBody, and put it into the layout that all pages share with WritePage.
// Serve StyleSheet and SearchScript at the URLs that the page names.
//
// All texts may come from foreign files and servers. They are escaped, characters that have
// no shape or change the direction of text are shown as blanks or as JSON escapes, and long
// texts and large schemas are cut. The pages need no inline styles or scripts, so a strict
// content security policy fits them, and nothing on them needs a script except the search
// of static pages.
package toolpage
