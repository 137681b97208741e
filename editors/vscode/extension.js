// Starts the language server of aiongen: one for each folder of the workspace with .aion files, in
// the version of the Go module there.
'use strict';

const { execFile } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { promisify } = require('node:util');
const vscode = require('vscode');
const { LanguageClient, State } = require('vscode-languageclient/node');

const execute = promisify(execFile);

const documentation = vscode.Uri.parse('https://github.com/aiongen/aiongen/blob/main/docs/howto/editors.md#vs-code');
const toolPackage = 'github.com/aiongen/aiongen/cmd/aiongen';

/** @type {vscode.LogOutputChannel} */
let output;

/** @type {Map<string, FolderServer>} servers by folder */
const servers = new Map();

async function activate(context) {
	output = vscode.window.createOutputChannel('aiongen', { log: true });
	const moduleFiles = vscode.workspace.createFileSystemWatcher('**/go.{mod,work}');
	context.subscriptions.push(
		output,
		moduleFiles,
		moduleFiles.onDidChange(startFailedServers),
		moduleFiles.onDidCreate(startFailedServers),
		vscode.commands.registerCommand('aiongen.restart', restartServers),
		vscode.commands.registerCommand('aiongen.showOutput', () => output.show()),
		vscode.commands.registerCommand('aiongen.openTool', openTool),
		vscode.commands.registerCommand('aiongen.addImport', addImport),
		vscode.workspace.onDidOpenTextDocument(startServerOf),
		vscode.workspace.onDidGrantWorkspaceTrust(startServers),
		vscode.workspace.onDidChangeWorkspaceFolders(replaceServers),
		vscode.workspace.onDidChangeConfiguration((event) => {
			if (['command', 'tags', 'lint'].some((name) => event.affectsConfiguration('aiongen.' + name))) restartServers();
		}),
	);
	await startServers();
}

function deactivate() {
	return stopServers();
}

/** Starts the servers of open .aion files, and of folders that contain such files. */
async function startServers() {
	vscode.workspace.textDocuments.forEach(startServerOf);
	for (const folder of vscode.workspace.workspaceFolders ?? []) {
		const [file] = await vscode.workspace.findFiles(new vscode.RelativePattern(folder, '**/*.aion'), '**/{node_modules,testdata,vendor}/**', 1);
		if (file) startServer(file);
	}
}

function startServerOf(document) {
	if (document.languageId === 'aion') startServer(document.uri);
}

/** Starts the server for a file unless it exists. A server that cannot start exists, too, so that its error is shown once. */
function startServer(file) {
	if (!vscode.workspace.isTrusted || file.scheme !== 'file') return;
	const root = rootOf(file);
	if (!servers.has(root)) servers.set(root, new FolderServer(root, path.dirname(file.fsPath)));
}

/** Returns the folder whose server is responsible for a file. */
function rootOf(file) {
	const directory = path.dirname(file.fsPath);
	return outermostFolder(file)?.uri.fsPath ?? moduleDirectory(directory) ?? directory;
}

async function stopServers() {
	const all = [...servers.values()];
	servers.clear();
	await Promise.all(all.map((server) => server.dispose()));
}

async function restartServers() {
	await stopServers();
	await startServers();
}

/** Stops the servers of folders that were removed or are now part of another folder. */
async function replaceServers() {
	const roots = (vscode.workspace.workspaceFolders ?? []).map((folder) => outermostFolder(folder.uri)?.uri.fsPath);
	for (const [root, server] of servers) {
		if (roots.includes(root)) continue;
		servers.delete(root);
		await server.dispose();
	}
	await startServers();
}

/** Starts servers again that could not start, because a module may have the tool now. */
async function startFailedServers() {
	for (const [root, server] of servers) {
		if (!server.hasFailed || server.isAddingTool) continue;
		servers.delete(root);
		await server.dispose();
	}
	await startServers();
}

/** Returns the folder of the workspace that contains a file and is in no other folder, if there is one. */
function outermostFolder(file) {
	const contains = (folder) => {
		const relative = path.relative(folder.uri.fsPath, file.fsPath);
		return !path.isAbsolute(relative) && relative.split(path.sep)[0] !== '..';
	};
	return vscode.workspace.workspaceFolders
		?.filter((folder) => folder.uri.scheme === 'file' && contains(folder))
		.sort((a, b) => a.uri.fsPath.length - b.uri.fsPath.length)[0];
}

/** Returns the nearest directory with a go.work or go.mod file, from a directory upward. */
function moduleDirectory(directory) {
	if (['go.work', 'go.mod'].some((name) => fs.existsSync(path.join(directory, name)))) return directory;
	const parent = path.dirname(directory);
	return parent === directory ? undefined : moduleDirectory(parent);
}

/** Shows the tool at a location of the protocol. It is the command of a code lens above a Go function. */
function openTool({ uri, range: { start, end } }) {
	const selection = new vscode.Range(start.line, start.character, end.line, end.character);
	return vscode.window.showTextDocument(vscode.Uri.parse(uri), { selection });
}

/** Lets the server of a Go file add an import to it. It is the command of completion items, with the argument of the server. */
function addImport(argument) {
	const server = servers.get(rootOf(vscode.Uri.parse(argument.uri)));
	return server?.client?.sendRequest('workspace/executeCommand', { command: 'aiongen.addImport', arguments: [argument] });
}

/** A ToolMissingError reports that neither a module nor PATH has the command. Its message is for the user. */
class ToolMissingError extends Error {}

/**
 * A client that does not register the server's commands, which would fail for the server of a second
 * folder. The extension registers them once.
 */
class Client extends LanguageClient {
	registerFeature(feature) {
		if (feature.registrationType?.method !== 'workspace/executeCommand') super.registerFeature(feature);
	}
}

