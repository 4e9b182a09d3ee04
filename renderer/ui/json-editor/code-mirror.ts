/**
 * CodeMirror for JSON, loaded on use. It lives in a shadow root: there its styles are constructed
 * sheets, which the page's `style-src 'self'` allows, while in the document they would be <style> tags.
 */
import { autocompletion, type CompletionContext } from '@codemirror/autocomplete';
import { json } from '@codemirror/lang-json';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, linter, lintGutter } from '@codemirror/lint';
import { EditorState, Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { basicSetup } from 'codemirror';
import type { ValueProblem } from './json-problems.ts';
import { getRange, misfitRange } from './locate.ts';

export interface JsonEditorOptions {
  /** Its shadow root is made here. */
  host: HTMLElement;
  label: string;
  text: string;
  /** Offered while a name or word is typed. */
  words: readonly string[];
  onChange: (text: string) => void;
  /** Mod+Enter. */
  onSubmit: () => void;
  problemsIn: (text: string) => readonly ValueProblem[];
}

export interface MountedEditor {
  focus(): void;
  setText(text: string): void;
  destroy(): void;
}

export function mountJsonEditor(options: JsonEditorOptions): MountedEditor {
  const root = options.host.shadowRoot ?? options.host.attachShadow({ mode: 'open' });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({ doc: options.text, extensions: getExtensions(options) }),
  });
  return {
    focus: () => view.focus(),
    setText(text) {
      if (text === view.state.doc.toString()) return;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    destroy: () => view.destroy(),
  };
}

function getExtensions({ label, words, onChange, onSubmit, problemsIn }: JsonEditorOptions) {
  return [
    Prec.highest(
      keymap.of([
        {
          key: 'Mod-Enter',
          run: () => {
            onSubmit();
            return true;
          },
        },
      ]),
    ),
    basicSetup,
    json(),
    EditorState.tabSize.of(2),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      'aria-label': label,
      spellcheck: 'false',
      tabindex: '0',
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange(update.state.doc.toString());
    }),
    lintGutter(),
    linter(({ state }) => getDiagnostics(state, problemsIn(state.doc.toString())), { delay: 250 }),
    autocompletion({ override: [(context) => complete(context, words)] }),
    syntaxHighlighting(colors),
    theme,
  ];
}

function getDiagnostics(state: EditorState, problems: readonly ValueProblem[]): Diagnostic[] {
  return problems.map(({ path, message, severity }) => {
    const isMisfit = path.length === 0 && message.startsWith('Line ');
    return { ...(isMisfit ? misfitRange(state) : getRange(state, path)), message, severity };
  });
}

function complete(context: CompletionContext, words: readonly string[]) {
  const typed = context.matchBefore(/"[\w$]*/);
  if (typed === null) return null;
  const closes = context.state.sliceDoc(context.pos, context.pos + 1) === '"';
  return {
    from: typed.from + 1,
    to: context.pos,
    options: words.map((label) => ({ label, apply: closes ? label : `${label}"` })),
    validFor: /^[\w$]*$/,
  };
}

const colors = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--info)' },
  { tag: tags.string, color: 'var(--success)' },
  { tag: tags.number, color: 'var(--warning)' },
  { tag: [tags.bool, tags.null], color: 'var(--accent)' },
  { tag: [tags.separator, tags.squareBracket, tags.brace], color: 'var(--muted)' },
]);

const theme = EditorView.theme({
  '&': {
    minHeight: 'var(--editor-min-height, 160px)',
    maxHeight: 'var(--editor-max-height, 420px)',
    backgroundColor: 'var(--code)',
    color: 'var(--text)',
    border: '1px solid var(--control-border)',
    borderRadius: 'var(--radius-control)',
    overflow: 'hidden',
  },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-1px' },
  '.cm-scroller': { font: 'var(--type-mono-12)', lineHeight: '18px', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--text)', minHeight: 'var(--editor-min-height, 160px)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': {
    backgroundColor: 'transparent',
    color: 'var(--subtle)',
    borderRight: '1px solid var(--border)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { backgroundColor: 'var(--selected)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--selected)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--selected)', color: 'inherit' },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--hover)',
    border: '1px solid var(--border)',
    color: 'var(--muted)',
  },
  '.cm-tooltip, .cm-panels': {
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    border: '1px solid var(--border)',
    font: 'var(--type-12)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--accent-fill)',
    color: 'var(--on-accent)',
  },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--danger)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warning)' },
});
