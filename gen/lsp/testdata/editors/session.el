;;; -*- lexical-binding: t -*-
;; A session in Emacs with eglot, as a person would have it. It writes to $TRANSCRIPT what the person
;; sees, and continues whenever what it waits for has happened.

(defun say (format &rest args)
  (write-region (concat (apply #'format format args) "\n") nil (getenv "TRANSCRIPT") t 'quiet))

(defvar limit 120 "Seconds that the session waits for one thing.")

(defun await (what condition)
  "Wait until CONDITION returns something, and return it."
  (let ((since (float-time)) value)
    (while (not (setq value (funcall condition)))
      (when (> (- (float-time) since) limit)
        (error "timeout: %s\ntext:\n%s\nmessages:\n%s\ndiagnostics: %s" what (buffer-string)
               (with-current-buffer "*Messages*" (buffer-string))
               (mapcar #'flymake-diagnostic-text (flymake-diagnostics))))
      (accept-process-output nil 0.02)
      (mapc #'timer-event-handler (copy-sequence timer-idle-list))) ; as if the person waits
    value))

(defun await-text (part)
  (await (concat "the text " part)
         (lambda () (save-excursion (goto-char (point-min)) (search-forward part nil t)))))

(defun await-diagnostics (count)
  (await (format "%d diagnostics" count)
         (lambda ()
           (let ((found (flymake-diagnostics)))
             (and flymake-mode (not eglot--recent-changes) (= (length found) count) (or found t))))))

(defun type-keys (keys) (execute-kbd-macro (kbd keys)))
(defun type-text (text) (execute-kbd-macro (string-to-vector text)))

(defun line (number)
  (save-excursion
    (goto-char (point-min))
    (forward-line (1- number))
    (string-trim (buffer-substring (line-beginning-position) (line-end-position)))))

(defun find-text (text)
  (goto-char (point-min))
  (search-forward text)
  (goto-char (match-beginning 0)))

(defun session ()
  (find-file "tools/notes.aion")
  (say "type: %s" (string-remove-suffix "-mode" (symbol-name major-mode)))
  (type-keys "C-a") ; eglot connects after a command
  (await "the server" (lambda () (and (eglot-current-server) eglot--managed-mode)))

  (goto-char (point-min))
  (forward-line 4)
  (end-of-line)
  (type-text "\n, {name --> \"find_notes\", function --> \"FindNots\" --> {arg-1 --> \"string (words)\", arg-2 --> \"int | default=10\"}}")
  (let ((ghost (car (await-diagnostics 1))))
    (say "line %d: %s" (line-number-at-pos (flymake-diagnostic-beg ghost))
         ;; Eglot adds the name of the server and the code.
         (string-remove-prefix "aiongen [ghost-tool]: " (car (split-string (flymake-diagnostic-text ghost) "\n")))))

  (find-text "FindNots")
  (type-keys "M-x eglot-code-actions RET RET")
  (await-text "\"FindNotes\"")
  (await-diagnostics 0)
  (say "line 6: %s" (line 6))

  (find-text "arg-2")
  (end-of-line)
  (type-text "\n, {name --> \"remove\", function --> \"store.Rem")
  (call-interactively (key-binding (kbd "C-M-i"))) ; typed keys would cancel the request
  (await-text "store.Remove")
  (type-text "\" --> {arg-1 --> \"string (which)\"}}")
  (say "line 7: %s" (line 7))
  (await-diagnostics 0)

  (find-text "store.Remove")
  (search-forward "Rem")
  (type-keys "M-.")
  (await "the Go file" (lambda () (equal (buffer-name (window-buffer)) "store.go")))
  (set-buffer "store.go")
  (say "definition: %s:%d: %s" (buffer-name) (line-number-at-pos) (line (line-number-at-pos)))

  (switch-to-buffer "notes.aion")
  (find-text "count\"")
  (type-keys "M-x eglot-rename RET count_notes RET")
  (await-text "\"count_notes\"")
  (say "line 3: %s" (line 3))
  (with-current-buffer "store.go"
    (await-text "\"count_notes\"")
    (find-text "var _")
    (say "annotation: %s" (line (line-number-at-pos))))

  (type-keys "M-x eglot-format-buffer RET")
  (await-text "\n    name --> \"remove\"")
  (await-diagnostics 0)
  (say "formatted:\n%s" (string-trim-right (buffer-string)))
  (save-some-buffers t)
  (eglot-shutdown (eglot-current-server)))

(run-with-timer
 0 nil
 (lambda ()
   (condition-case problem
       (progn (session) (say "end") (kill-emacs 0))
     (error (say "%s" (error-message-string problem)) (kill-emacs 1)))))
