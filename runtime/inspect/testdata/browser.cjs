// Uses the inspection page in Chromium, as a person would. TestBrowser starts it with the address of its server and, if
// pictures are wanted, the folder to write them to. For each scenario it prints a line of JSON.
'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const axe = require('axe-core');
const { chromium } = require('playwright-core');

const [site, images] = process.argv.slice(2);
const wide = { width: 1280, height: 800 };
const narrow = { width: 400, height: 800 };

// control tells the server to let something happen, and returns its answer.
async function control(name) {
	const response = await fetch(`${site}/control/${name}`, { method: 'POST' });
	assert.equal(response.status, 200);
	return response.text();
}

// watchPage collects what no page may do: run a script of others, load anything of others, or violate the content
// security policy.
async function watchPage(page, faults) {
	await page.exposeFunction('reportViolation', (text) => faults.push(`violates the policy: ${text}`));
	await page.addInitScript(() => {
		document.addEventListener('securitypolicyviolation', (e) => window.reportViolation(`${e.violatedDirective} ${e.blockedURI}`));
	});
	page.on('dialog', (dialog) => {
		faults.push(`shows a dialog: ${dialog.message()}`);
		dialog.dismiss();
	});
	page.on('popup', () => faults.push('opens a window'));
	page.on('pageerror', (error) => faults.push(`fails: ${error}`));
	page.on('console', (message) => {
		if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) faults.push(`logs: ${message.text()}`);
	});
	page.on('request', (request) => {
		const url = new URL(request.url());
		const file = url.pathname.split('/').pop();
		const isExpected = { document: true, eventsource: file === 'events', stylesheet: file === 'style.css', script: ['script.js', 'search.js'].includes(file), image: file === 'part' };
		if (url.protocol !== 'data:' && (url.hostname !== '127.0.0.1' || !isExpected[request.resourceType()])) faults.push(`requests ${url} as ${request.resourceType()}`);
	});
}

const heading = (page, name) => page.getByRole('heading', { level: 1, name }).waitFor();
const status = (page, text) => page.locator('#run-status .badge', { hasText: text }).waitFor();
const click = (page, role, name) => page.getByRole(role, { name, exact: true }).click();

// callTool calls a tool by its form, with a wrong and then with right arguments.
async function callTool(page) {
	await page.goto(`${site}/tools/tools`);
	await click(page, 'link', 'list');
	await page.locator('[name="value/folder"]').fill('/tmp');
	await page.locator('[name="value/limit"]').fill('many');
	await click(page, 'button', 'Call');
	const faults = page.getByRole('region', { name: 'Wrong arguments' });
	assert.match(await faults.innerText(), /\/limit[^]*an integer[^]*many/);
	await click(page, 'link', 'Edit the arguments and call again');
	const limit = page.locator('[name="value/limit"]');
	assert.equal(await limit.inputValue(), 'many');
	await limit.fill('2');
	await click(page, 'button', 'Call');
	await page.locator('main', { hasText: 'a.txt' }).waitFor();
	assert.equal(await page.getByRole('region', { name: 'Wrong arguments' }).count(), 0);
}

// watchRun watches a run while its model answers. The page is not loaded again.
async function watchRun(page) {
	await page.goto(`${site}/live/run?id=live`);
	await status(page, 'running');
	assert.ok(await page.locator('#run-plan').isHidden());
	await page.evaluate(() => { window.isFirstLoad = true; });
	await control('answer');
	await page.locator('#run-timeline .call', { hasText: 'find_customer' }).waitFor();
	await page.locator('#run-plan svg .node.good').waitFor();
	await status(page, 'running');
	await control('answer');
	await status(page, 'completed');
	await page.locator('#run-status pre', { hasText: 'Ada has the number 4711.' }).waitFor();
	assert.ok(await page.evaluate(() => window.isFirstLoad));
}

// setHidden lets the page believe that another window hides it, or no longer does.
const setHidden = (page, hidden) =>
	page.evaluate((value) => {
		Object.defineProperty(document, 'hidden', { value, configurable: true });
		document.dispatchEvent(new Event('visibilitychange'));
	}, hidden);

// loseStream opens the page of a run whose changes do not arrive, until they do.
async function loseStream(page) {
	await page.route('**/events?*', (route) => route.abort());
	await page.goto(`${site}/changed/run?id=talk`);
	const stale = page.getByText('not kept up to date');
	await stale.waitFor();
	await page.unroute('**/events?*');
	await setHidden(page, true); // a browser does not repeat a request that has failed in this way
	await setHidden(page, false);
	await stale.waitFor({ state: 'hidden' });
}

