/** Runs CodeMirror in a shadow root because the page's CSP blocks the <style> tags it injects. */
import { autocompletion, type CompletionContext } from '@codemirror/autocomplete';
import { json } from '@codemirror/lang-json';
import {
  ensureSyntaxTree,
  HighlightStyle,
  syntaxHighlighting,
  syntaxTree,
} from '@codemirror/language';
import { type Diagnostic, linter, lintGutter } from '@codemirror/lint';
import { EditorState, Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { basicSetup } from 'codemirror';
import { findJsonProblem } from '../../lib/format-json-error.ts';
import { completeHints } from './hint-extensions.ts';
import type { JsonHint } from './json-hints.ts';
import type { ValueProblem } from './json-problems.ts';
import { type LockedItems, lock, lockItems, unlocked } from './locked-items.ts';

export interface JsonEditorOptions {
  host: HTMLElement;
  label: string;
  text: string;
  /** Completions for a property name or string value. */
  words: readonly string[];
  /** Describes the fields by their path; replaces `words`. */
  hint: JsonHint | null;
  onChange: (text: string) => void;
  /** Called on Mod+Enter. */
  onSubmit: () => void;
  onBlur: () => void;
  problemsIn: (text: string) => readonly ValueProblem[];
}

export interface MountedEditor {
  focus(): void;
  /** Replaces only the difference, so that the cursor and scroll position stay. */
  setText(text: string): void;
  lock(items: LockedItems | null): void;
  /** Moves the cursor and the focus to the value, or to the nearest one that exists. */
  show(path: ValueProblem['path']): void;
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
      const change = findChange(view.state.doc.toString(), text);
      if (change !== null) view.dispatch({ changes: change, annotations: unlocked.of(true) });
    },
    lock: (items) => lock(view, items),
    show(path) {
      const { from } = getRange(view.state, path);
      const effects = EditorView.scrollIntoView(from, { y: 'center' });
      view.dispatch({ selection: { anchor: from }, effects });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}

function getExtensions(options: JsonEditorOptions) {
  const { label, words, hint, onChange, onSubmit, onBlur, problemsIn } = options;
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
    EditorState.phrases.of(searchPhrases),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      'aria-label': label,
      spellcheck: 'false',
      tabindex: '0',
    }),
    EditorView.updateListener.of((update) => {
      const isOurs = update.transactions.every((one) => one.annotation(unlocked) === true);
      if (update.docChanged && !isOurs) onChange(update.state.doc.toString());
    }),
    EditorView.domEventHandlers({ blur: onBlur, beforeinput: replaceSelection }),
    lintGutter(),
    linter(({ state }) => getDiagnostics(state, problemsIn(state.doc.toString())), { delay: 250 }),
    hint === null
      ? autocompletion({ override: [(context) => complete(context, words)] })
      : completeHints(hint),
    lockItems(),
    syntaxHighlighting(colors),
    theme,
  ];
}

/**
 * Types over a selection without the browser, which would keep the look of the deleted text in an
 * inline style that the page's CSP blocks.
 */
function replaceSelection(event: InputEvent, view: EditorView): boolean {
  const { data, inputType, isComposing } = event;
  // `getTargetRanges` is empty in a shadow root.
  const shadowRoots = view.root instanceof ShadowRoot ? [view.root] : [];
  const [range] = getSelection()?.getComposedRanges?.({ shadowRoots }) ?? [];
  const isTyped = inputType === 'insertText' && data !== null && !isComposing;
  if (!isTyped || range === undefined || view.state.selection.ranges.length > 1) return false;
  // The editor learns of a selection later than the browser.
  const from = view.posAtDOM(range.startContainer, range.startOffset);
  const to = view.posAtDOM(range.endContainer, range.endOffset);
  if (from === to) return false;
  const insert = () =>
    view.state.update({
      changes: { from, to, insert: data },
      selection: { anchor: from + data.length },
      scrollIntoView: true,
      userEvent: 'input.type',
    });
  const handlers = view.state.facet(EditorView.inputHandler);
  if (!handlers.some((handle) => handle(view, from, to, data, insert))) view.dispatch(insert());
  return true;
}

/** Returns null if the texts are equal. */
function findChange(one: string, other: string) {
  if (one === other) return null;
  const shorter = Math.min(one.length, other.length);
  let from = 0;
  while (from < shorter && one[from] === other[from]) from += 1;
  let same = 0;
  while (same < shorter - from && one.at(-1 - same) === other.at(-1 - same)) same += 1;
  return { from, to: one.length - same, insert: other.slice(from, other.length - same) };
}

