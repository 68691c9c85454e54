// A client made of vscode-languageserver-protocol talks to `tabia lsp` and checks its answers.
// Prints "ok NAME" or "not ok NAME" for each case.
const { spawn } = require('child_process');
const rpc = require('vscode-languageserver-protocol/node');

const faulty = '; a game\n(role x)\n(init (cell 1 b))\n(<= (legal x (mark ?n)) (true (cell ?n b)))\n' +
  '(<= full (not open))\n(<= open (true (cell ?n b)))\n(<= (next (cell ?n x)) (does x (mark ?n)))\n' +
  '(<= terminal fulll)\n(<= (goal x 100) full)\n(<= (goal x 0) open)\n';
const uri = 'file:///game.kif';
const textDocument = { uri };
const at = (line, character) => ({ textDocument, position: { line, character } });
const whole = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
const check = (name, holds) => console.log((holds ? 'ok ' : 'not ok ') + name);

async function session(capabilities, act) {
  const server = spawn(process.env.TABIA, ['lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const client = rpc.createProtocolConnection(new rpc.StreamMessageReader(server.stdout),
    new rpc.StreamMessageWriter(server.stdin));
  client.listen();
  const begun = await client.sendRequest(rpc.InitializeRequest.type,
    { processId: process.pid, rootUri: null, capabilities });
  await client.sendNotification(rpc.InitializedNotification.type, {});
  await act(client, begun);
  await client.sendRequest(rpc.ShutdownRequest.type);
  const ended = new Promise((done) => server.on('exit', done));
  await client.sendNotification(rpc.ExitNotification.type);
  return ended;
}

const open = (client, text) => client.sendNotification(rpc.DidOpenTextDocumentNotification.type,
  { textDocument: { uri, languageId: 'gdl', version: 1, text } });

async function pushed(client) {
  const news = new Promise((done) =>
    client.onNotification(rpc.PublishDiagnosticsNotification.type, done));
  await open(client, faulty);
  const told = await news;
  check('diagnostics are pushed with code, place and version',
    told.version === 1 && told.diagnostics.length === 1 && told.diagnostics[0].code === 'W304' &&
    told.diagnostics[0].range.start.line === 7 && told.diagnostics[0].range.start.character === 13);
  const fixes = await client.sendRequest(rpc.CodeActionRequest.type, { textDocument,
    range: told.diagnostics[0].range, context: { diagnostics: told.diagnostics } });
  check('a quick fix writes the name that was meant',
    fixes.length === 1 && fixes[0].edit.changes[uri][0].newText === 'full');
}

async function pulled(client, begun) {
  check('UTF-8 is agreed upon', begun.capabilities.positionEncoding === 'utf-8');
  await open(client, faulty);
  const full = await client.sendRequest(rpc.DocumentDiagnosticRequest.type, { textDocument });
  check('diagnostics can be asked for', full.kind === 'full' && full.items.length === 1);
  const same = await client.sendRequest(rpc.DocumentDiagnosticRequest.type,
    { textDocument, previousResultId: full.resultId });
  check('the same text has the same diagnostics', same.kind === 'unchanged');
  const hints = await client.sendRequest(rpc.InlayHintRequest.type, { textDocument, range: whole });
  check('inlay hints tell values', hints.some((h) => h.label.includes('1')));
  const tokens = await client.sendRequest(rpc.SemanticTokensRequest.type, { textDocument });
  check('semantic tokens come by fives', tokens.data.length > 0 && tokens.data.length % 5 === 0);
  const hover = await client.sendRequest(rpc.HoverRequest.type, at(3, 32));
  check('hover tells the values of arguments', hover.contents.value.includes('argument 2: x, b'));
  const items = await client.sendRequest(rpc.CompletionRequest.type, at(3, 39));
  check('completion offers values', items.items.some((i) => i.label === 'b'));
  const edits = await client.sendRequest(rpc.RenameRequest.type, { ...at(4, 5), newName: 'crowded' });
  check('rename finds every place', edits.changes[uri].length === 2);
  const refused = await client.sendRequest(rpc.RenameRequest.type, { ...at(4, 5), newName: 'open' })
    .then(() => false, (e) => e.code === -32803);
  check('a rename that would capture is refused', refused);
  const lenses = await client.sendRequest(rpc.CodeLensRequest.type, { textDocument });
  const lens = await client.sendRequest(rpc.CodeLensResolveRequest.type,
    lenses.find((l) => l.data.name === 'legal'));
  check('a lens tells whether the game is playable', lens.command.title.startsWith('playable: '));
  const [item] = await client.sendRequest(rpc.CallHierarchyPrepareRequest.type, at(4, 5));
  const calls = await client.sendRequest(rpc.CallHierarchyOutgoingCallsRequest.type, { item });
  check('the hierarchy tells what a relation depends on', calls.length === 1 && calls[0].to.name === 'open');
  const board = await client.sendRequest(rpc.ExecuteCommandRequest.type,
    { command: 'tabia.board', arguments: [uri] });
  check('a command draws the board', typeof board === 'string' && board.length > 0);
  const cancel = new rpc.CancellationTokenSource();
  const proof = client.sendRequest(rpc.ExecuteCommandRequest.type,
    { command: 'tabia.prove', arguments: [uri] }, cancel.token).then(() => true, (e) => e.code === -32800);
  cancel.cancel();
  check('a cancelled request is answered', await proof);
}

(async () => {
  check('the server ends with status 0', await session({}, pushed) === 0);
  await session({ general: { positionEncodings: ['utf-8', 'utf-16'] },
    textDocument: { diagnostic: {} } }, pulled);
  process.exit(0);
})().catch((e) => { console.log('not ok ' + e); process.exit(1); });
