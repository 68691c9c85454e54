-- Rulesheets in GDL: colours by Lisp's rules, `tabia lsp` for the rest.
vim.api.nvim_create_autocmd({ 'BufRead', 'BufNewFile' }, {
  pattern = { '*.kif', '*.gdl' },
  callback = function(event)
    vim.bo[event.buf].filetype = 'gdl'
    vim.bo[event.buf].syntax = 'lisp'
    vim.bo[event.buf].commentstring = '; %s'
    local client = vim.lsp.start_client({ name = 'tabia', cmd = { 'tabia', 'lsp' }, root_dir = vim.fn.getcwd() })
    if client then vim.lsp.buf_attach_client(event.buf, client) end
  end,
})
