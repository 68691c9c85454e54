// The client of `tabia lsp`, a task that checks the open file, and three commands that show a text.
const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

const settings = () => vscode.workspace.getConfiguration('tabia');

async function show(command) {
  const editor = vscode.window.activeTextEditor;
  if (!editor || !client) return;
  const content = await client.sendRequest('workspace/executeCommand',
    { command, arguments: [client.code2ProtocolConverter.asUri(editor.document.uri)] });
  const shown = await vscode.workspace.openTextDocument({ content: content || '' });
  await vscode.window.showTextDocument(shown, vscode.ViewColumn.Beside);
}

function checkTask() {
  const run = new vscode.ShellExecution(settings().get('path'), ['check', '${file}']);
  return new vscode.Task({ type: 'tabia' }, vscode.TaskScope.Workspace, 'check', 'tabia', run, '$tabia');
}

exports.activate = (context) => {
  const run = { command: settings().get('path'), args: ['lsp'] };
  client = new LanguageClient('tabia', 'Tabia', { run, debug: run }, {
    documentSelector: [{ language: 'gdl' }],
    initializationOptions: { warnings: settings().get('warnings') },
    synchronize: { configurationSection: 'tabia' },
    // The lenses name a command of the server; here it is shown.
    middleware: { executeCommand: (command) => show(command) },
  });
  const commands = { showReport: 'tabia.report', showProofs: 'tabia.prove', showBoard: 'tabia.board' };
  for (const [name, command] of Object.entries(commands))
    context.subscriptions.push(vscode.commands.registerCommand('tabia.' + name, () => show(command)));
  context.subscriptions.push(vscode.tasks.registerTaskProvider('tabia',
    { provideTasks: () => [checkTask()], resolveTask: () => undefined }));
  return client.start();
};

exports.deactivate = () => client && client.stop();