/** The language server of a folder, with its client and status. */
class FolderServer {
	/**
	 * @param {string} root the folder
	 * @param {string} directory the directory of an .aion file in the folder
	 */
	constructor(root, directory) {
		this.root = root;
		// The module of the file may be another one than that of the folder. Either may have the tool.
		this.modules = [...new Set([root, directory].map(moduleDirectory).filter(Boolean))];
		this.directory = this.modules[0] ?? root; // in which the command runs
		this.status = vscode.languages.createLanguageStatusItem('aiongen ' + root, { language: 'aion', pattern: this.within('**/*') });
		this.status.name = 'aiongen';
		this.watcher = vscode.workspace.createFileSystemWatcher(this.within('**/{*.aion,*.go,go.mod,go.sum,go.work}'));
		this.started = this.startClient().catch((error) => {
			this.report(error); // waits for an answer
		});
	}

	within(pattern) {
		return new vscode.RelativePattern(vscode.Uri.file(this.root), pattern);
	}

	async dispose() {
		this.disposed = true;
		this.status.dispose();
		this.watcher.dispose();
		await this.started; // a client that is starting cannot be stopped
		if (this.client?.state === State.Running) await this.client.dispose();
	}

	async startClient() {
		this.show('aiongen is starting', undefined, true);
		const [command, ...args] = await this.findCommand();
		if (this.disposed) return;
		output.info(`${[command, ...args].join(' ')} (in ${this.directory})`);
		const settings = vscode.workspace.getConfiguration('aiongen', vscode.Uri.file(this.root));
		this.client = new Client(
			'aiongen',
			'aiongen',
			{ command, args, options: { cwd: this.directory } },
			{
				documentSelector: ['aion', 'go'].map((language) => ({ scheme: 'file', language, pattern: this.within('**/*') })),
				workspaceFolder: { uri: vscode.Uri.file(this.root), name: path.basename(this.root), index: 0 },
				initializationOptions: { tags: settings.get('tags'), lint: settings.get('lint') },
				synchronize: { fileEvents: this.watcher },
				outputChannel: output,
			},
		);
		this.client.onDidChangeState(({ newState }) => this.showState(newState));
		await this.client.start();
	}

	/** Returns the command that starts the server, or throws an error. */
	async findCommand() {
		const configured = vscode.workspace.getConfiguration('aiongen', vscode.Uri.file(this.root)).get('command');
		if (configured.length > 0) return configured;
		for (this.directory of this.modules) {
			if (await this.hasTool()) return ['go', 'tool', 'aiongen', 'lsp'];
		}
		try {
			await execute('aiongen', ['version'], { cwd: this.root });
			return ['aiongen', 'lsp'];
		} catch (error) {
			if (error.code !== 'ENOENT') throw error;
		}
		const reason = this.modules.length > 0
			? `The Go module in ${this.directory} does not have the tool aiongen`
			: `${this.root} is not in a Go module, and aiongen is not in PATH`;
		throw new ToolMissingError(`${reason}, so .aion files are not checked.`);
	}

	/** Reports whether the module has the tool, which it builds, so that the server starts at once and errors are seen. */
	async hasTool() {
		try {
			await execute('go', ['tool', '-n', 'aiongen'], { cwd: this.directory });
			return true;
		} catch (error) {
			output.info(`${error.message} (in ${this.directory})`);
			if (error.code === 'ENOENT') throw new ToolMissingError('The command go is not in the PATH of VS Code, so .aion files are not checked.');
			if (/no such tool/.test(error.stderr)) return false;
			throw error;
		}
	}

	/** Shows why the server cannot start, and offers what helps. */
	async report(error) {
		if (this.disposed) return;
		this.hasFailed = true;
		output.error(error.message);
		this.show('aiongen is not running', vscode.LanguageStatusSeverity.Error);
		if (!(error instanceof ToolMissingError)) {
			const choice = await vscode.window.showErrorMessage(`The language server of aiongen cannot start in ${this.root}: ${error.message}`, 'Show Output');
			if (choice) output.show();
			return;
		}
		const add = 'Add Tool to Module';
		const open = 'Open Documentation';
		const choice = await vscode.window.showWarningMessage(error.message, ...(this.modules.length > 0 ? [add] : []), open);
		if (choice === add) await this.addTool();
		if (choice === open) await vscode.env.openExternal(documentation);
	}

	/** Adds the tool to the module and starts the server. */
	async addTool() {
		const args = ['get', '-tool', toolPackage];
		const title = `go ${args.join(' ')}`;
		output.info(`${title} (in ${this.directory})`);
		this.isAddingTool = true;
		try {
			await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, () => execute('go', args, { cwd: this.directory }));
		} catch (error) {
			output.error(error.message);
			const choice = await vscode.window.showErrorMessage(error.message, 'Show Output');
			if (choice) output.show();
			return;
		} finally {
			this.isAddingTool = false;
		}
		await startFailedServers();
	}

	showState(state) {
		switch (state) {
			case State.Starting:
				return this.show('aiongen is starting', undefined, true);
			case State.Running:
				return this.show('aiongen ' + (this.client.initializeResult?.serverInfo?.version ?? ''));
			case State.Stopped:
				return this.show('aiongen is not running', vscode.LanguageStatusSeverity.Error);
		}
	}

	show(text, severity = vscode.LanguageStatusSeverity.Information, busy = false) {
		if (this.disposed) return;
		const failed = severity === vscode.LanguageStatusSeverity.Error;
		this.status.text = text;
		this.status.detail = this.directory;
		this.status.severity = severity;
		this.status.busy = busy;
		this.status.command = failed
			? { command: 'aiongen.showOutput', title: 'Show Output' }
			: { command: 'aiongen.restart', title: 'Restart' };
	}
}

module.exports = { activate, deactivate };
