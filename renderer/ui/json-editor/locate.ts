/** The position of a value in the text of the editor. */
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { jsonProblem } from '../../lib/format-json-error.ts';
import type { ValueProblem } from './json-problems.ts';

type Range = { from: number; to: number };
type SyntaxNode = ReturnType<typeof syntaxTree>['topNode'];

const VALUES = new Set(['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null']);
const PARSE_MS = 100;

/** The property's name where the path ends in one; what of the path is not there is left out. */
export function getRange(state: EditorState, path: ValueProblem['path']): Range {
  const tree = ensureSyntaxTree(state, state.doc.length, PARSE_MS) ?? syntaxTree(state);
  let node: SyntaxNode | null = tree.topNode.firstChild;
  let range: Range = firstLine(state);
  for (const step of path) {
    if (node === null) return range;
    if (typeof step === 'number') {
      const item: SyntaxNode | undefined = valuesIn(node)[step];
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

/** Where the text stops being JSON. */
export function misfitRange(state: EditorState): Range {
  const problem = jsonProblem(state.doc.toString());
  if (problem === null || problem.line > state.doc.lines) return firstLine(state);
  const line = state.doc.line(problem.line);
  const from = Math.min(line.from + problem.column - 1, line.to);
  return { from, to: Math.min(from + 1, state.doc.length) };
}

function valuesIn(node: SyntaxNode): SyntaxNode[] {
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

function firstLine(state: EditorState): Range {
  const { from, to } = state.doc.line(1);
  return { from, to };
}
