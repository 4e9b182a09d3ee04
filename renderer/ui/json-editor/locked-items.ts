/** Keeps the user from editing some items of a list, which are marked. */
import { ensureSyntaxTree, foldEffect, syntaxTree } from '@codemirror/language';
import {
  Annotation,
  EditorState,
  type Extension,
  StateEffect,
  StateField,
  type Text,
} from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';

export interface LockedItems {
  /** The property with the list. */
  name: string;
  from: number;
  count: number;
}

const setLocked = StateEffect.define<LockedItems | null>();

/** Marks a change that the page makes, which may change locked items. */
export const unlocked = Annotation.define<boolean>();

interface Locked {
  items: LockedItems | null;
  /** Null if there are none. */
  range: { from: number; to: number } | null;
  marks: DecorationSet;
}

const nothingLocked: Locked = { items: null, range: null, marks: Decoration.none };
const PARSE_MS = 2000;

const lockedField = StateField.define<Locked>({
  create: () => nothingLocked,
  update(locked, transaction) {
    const { state, docChanged, effects, changes } = transaction;
    const effect = effects.find((one) => one.is(setLocked));
    const isReplaced = docChanged && transaction.annotation(unlocked) === true;
    if (effect === undefined && !docChanged) return locked;
    if (effect === undefined && !isReplaced) {
      const { range } = locked;
      if (range === null) return locked;
      const moved = { from: changes.mapPos(range.from, 1), to: changes.mapPos(range.to, -1) };
      return { ...locked, range: moved, marks: markLines(state.doc, moved) };
    }
    const items = effect === undefined ? locked.items : effect.value;
    const range = items === null ? null : findRange(state, items);
    return { items, range, marks: range === null ? Decoration.none : markLines(state.doc, range) };
  },
  provide: (field) => EditorView.decorations.from(field, ({ marks }) => marks),
});

export function lockItems(): Extension {
  return [
    lockedField,
    EditorState.changeFilter.of((transaction) => {
      const { range } = transaction.startState.field(lockedField);
      const isOurs = transaction.annotation(unlocked) === true;
      return range === null || isOurs ? true : [range.from, range.to];
    }),
    lockTheme,
  ];
}

/** Locks the items, and folds them so that they don't push the rest out of view. */
export function lock(view: EditorView, items: LockedItems | null): void {
  view.dispatch({ effects: setLocked.of(items) });
  const { range } = view.state.field(lockedField);
  if (range !== null) view.dispatch({ effects: foldEffect.of(range) });
}

/** Returns the range of the items, without the space around them. */
function findRange(state: EditorState, { name, from, count }: LockedItems): Locked['range'] {
  const tree = ensureSyntaxTree(state, state.doc.length, PARSE_MS) ?? syntaxTree(state);
  const object = tree.topNode.getChild('Object');
  const property = object
    ?.getChildren('Property')
    .find(
      ({ firstChild: key }) => key && state.sliceDoc(key.from, key.to) === JSON.stringify(name),
    );
  const list = property?.getChild('Array') ?? null;
  const items = [];
  for (let node = list?.firstChild ?? null; node !== null; node = node.nextSibling) {
    if (/^[A-Z]/.test(node.name)) items.push(node);
  }
  const first = items[from];
  const last = items[from + count - 1];
  return first === undefined || last === undefined ? null : { from: first.from, to: last.to };
}

const mark = Decoration.line({
  class: 'cm-locked',
  attributes: { title: 'Earlier messages are edited in the conversation.' },
});

function markLines(doc: Text, { from, to }: { from: number; to: number }): DecorationSet {
  const lines = [];
  const last = doc.lineAt(to).number;
  for (let number = doc.lineAt(from).number; number <= last; number += 1) {
    lines.push(mark.range(doc.line(number).from));
  }
  return Decoration.set(lines);
}

const lockTheme = EditorView.theme({
  '.cm-line.cm-locked': { backgroundColor: 'var(--canvas)', opacity: '0.75' },
});
