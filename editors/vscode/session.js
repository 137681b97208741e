// Drives VS Code in a browser as a user would, and checks what it shows. session.sh installs
// everything and starts it with a scratch directory, the packaged extension, the root of the
// repository and, if screenshots are wanted, the folder to write them to.
'use strict';

const assert = require('node:assert/strict');
const { execFileSync, spawn } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { chromium } = require('playwright-core');

const [scratch, extension, repository, images] = process.argv.slice(2);
const helpdesk = path.join(scratch, 'helpdesk');
const billing = path.join(scratch, 'billing');
const workspace = path.join(scratch, 'both.code-workspace');
const profile = path.join(scratch, 'profile');
const tool = 'tool github.com/aiongen/aiongen/cmd/aiongen\n';

const goSource = `package helpdesk

//go:generate go tool aiongen

// User is a person who asks for help.
type User struct {
	Name  string \`json:"name"\`
	Email string \`json:"email"\`
}

// FindUser finds a user by name.
func FindUser(name string) (*User, error) { return &User{Name: name}, nil }

// CloseTickets closes tickets, and returns how many were open.
func CloseTickets(user string, ids []int) (int, error) { return len(ids), nil }
`;

const aionSource = `// The tools of the help desk.
[
  {
    name --> "close_tickets",
    function --> "CloseTickets" --> {
      arg-1 --> "string (who closes them) | enum=ada,grace",
      arg-2 --> "list[int] (their numbers) | min=1 | max=20"
    },
    description --> "Close tickets that are solved."
  },
  {
    name --> "user_emails",
    function --> "lambda names: [find_user(n).email for n in names if n]" --> {
      arg-1 --> "list[string] (names of users)"
    },
    description --> "Find the email addresses of users."
  }
]
`;

// ghostTool has a function that does not exist.
const ghostTool = ['{', 'name --> "find_user",', 'function --> "FindUsr" --> {', 'arg-1 --> "string (name)"', '}', '},'];

// fixedTool is the tool after the fix, with an option, as it is formatted.
const fixedTool = `  {
    name --> "find_user",
    function --> "FindUser" --> {
      arg-1 --> "string (name) | max=80"
    }
  },
`;

// writeModule writes a Go module that lacks the tool, and returns a function that adds it.
function writeModule(directory, aion) {
	fs.mkdirSync(directory);
	fs.writeFileSync(path.join(directory, 'desk.go'), goSource);
	fs.writeFileSync(path.join(directory, 'desk.aion'), aion);
	const go = (...args) => execFileSync('go', args, { cwd: directory, stdio: 'inherit' });
	const module = 'github.com/aiongen/aiongen';
	go('mod', 'init', 'example.com/helpdesk');
	go('mod', 'edit', `-require=${module}@v0.0.0`, `-replace=${module}=${repository}`, `-tool=${module}/cmd/aiongen`);
	go('mod', 'tidy');
	go('build', '-o', path.join(scratch, 'bin/'), `${module}/cmd/aiongen`);
	const file = path.join(directory, 'go.mod');
	const text = fs.readFileSync(file, 'utf8');
	assert.ok(text.includes(tool));
	fs.writeFileSync(file, text.replace(tool, ''));
	return () => fs.writeFileSync(file, text);
}

function writeSettings() {
	const folder = path.join(profile, 'User');
	fs.mkdirSync(folder, { recursive: true });
	fs.writeFileSync(path.join(folder, 'settings.json'), JSON.stringify({
		'window.autoDetectColorScheme': true,
		'workbench.preferredLightColorTheme': 'Light Modern',
		'workbench.preferredDarkColorTheme': 'Dark Modern',
		'workbench.startupEditor': 'none',
		'security.workspace.trust.startupPrompt': 'always',
		'workbench.secondarySideBar.defaultVisibility': 'hidden',
		'workbench.tips.enabled': false,
		'chat.disableAIFeatures': true,
		'telemetry.telemetryLevel': 'off',
		'extensions.ignoreRecommendations': true,
		'files.autoSave': 'off',
		'editor.minimap.enabled': false,
		'editor.cursorBlinking': 'solid',
		'editor.autoClosingBrackets': 'never',
		'editor.autoClosingQuotes': 'never',
		'editor.hover.delay': 300,
	}));
}

