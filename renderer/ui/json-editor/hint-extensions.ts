/** Completes names and values in CodeMirror, and explains names on hover. */
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  pickedCompletion,
  startCompletion,
} from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { EditorView, hoverTooltip } from '@codemirror/view';
import type { JsonValue } from '../../../shared/json.ts';
import { parseJson } from '../../../shared/parse-json.ts';
import { findHint, type HintPath, type JsonHint } from './json-hints.ts';

type SyntaxNode = ReturnType<typeof syntaxTree>['topNode'];

export function completeHints(hint: JsonHint) {
  return [
    autocompletion({ override: [(context) => complete(context, hint)], icons: false }),
    hoverTooltip((view, pos) => explain(view.state, pos, hint)),
    hintTheme,
  ];
}

interface Place {
  path: HintPath;
  /** True for a property name, false for a value. */
  isName: boolean;
  /** The names that the object already has. */
  taken: ReadonlySet<string>;
}

function complete(context: CompletionContext, root: JsonHint): CompletionResult | null {
  const { state, pos, explicit } = context;
  const quoted = context.matchBefore(/"[\w$.:/-]*/);
  const word = quoted ?? context.matchBefore(/[\w.-]+/);
  if (word === null && !explicit) return null;
  const place = findPlace(state, pos);
  const hint = place === null ? null : findHint(root, place.path);
  if (place === null || hint === null) return null;
  const options = place.isName
    ? Object.entries(hint.properties)
        .filter(([name]) => !place.taken.has(name))
        .map(([name, property]) => nameOption(name, property, quoted !== null))
    : hint.values
        .filter((value) => quoted === null || typeof value === 'string')
        .map((value) => createValueOption(value, quoted !== null));
  // The typed quote isn't part of the labels, because it would count as a match.
  const from = quoted === null ? (word?.from ?? pos) : quoted.from + 1;
  return { from, options, validFor: /^[\w$.:/-]*$/ };
}

function nameOption(name: string, hint: JsonHint, isQuoted: boolean): Completion {
  return {
    label: name,
    apply: (view, option, from, to) => {
      const range = getWord(view.state, from, to, isQuoted);
      const rest = view.state.sliceDoc(range.to, range.to + 200);
      const colon = /^\s*:/.test(rest) ? '' : ': ';
      const comma = colon !== '' && /^\s*"/.test(rest) ? ',' : '';
      const insert = `${JSON.stringify(name)}${colon}`;
      pick(view, option, { ...range, insert: insert + comma }, range.from + insert.length);
      if (colon !== '' && hint.values.length > 0) startCompletion(view);
    },
    ...(hint.title !== '' && { detail: hint.title }),
    ...(hint.description !== '' && { info: hint.description }),
  };
}

function createValueOption(value: JsonValue, isQuoted: boolean): Completion {
  const insert = JSON.stringify(value);
  return {
    label: typeof value === 'string' ? value : insert,
    displayLabel: insert,
    apply: (view, option, from, to) => {
      const range = getWord(view.state, from, to, isQuoted);
      pick(view, option, { ...range, insert }, range.from + insert.length);
    },
  };
}

/** Includes the quotes, and the rest of the word that the caret is in. */
function getWord(state: EditorState, from: number, to: number, isQuoted: boolean) {
  if (!isQuoted) return { from, to };
  const [rest = ''] = /^[\w$.:/-]*"?/.exec(state.sliceDoc(to, to + 200)) ?? [];
  return { from: from - 1, to: rest.endsWith('"') ? to + rest.length : to };
}

function pick(
  view: EditorView,
  option: Completion,
  changes: { from: number; to: number; insert: string },
  anchor: number,
): void {
  view.dispatch({
    changes,
    selection: { anchor },
    scrollIntoView: true,
    userEvent: 'input.complete',
    annotations: pickedCompletion.of(option),
  });
}

/** Returns null if the position is outside of the value. */
function findPlace(state: EditorState, pos: number): Place | null {
  const node = syntaxTree(state).resolveInner(pos, -1);
  const property = findClosest(node, 'Property');
  const name = property?.firstChild ?? null;
  const isInName = name !== null && pos <= name.to && pos > name.from;
  const isAfterName = name !== null && pos > name.to && isOwnValue(node, property);
  if (property !== null && (isInName || isAfterName)) {
    const path = getPath(state, property.parent);
    if (isAfterName) return { path: [...path, getName(state, name)], isName: false, taken: none };
    return { path, isName: true, taken: getNames(state, property.parent, property) };
  }
  const holder = findClosest(node, 'Object', 'Array');
  if (holder === null) return null;
  if (holder.name === 'Array') {
    return { path: [...getPath(state, holder), null], isName: false, taken: none };
  }
  return { path: getPath(state, holder), isName: true, taken: getNames(state, holder, null) };
}

const none: ReadonlySet<string> = new Set();

/** Returns true if no object or list lies between the node and the property. */
function isOwnValue(node: SyntaxNode, property: SyntaxNode | null): boolean {
  const holder = findClosest(node, 'Object', 'Array', 'Property');
  return holder !== null && property !== null && holder.from === property.from;
}

function findClosest(node: SyntaxNode, ...names: string[]): SyntaxNode | null {
  let found: SyntaxNode | null = node;
  while (found !== null && !names.includes(found.name)) found = found.parent;
  return found;
}

function getPath(state: EditorState, holder: SyntaxNode | null): HintPath {
  const path: (string | null)[] = [];
  for (let node = holder; node !== null; node = node.parent) {
    const { parent } = node;
    if (parent?.name === 'Array') path.unshift(null);
    if (parent?.name === 'Property') path.unshift(getName(state, parent.firstChild));
  }
  return path;
}

function getName(state: EditorState, node: SyntaxNode | null): string {
  const name = node === null ? undefined : parseJson(state.sliceDoc(node.from, node.to));
  return typeof name === 'string' ? name : '';
}

function getNames(
  state: EditorState,
  object: SyntaxNode | null,
  except: SyntaxNode | null,
): Set<string> {
  const properties = object?.getChildren('Property') ?? [];
  const others = properties.filter(({ from }) => from !== except?.from);
  return new Set(others.map((property) => getName(state, property.firstChild)));
}

function explain(state: EditorState, pos: number, root: JsonHint) {
  const node = syntaxTree(state).resolveInner(pos, 1);
  const property = node.name === 'PropertyName' ? node.parent : null;
  if (property === null) return null;
  const hint = findHint(root, [...getPath(state, property.parent), getName(state, node)]);
  if (hint === null || (hint.title === '' && hint.description === '')) return null;
  return { pos: node.from, end: node.to, above: true, create: () => ({ dom: describe(hint) }) };
}

function describe({ title, description, values }: JsonHint): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'cm-hint';
  const add = (tag: 'strong' | 'p', text: string) => {
    const element = document.createElement(tag);
    element.textContent = text;
    if (text !== '') dom.append(element);
  };
  add('strong', title);
  add('p', description);
  const words = values.slice(0, MAX_VALUES).map((value) => JSON.stringify(value));
  if (words.length > 0)
    add('p', `Values: ${words.join(', ')}${values.length > MAX_VALUES ? ' …' : ''}`);
  return dom;
}

const MAX_VALUES = 10;

const hintTheme = EditorView.theme({
  '.cm-hint': { maxWidth: '360px', padding: 'var(--space-6) var(--space-8)' },
  '.cm-hint p': { margin: '2px 0 0', color: 'var(--muted)' },
  '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal' },
  '.cm-tooltip.cm-completionInfo': { padding: 'var(--space-6) var(--space-8)', maxWidth: '300px' },
});