function getDiagnostics(state: EditorState, problems: readonly ValueProblem[]): Diagnostic[] {
  return problems.map(({ path, message, severity }) => {
    const isMisfit = path.length === 0 && message.startsWith('Line ');
    return { ...(isMisfit ? findMisfitRange(state) : getRange(state, path)), message, severity };
  });
}

const searchPhrases = {
  next: 'Next',
  previous: 'Previous',
  all: 'Select all',
  'match case': 'Match case',
  regexp: 'Regex',
  'by word': 'Whole words',
  replace: 'Replace',
  'replace all': 'Replace all',
  close: 'Close',
};

type Range = { from: number; to: number };
type SyntaxNode = ReturnType<typeof syntaxTree>['topNode'];

const VALUES = new Set(['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null']);
const PARSE_MS = 100;

/** Returns the range of the deepest existing value on the path, or of a property's name. */
function getRange(state: EditorState, path: ValueProblem['path']): Range {
  const tree = ensureSyntaxTree(state, state.doc.length, PARSE_MS) ?? syntaxTree(state);
  let node: SyntaxNode | null = tree.topNode.firstChild;
  let range: Range = getFirstLine(state);
  for (const step of path) {
    if (node === null) return range;
    if (typeof step === 'number') {
      const item: SyntaxNode | undefined = listValues(node)[step];
      if (item === undefined) return range;
      node = item;
      range = item;
    } else {
      const property = getProperty(state, node, step);
      if (property === null) return range;
      range = property.firstChild ?? property;
      node = property.lastChild;
    }
  }
  return { from: range.from, to: range.to };
}

/** Returns the range of the first syntax error. */
function findMisfitRange(state: EditorState): Range {
  const problem = findJsonProblem(state.doc.toString());
  if (problem === null || problem.line > state.doc.lines) return getFirstLine(state);
  const line = state.doc.line(problem.line);
  const from = Math.min(line.from + problem.column - 1, line.to);
  return { from, to: Math.min(from + 1, state.doc.length) };
}

function listValues(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (VALUES.has(child.name)) found.push(child);
  }
  return found;
}

function getProperty(state: EditorState, node: SyntaxNode, name: string): SyntaxNode | null {
  for (const property of node.getChildren('Property')) {
    const key = property.firstChild;
    if (key !== null && state.sliceDoc(key.from, key.to) === JSON.stringify(name)) return property;
  }
  return null;
}

function getFirstLine(state: EditorState): Range {
  const { from, to } = state.doc.line(1);
  return { from, to };
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
  // The parser may not have reached the other bracket yet; errors are marked anyway.
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--selected)', color: 'inherit' },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--hover)',
    border: '1px solid var(--border)',
    color: 'var(--muted)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    border: '1px solid var(--border)',
    borderRadius: 'var(--radius-control)',
    boxShadow: 'var(--shadow-overlay)',
    font: 'var(--type-12)',
  },
  '.cm-tooltip-autocomplete': { overflow: 'hidden' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '4px 8px', lineHeight: '16px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--selected)',
    color: 'var(--text)',
  },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--text)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--border)' },
  '.cm-panel.cm-search': {
    padding: 'var(--space-6) var(--space-32) var(--space-6) var(--space-8)',
    font: 'var(--type-12)',
    '& label': { display: 'inline-flex', alignItems: 'center', font: 'var(--type-12)' },
    '& [name=close]': { top: '6px', right: '6px', width: '24px', height: '24px', color: 'inherit' },
  },
  '.cm-textfield, .cm-button': {
    minHeight: '24px',
    padding: '0 var(--space-8)',
    border: '1px solid var(--control-border)',
    borderRadius: 'var(--radius-chip)',
    font: 'var(--type-12)',
  },
  '.cm-textfield': { backgroundColor: 'var(--field)' },
  '.cm-button': { background: 'var(--surface)' },
  '.cm-button:hover, .cm-button:active': { background: 'var(--hover)' },
  '.cm-panels input:focus-visible, .cm-panels button:focus-visible': {
    outline: '2px solid var(--focus)',
    outlineOffset: '1px',
  },
  '.cm-searchMatch': { backgroundColor: 'color-mix(in oklab, var(--warning) 25%, transparent)' },
  '.cm-searchMatch.cm-searchMatch-selected': {
    backgroundColor: 'color-mix(in oklab, var(--warning) 50%, transparent)',
  },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--danger)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warning)' },
});