async function freePort() {
	const server = net.createServer().listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	const { port } = server.address();
	await new Promise((resolve) => server.close(resolve));
	return port;
}

// startServer starts code-server with the extension and returns its address.
async function startServer() {
	const entry = path.join(scratch, 'node_modules/code-server/out/node/entry.js');
	const folders = ['--user-data-dir', profile, '--extensions-dir', path.join(scratch, 'extensions')];
	execFileSync(process.execPath, [entry, ...folders, '--install-extension', extension], { stdio: 'inherit' });
	const address = `127.0.0.1:${await freePort()}`;
	const server = spawn(process.execPath, [entry, ...folders, '--auth', 'none', '--bind-addr', address, '--disable-telemetry', '--disable-update-check'], { stdio: ['ignore', 'pipe', fs.openSync(path.join(scratch, 'server.log'), 'w')] });
	process.once('exit', () => server.kill());
	await new Promise((resolve, reject) => {
		server.once('exit', () => reject(new Error('code-server ended')));
		server.stdout.on('data', (text) => String(text).includes('listening on') && resolve());
	});
	return `http://${address}`;
}

// step prints what happens next, so that a failure has a place.
const step = (text) => console.log(`- ${text}`);

async function takeScreenshots(page, name, height = 470) {
	if (!images) return;
	for (const [colorScheme, theme] of [['dark', 'vs-dark'], ['light', 'vs']]) {
		await page.emulateMedia({ colorScheme });
		await page.locator(`.monaco-workbench.${theme}`).waitFor();
		await page.screenshot({ path: path.join(images, `vscode-${name}-${colorScheme}.png`), clip: { x: 0, y: 0, width: 900, height } });
	}
}

async function runCommand(page, title) {
	await page.keyboard.press('F1');
	await page.locator('.quick-input-widget input').fill(`>${title}`);
	await page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().click();
}

async function openFile(page, name) {
	await page.keyboard.press('Control+p');
	await page.locator('.quick-input-widget input').fill(name);
	await page.locator('.quick-input-list .monaco-list-row', { hasText: path.basename(name) }).first().click();
}