// hideRun hides the page of a run while somebody types. The page closes its stream, and later shows what it has missed,
// with what was typed.
async function hideRun(page) {
	await page.goto(`${site}/changed/run?id=question`);
	const answer = page.getByLabel('Answer, as JSON');
	await answer.fill('{"day": "Friday"}');
	await page.getByLabel('Compare with run').focus();
	const closed = page.waitForEvent('requestfailed', (request) => request.url().includes('/events?'));
	await setHidden(page, true);
	await closed;
	const sent = await fetch(`${site}/changed/signal?id=question`, { method: 'POST', body: new URLSearchParams({ signal: 'say', message: 'With a projector.' }), redirect: 'manual' });
	assert.equal(sent.status, 303);
	await setHidden(page, false);
	await page.locator('#run-timeline', { hasText: 'With a projector.' }).waitFor();
	assert.equal(await answer.inputValue(), '{"day": "Friday"}');
}

// approveCall approves a call with other arguments than the model's. The run then goes on.
async function approveCall(page) {
	await page.goto(`${site}/changed/run?id=approval`);
	await page.locator('summary', { hasText: 'Edit the arguments' }).click();
	await page.getByLabel('Your name').fill('Grace');
	const approve = async (text) => {
		await page.getByLabel('Arguments, as JSON').fill(text);
		await click(page, 'button', 'Approve and continue here');
	};
	await approve('{"to": 7}');
	await page.getByRole('alert').filter({ hasText: 'Nothing was sent' }).waitFor();
	assert.equal(await page.getByLabel('Your name').inputValue(), 'Grace');
	await approve('{"to": "ada@example.org", "subject": "It has arrived"}');
	await status(page, 'completed');
	await page.locator('#run-timeline').getByRole('link', { name: 'send_email' }).click();
	const subject = page.locator('tr', { hasText: 'It has arrived' });
	await subject.filter({ hasText: 'Grace' }).waitFor();
}

// reopenRun kills the process that executes a run, and continues the run in another one.
async function reopenRun(page) {
	await page.goto(`${await control('restart')}/run?id=stored`);
	await page.locator('#run-timeline .call', { hasText: 'find_customer' }).waitFor();
	await status(page, 'running');
	const address = await control('restart');
	await page.goto(`${address}/runs`);
	await click(page, 'link', "What is Ada's number?");
	await page.locator('#run-timeline .call', { hasText: 'find_customer' }).waitFor();
	await click(page, 'button', 'Continue here');
	await status(page, 'waits for a message');
	await page.locator('#run-timeline', { hasText: 'Ada has the number 4711.' }).waitFor();
}

// forkRun lets the model answer the last question of a run again, and compares both runs.
async function forkRun(page) {
	await page.goto(`${site}/changed/run?id=plan`);
	await page.locator('#run-timeline .model').getByRole('link').last().click();
	await click(page, 'button', 'Fork and continue here');
	await status(page, 'completed');
	await page.locator('#run-status pre', { hasText: 'Done.' }).waitFor();
	await page.locator('#run-status').getByRole('link', { name: 'Compare' }).click();
	await page.locator('tr.differs').first().waitFor();
}

// focusNext presses the tab key until an element has the focus. Each element on the way must show that it has it.
async function focusNext(page, selector) {
	for (let presses = 0; presses < 80; presses++) {
		await page.keyboard.press('Tab');
		const found = await page.evaluate((wanted) => {
			const e = document.activeElement;
			const style = getComputedStyle(e);
			const box = e.getBoundingClientRect();
			const visible = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2 && box.width > 0 && box.right > 0;
			return { done: e.matches(wanted), visible, html: e.outerHTML.slice(0, 200) };
		}, selector);
		assert.ok(found.visible, `the focus is invisible: ${found.html}`);
		if (found.done) return;
	}
	assert.fail(`the tab key does not reach ${selector}`);
}

// useKeyboard searches, calls and approves without a mouse.
async function useKeyboard(page) {
	const { keyboard } = page;
	await page.goto(`${site}/tools/tools`);
	await focusNext(page, '.skip');
	await keyboard.press('Enter');
	await focusNext(page, '#q');
	await keyboard.type('List files');
	await keyboard.press('Enter');
	await page.locator('#count', { hasText: '1 tool' }).waitFor();
	await focusNext(page, 'h3 a');
	await keyboard.press('Enter');
	await heading(page, 'list');
	await focusNext(page, '[name="value/folder"]');
	await keyboard.type('/tmp');
	await focusNext(page, 'button.primary');
	await keyboard.press('Enter');
	await page.locator('main', { hasText: 'a.txt' }).waitFor();

	await page.goto(`${site}/keyboard/run?id=approval`);
	await focusNext(page, '[name="approval"]');
	await keyboard.type('Grace');
	await focusNext(page, 'button[value="continue"]');
	await keyboard.press('Enter');
	await status(page, 'completed');
}

