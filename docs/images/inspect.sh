#!/usr/bin/env bash
# Writes the pictures of the inspection page to this folder: a tool and a run of the example, light and dark. It needs Go,
# Node with npm, curl and Chromium.
set -euo pipefail
cd "$(dirname "$0")"

scratch=$(mktemp -d)
trap 'kill ${server:-} 2>/dev/null || true; rm -rf "$scratch"' EXIT
npm install --prefix "$scratch" --no-save --no-audit --no-fund playwright-core@1.65.1
CHROMIUM=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
export CHROMIUM

go build -o "$scratch/example" ../../example
"$scratch/example" -inspect=127.0.0.1:0 2>"$scratch/log" &
server=$!
until url=$(grep -o 'http://[^ ]*/' "$scratch/log"); do sleep 0.1; done
until curl -s "${url}runs" | grep -c 'waits for a message' >/dev/null; do sleep 0.1; done # the last of the recorded runs

NODE_PATH="$scratch/node_modules" node - "$url" <<'END'
const { chromium } = require('playwright-core');

const pictures = {
	tool: { height: 800, open: (page, url) => page.goto(`${url}tool?name=find_tickets`) },
	run: {
		height: 1250,
		open: async (page, url) => {
			await page.goto(`${url}runs`);
			await page.getByRole('link', { name: 'Grace cannot log in' }).click();
			await page.locator('svg.plan').waitFor();
		},
	},
};

async function main(url) {
	const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });
	for (const [name, { height, open }] of Object.entries(pictures)) {
		const page = await browser.newPage({ viewport: { width: 1100, height } });
		await open(page, url);
		for (const colorScheme of ['light', 'dark']) {
			await page.emulateMedia({ colorScheme });
			await page.screenshot({ path: `inspect-${name}-${colorScheme}.png` });
		}
	}
	await browser.close();
}

main(process.argv[2]);
END