// fixGhostTool makes a mistake in helpdesk, sees it and fixes it.
async function fixGhostTool(page, address, addTool) {
	step('open the module, which is not trusted yet');
	await page.goto(`${address}/?folder=${encodeURIComponent(helpdesk)}`);
	await page.getByRole('button', { name: /Yes, I trust/ }).click();

	step('open the file, and read that the tool is missing');
	await page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'desk.aion' }).dblclick();
	const missing = page.locator('.notification-list-item', { hasText: 'does not have the tool aiongen' });
	await missing.getByRole('button', { name: 'Add Tool to Module' }).waitFor();
	await page.screenshot({ path: path.join(scratch, 'missing.png') });
	await missing.locator('.codicon-notifications-clear').click();

	await page.keyboard.press('Control+b'); // hides the side bar

	step('add the tool to the module, which starts the server');
	addTool();
	await page.keyboard.press('Control+Home');

	step('type a tool whose function does not exist');
	await page.locator('.view-lines').click({ position: { x: 300, y: 250 } });
	await page.keyboard.press('Control+Home');
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('End');
	for (const line of ghostTool) {
		await page.keyboard.press('Enter', { delay: 300 }); // indentation needs the scopes of the line before
		await page.keyboard.type(line, { delay: 60 });
	}
	const underline = page.locator('.squiggly-error');
	await underline.first().waitFor({ timeout: 120_000 });

	step('hover over the underlined name');
	await page.locator('.view-line', { hasText: 'FindUsr' }).getByText('FindUsr', { exact: true }).hover();
	await page.locator('.monaco-hover', { hasText: 'no function FindUsr' }).getByText('Quick Fix').waitFor();
	await takeScreenshots(page, 'hover');
	await page.screenshot({ path: path.join(scratch, 'hover.png') });

	step('apply the fix');
	await page.keyboard.press('Escape');
	await page.locator('.view-line', { hasText: 'FindUsr' }).getByText('FindUsr', { exact: true }).click();
	await page.keyboard.press('Control+.');
	const fix = page.locator('.action-widget .monaco-list-row', { hasText: 'FindUser' }).first();
	await fix.waitFor();
	await takeScreenshots(page, 'fix');
	await page.screenshot({ path: path.join(scratch, 'fix.png') });
	await fix.click();
	await underline.first().waitFor({ state: 'detached' });
	await page.locator('.view-line', { hasText: 'FindUser' }).first().waitFor();

	step('read the version in the status');
	await page.locator('.statusbar-item[id="status.languageStatus"]').hover();
	await page.locator('.hover-language-status', { hasText: /aiongen \S/ }).getByText('Restart').waitFor();
	await page.screenshot({ path: path.join(scratch, 'status.png') });

	step('complete an option in a note');
	await page.keyboard.press('Escape');
	await page.locator('.view-line', { hasText: 'string (name)' }).getByText(' (name)').click();
	await page.keyboard.press('End');
	await page.keyboard.press('ArrowLeft');
	await page.keyboard.type(' | ma');
	const option = page.locator('.suggest-widget .monaco-list-row', { hasText: 'max=' });
	await option.waitFor();
	await page.screenshot({ path: path.join(scratch, 'completion.png') });
	await option.click();
	await page.keyboard.type('80');
	await page.locator('.view-line', { hasText: '| max=80"' }).waitFor();

	step('restart the server, and see the tool above its function');
	await runCommand(page, 'aiongen: Restart Language Server');
	await openFile(page, 'desk.go');
	await page.locator('.codelens-decoration', { hasText: 'tool close_tickets' }).getByText('tool close_tickets').click();
	await page.locator('.tab.active', { hasText: 'desk.aion' }).waitFor();

	step('save the file, which formats it');
	const file = path.join(helpdesk, 'desk.aion');
	await page.keyboard.press('Control+Home');
	await page.keyboard.type('// Read and changed.  ');
	await page.keyboard.press('Enter');
	const saved = new Promise((resolve) => fs.watch(file, resolve));
	await page.keyboard.press('Control+s');
	await saved;
	await page.locator('.tab.active:not(.dirty)', { hasText: 'desk.aion' }).waitFor();
	assert.equal(fs.readFileSync(file, 'utf8'), `// Read and changed.\n${aionSource.replace('[\n', `[\n${fixedTool}`)}`);
}

// openBothFolders checks that each folder of a workspace has a server.
async function openBothFolders(page, address) {
	step('open two folders');
	const folders = [helpdesk, billing].map((folder) => ({ path: folder }));
	fs.writeFileSync(workspace, JSON.stringify({ folders }));
	await page.goto(`${address}/?workspace=${encodeURIComponent(workspace)}`);
	await page.getByRole('button', { name: /Yes, I trust/ }).click();
	await page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'billing' }).waitFor();
	await openFile(page, 'billing/desk.aion');
	await page.locator('.squiggly-error').first().waitFor({ timeout: 120_000 });
	await page.screenshot({ path: path.join(scratch, 'folders.png') });
	await openFile(page, 'helpdesk/desk.go');
	await page.locator('.codelens-decoration', { hasText: 'tool close_tickets' }).waitFor();
}

async function main() {
	const addTool = writeModule(helpdesk, aionSource);
	writeModule(billing, aionSource.replace('find_user', 'find_usr'))();
	writeSettings();
	const address = await startServer();
	const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });
	try {
		const page = await browser.newPage({ viewport: { width: 900, height: 600 } });
		page.setDefaultTimeout(60_000);
		try {
			await fixGhostTool(page, address, addTool);
			await openBothFolders(page, address);
		} catch (error) {
			const picture = path.join(os.tmpdir(), 'aiongen-vscode-failure.png');
			await page.screenshot({ path: picture });
			console.error(`${picture} shows the failure`);
			throw error;
		}
	} finally {
		await browser.close();
	}
}

main().then(() => process.exit(0), (error) => {
	console.error(error);
	process.exit(1);
});