// logIn logs in with a wrong and then with the right token.
async function logIn(page) {
	await page.goto(`${site}/locked/tools`);
	await page.locator('[name="token"]').fill('wrong');
	await page.locator('main button').click();
	await page.getByRole('alert').waitFor();
	await page.locator('[name="token"]').fill('correct-horse-battery');
	await page.locator('main button').click();
	await heading(page, 'Tools');
	await click(page, 'link', 'Log out');
	await page.locator('main button').click();
	await page.locator('[name="token"]').waitFor();
}

// callHostileTools calls the tools whose texts are hostile, and returns the addresses of the pages of the calls.
async function callHostileTools(page) {
	const calls = [];
	for (const name of ['hostile', 'fail', 'panic', 'deny', 'ask', 'send']) {
		await page.goto(`${site}/tools/tool?name=${name}`);
		const confirm = page.locator('[name="confirm"]').first();
		if (await confirm.count()) await confirm.check();
		await page.locator('button.primary').first().click();
		await page.waitForURL(/\/call\?id=/);
		calls.push(page.url());
	}
	return calls;
}

// checkPage looks at a page for what disturbs people, wide and narrow, light and dark.
async function checkPage(page, url, name, findings) {
	const checkWidth = async (size) => {
		await page.setViewportSize(size);
		const width = await page.evaluate(() => document.documentElement.scrollWidth);
		if (width > size.width) findings.push(`${url} is ${width} pixels wide on a screen of ${size.width}`);
	};
	const runAxe = async (options) => {
		const { violations } = await page.evaluate((o) => window.axe.run(document, o), { resultTypes: ['violations'], ...options });
		for (const { id, impact, nodes } of violations) {
			if (['serious', 'critical'].includes(impact)) findings.push(`${url}: ${id}: ${nodes.map((n) => n.html).join('\n')}`);
		}
	};
	const takePicture = async (look) => images && page.screenshot({ path: path.join(images, `${name}-${look}.png`), fullPage: true });
	await page.emulateMedia({ colorScheme: 'light' });
	await page.goto(url);
	await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
	await page.evaluate(axe.source);
	await checkWidth(wide);
	await takePicture('light');
	await checkWidth(narrow);
	await takePicture('narrow');
	await runAxe({});
	await page.emulateMedia({ colorScheme: 'dark' });
	await runAxe({ runOnly: 'color-contrast' });
	await page.setViewportSize(wide);
	await takePicture('dark');
}

// checkPages checks all kinds of pages, also with hostile text in every place.
async function checkPages(page) {
	const urls = await callHostileTools(page);
	for (const target of ['tools', 'tools?q=nothing', 'tool?name=list', 'tool?name=open_ticket', 'tool?name=hostile', 'none']) urls.push(`${site}/tools/${target}`);
	for (const id of ['plan', 'approval', 'edited', 'question', 'lost', 'killed', 'talk', 'agent', 'fork', 'failed', 'damaged', 'hostile']) urls.push(`${site}/runs/run?id=${id}`);
	for (const target of ['runs', 'entry?id=plan&n=9', 'entry?id=edited&n=5', 'entry?id=hostile&n=2', 'entry?id=hostile&n=4', 'entry?id=hostile&n=8', 'compare?left=plan&right=fork', 'compare?left=hostile&right=damaged']) urls.push(`${site}/runs/${target}`);
	urls.push(`${site}/locked/tools`);
	const findings = [];
	for (const [i, url] of urls.entries()) {
		await checkPage(page, url, `${String(i).padStart(2, '0')}-${url.slice(site.length + 1).replace(/[^a-z0-9]+/g, '-')}`, findings);
	}
	assert.deepEqual(findings, []);
}

const scenarios = { callTool, watchRun, loseStream, hideRun, approveCall, reopenRun, forkRun, useKeyboard, logIn, checkPages };

// play executes a scenario in a new window, and returns why it failed, if it did.
async function play(browser, scenario) {
	const context = await browser.newContext({ viewport: wide });
	const page = await context.newPage();
	page.setDefaultTimeout(30_000);
	const faults = [];
	try {
		await watchPage(page, faults);
		await scenario(page);
		assert.deepEqual(faults, []);
		return '';
	} catch (error) {
		return [error.stack, page.url(), ...faults, await page.locator('main').innerText().catch(String)].join('\n');
	} finally {
		await context.close();
	}
}

async function main() {
	const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });
	for (const [name, scenario] of Object.entries(scenarios)) {
		console.log(JSON.stringify({ scenario: name, failure: await play(browser, scenario) }));
	}
	await browser.close();
}

main().catch((error) => {
	console.error(error);
	process.exit(1);
});
