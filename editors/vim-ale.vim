" Rulesheets in GDL: `tabia lsp` by ALE.
autocmd BufRead,BufNewFile *.kif,*.gdl setfiletype gdl | set syntax=lisp
call ale#linter#Define('gdl', {'name': 'tabia', 'lsp': 'stdio', 'executable': 'tabia',
  \ 'command': '%e lsp', 'project_root': {buffer -> expand('#' . buffer . ':p:h')}})
