// Small parts that views are made of.

import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Work } from "../state/state";

interface ButtonProps {
  children: ComponentChildren;
  onClick: () => void;
  kind?: "primary" | "quiet" | "usual";
  disabled?: boolean;
  title?: string;
  label?: string;
  pressed?: boolean;
}

export function Button({ children, onClick, kind = "usual", disabled = false, title, label, pressed }: ButtonProps): VNode {
  return (
    <button type="button" class={`button ${kind}`} onClick={onClick} disabled={disabled} title={title} aria-label={label} aria-pressed={pressed}>
      {children}
    </button>
  );
}

interface SwitchProps {
  label: string;
  hint?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function Switch({ label, hint, checked, onChange }: SwitchProps): VNode {
  return (
    <label class="switch" title={hint}>
      <input type="checkbox" role="switch" checked={checked} onChange={(e) => onChange(e.currentTarget.checked)} />
      <span class="track" aria-hidden="true" />
      <span>{label}</span>
    </label>
  );
}

interface SelectProps<T extends string> {
  label: string;
  value: T;
  options: readonly (readonly [T, string])[];
  onChange: (value: T) => void;
  hideLabel?: boolean;
}

export function Select<T extends string>({ label, value, options, onChange, hideLabel = false }: SelectProps<T>): VNode {
  return (
    <label class="field">
      <span class={hideLabel ? "hidden" : "name"}>{label}</span>
      <select value={value} onChange={(e) => onChange(e.currentTarget.value as T)}>
        {options.map(([v, text]) => (
          <option value={v} selected={v === value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

interface EntryProps {
  value: string | number;
  onEnter: (words: string) => void;
  class?: string;
  label?: string;
  number?: { least: number; most: number };
}

// What is written is taken when it is whole: when the focus leaves, or with Enter.
export function Entry({ value, onEnter, class: name, label, number }: EntryProps): VNode {
  const [draft, setDraft] = useState<string | null>(null);
  const enter = (): void => {
    if (draft !== null) onEnter(draft);
    setDraft(null);
  };
  const bounds = number ? { type: "number", min: number.least, max: number.most, step: "any" } : {};
  return (
    <input
      {...bounds}
      class={name}
      spellcheck={false}
      aria-label={label}
      value={draft ?? String(value)}
      onInput={(e) => setDraft(e.currentTarget.value)}
      onBlur={enter}
      onKeyDown={(e) => e.key === "Enter" && enter()}
    />
  );
}

interface FileButtonProps {
  children: ComponentChildren;
  accept?: string;
  onFile: (file: File) => void;
}

export function FileButton({ children, accept, onFile }: FileButtonProps): VNode {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button onClick={() => input.current?.click()}>{children}</Button>
      <input
        ref={input}
        type="file"
        class="hidden"
        tabIndex={-1}
        aria-hidden="true"
        accept={accept}
        onChange={(e) => {
          const file = e.currentTarget.files?.[0];
          if (file) onFile(file);
          e.currentTarget.value = "";
        }}
      />
    </>
  );
}

interface DialogProps {
  title: string;
  onClose: () => void;
  notice: { text: string; serial: number }; // to everyone; what is said while the dialog is open stands in it, too
  children: ComponentChildren;
}

// What has the focus, also within a shadow tree, as the editor is.
function focused(): Element | null {
  let found = document.activeElement;
  while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement;
  return found;
}

export function Dialog({ title, onClose, notice, children }: DialogProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const before = useRef(notice.serial);
  useEffect(() => {
    const last = focused();
    dialog.current?.showModal();
    // A dialog that is taken out of the page gives the focus to nobody.
    return () => queueMicrotask(() => last instanceof HTMLElement && last.focus());
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby="dialog-title" onClose={onClose} onCancel={onClose}>
      <header>
        <h2 id="dialog-title">{title}</h2>
        <Button kind="quiet" label="Close" onClick={onClose}>
          ✕
        </Button>
      </header>
      <div class="dialog-body">
        {children}
        <p class="said" role="status">
          {notice.serial === before.current ? "" : notice.text}
        </p>
      </div>
    </dialog>
  );
}

// Work under way: how long it has taken, what it says of itself, and a way to stop it.
export function Running({ work, onStop }: { work: Work<unknown>; onStop: () => void }): VNode | null {
  const [, tick] = useState(0);
  const running = work.is === "running";
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => tick((n) => n + 1), 250);
    return () => clearInterval(timer);
  }, [running]);
  if (work.is !== "running") return null;
  return (
    <span class="running">
      <progress aria-label="under way" />
      <span class="seconds">{((performance.now() - work.since) / 1000).toFixed(1)} s</span>
      {work.progress && <span class="progress-text">{work.progress}</span>}
      <Button kind="quiet" onClick={onStop}>
        Stop
      </Button>
    </span>
  );
}

export function Failed({ work }: { work: Work<unknown> }): VNode | null {
  return work.is === "failed" ? <p class="failed">{work.message}</p> : null;
}

interface FoldProps {
  class: string;
  title: ComponentChildren;
  children: () => ComponentChildren;
}

// A part that is made when it is opened: long lists cost nothing while nobody looks.
export function Fold({ class: name, title, children }: FoldProps): VNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class={name} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children()}
    </details>
  );
}

export function Empty({ children }: { children: ComponentChildren }): VNode {
  return <div class="empty">{children}</div>;
}
