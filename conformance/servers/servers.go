package main

// server is an MCP server in a package of package.json.
type server struct {
	name      string   // of the package
	arguments []string // of its program
	env       []string // variables without which it does not start
}

// servers are all that start without an account and without the network.
var servers = []server{
	{name: "@aashari/mcp-server-atlassian-jira", env: []string{"TRANSPORT_MODE=stdio", "ATLASSIAN_SITE_NAME=none", "ATLASSIAN_USER_EMAIL=none@example.com", "ATLASSIAN_API_TOKEN=none"}},
	{name: "@antv/mcp-server-chart"},
	{name: "@brave/brave-search-mcp-server", arguments: []string{"--transport", "stdio"}, env: []string{"BRAVE_API_KEY=none"}},
	{name: "@browsermcp/mcp"},
	{name: "@circleci/mcp-server-circleci", env: []string{"CIRCLECI_TOKEN=none"}},
	{name: "@cloudflare/mcp-server-cloudflare", arguments: []string{"run", "none"}, env: []string{"CLOUDFLARE_API_TOKEN=none", "CLOUDFLARE_ACCOUNT_ID=none"}},
	{name: "@currents/mcp", env: []string{"CURRENTS_API_KEY=none"}},
	{name: "@cyanheads/git-mcp-server", env: []string{"MCP_TRANSPORT_TYPE=stdio"}},
	{name: "@elastic/mcp-server-elasticsearch", env: []string{"ES_URL=http://127.0.0.1:9", "ES_API_KEY=none"}},
	{name: "@eslint/mcp"},
	{name: "@executeautomation/playwright-mcp-server"},
	{name: "@hubspot/mcp-server", env: []string{"PRIVATE_APP_ACCESS_TOKEN=none"}},
	{name: "@larksuiteoapi/lark-mcp", arguments: []string{"mcp", "-a", "none", "-s", "none"}},
	{name: "@line/line-bot-mcp-server", env: []string{"CHANNEL_ACCESS_TOKEN=none", "DESTINATION_USER_ID=none"}},
	{name: "@mapbox/mcp-server", env: []string{"MAPBOX_ACCESS_TOKEN=pk.eyJ1Ijoibm9uZSJ9.none"}},
	{name: "@mobilenext/mobile-mcp"},
	{name: "@modelcontextprotocol/server-everything", arguments: []string{"stdio"}},
	{name: "@modelcontextprotocol/server-filesystem", arguments: []string{"."}},
	{name: "@modelcontextprotocol/server-github", env: []string{"GITHUB_PERSONAL_ACCESS_TOKEN=none"}},
	{name: "@modelcontextprotocol/server-gitlab", env: []string{"GITLAB_PERSONAL_ACCESS_TOKEN=none"}},
	{name: "@modelcontextprotocol/server-google-maps", env: []string{"GOOGLE_MAPS_API_KEY=none"}},
	{name: "@modelcontextprotocol/server-memory"},
	{name: "@modelcontextprotocol/server-puppeteer"},
	{name: "@modelcontextprotocol/server-sequential-thinking"},
	{name: "@modelcontextprotocol/server-slack", env: []string{"SLACK_BOT_TOKEN=none", "SLACK_TEAM_ID=none"}},
	{name: "@notionhq/notion-mcp-server", env: []string{"NOTION_TOKEN=none"}},
	{name: "@openbnb/mcp-server-airbnb"},
	{name: "@perplexity-ai/mcp-server", env: []string{"PERPLEXITY_API_KEY=none"}},
	{name: "@playwright/mcp"},
	{name: "@postman/postman-mcp-server", env: []string{"POSTMAN_API_KEY=PMAK-none"}},
	{name: "@roychri/mcp-server-asana", env: []string{"ASANA_ACCESS_TOKEN=none"}},
	{name: "@sentry/mcp-server", arguments: []string{"--access-token=none"}},
	{name: "@shopify/dev-mcp"},
	{name: "@upstash/context7-mcp"},
	{name: "@wonderwhy-er/desktop-commander"},
	{name: "@zereight/mcp-gitlab", env: []string{"GITLAB_PERSONAL_ACCESS_TOKEN=none"}},
	{name: "airtable-mcp-server", env: []string{"AIRTABLE_API_KEY=none"}},
	{name: "chrome-devtools-mcp"},
	{name: "exa-mcp-server", env: []string{"EXA_API_KEY=none"}},
	{name: "figma-developer-mcp", arguments: []string{"--stdio", "--figma-api-key=none"}},
	{name: "firecrawl-mcp", env: []string{"FIRECRAWL_API_KEY=none"}},
	{name: "mcp-server-kubernetes"},
	{name: "mongodb-mcp-server"},
	{name: "n8n-mcp", env: []string{"MCP_MODE=stdio", "N8N_API_URL=http://127.0.0.1:9", "N8N_API_KEY=none"}},
	{name: "next-devtools-mcp"},
	{name: "tavily-mcp", env: []string{"TAVILY_API_KEY=none"}},
}
