;;; Rulesheets in GDL: `tabia lsp' by eglot.  -*- lexical-binding: t -*-
(define-derived-mode gdl-mode lisp-data-mode "GDL"
  "Rules of games in the Game Description Language.")
(add-to-list 'auto-mode-alist '("\\.\\(kif\\|gdl\\)\\'" . gdl-mode))
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(gdl-mode . ("tabia" "lsp"))))
(add-hook 'gdl-mode-hook #'eglot-ensure)
