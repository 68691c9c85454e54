-- Neovim opens a faulty game, gets its diagnostics, applies the fix, renames and formats.
local function check(name, holds) print((holds and 'ok ' or 'not ok ') .. name .. '\n') end
local function text() return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n') end

local patience = 100000 -- milliseconds: only against waiting for ever
local id = vim.lsp.start_client({ cmd = { os.getenv('TABIA'), 'lsp' }, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(0, id)
check('diagnostics come', vim.wait(patience, function() return #vim.diagnostic.get(0) > 0 end))
local fault = vim.diagnostic.get(0)[1]
check('the diagnostic is at its place', fault and fault.lnum == 7 and fault.col == 13)

local range = { start = { line = 7, character = 14 }, ['end'] = { line = 7, character = 14 } }
local params = { textDocument = vim.lsp.util.make_text_document_params(), range = range,
  context = { diagnostics = {} } }
local answers = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', params, patience)
local action = answers and answers[id].result[1]
if action then vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16') end
check('the fix is applied', text():find('(<= terminal full)', 1, true) ~= nil)
check('the diagnostics go', vim.wait(patience, function() return #vim.diagnostic.get(0) == 0 end))

vim.api.nvim_win_set_cursor(0, { 5, 5 })
vim.lsp.buf.rename('crowded')
check('the relation is renamed', vim.wait(patience, function()
  return text():find('(<= terminal crowded)', 1, true) ~= nil and not text():find('full') end))

vim.api.nvim_buf_set_lines(0, 1, 2, false, { '(role    x)' })
vim.lsp.buf.formatting_sync(nil, patience)
check('the text is formatted', text():find('(role x)', 1, true) ~= nil)
vim.cmd('qa!')
