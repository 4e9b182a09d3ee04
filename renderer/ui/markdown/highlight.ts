/** Highlights code with highlight.js as lines of scoped pieces, never as HTML. */
import type { Emitter, HLJSApi } from 'highlight.js';
import { knownLanguage, loadLanguage } from './highlight-languages.ts';

/** `scope` is a highlight.js name such as `keyword`; null for plain text. */
export type CodePiece = { text: string; scope: string | null };
export type CodeLine = readonly CodePiece[];

/** Highlighting longer code takes more than a frame. */
export const MAX_HIGHLIGHT_CHARS = 50_000;
const MAX_CACHED = 60;

const cache = new Map<string, readonly CodeLine[]>();
let highlighter: HLJSApi | null = null;
let queue: Promise<unknown> = Promise.resolve();

/** Returns cached lines, so that a remounted block is highlighted immediately; null on a miss. */
export function cachedHighlight(code: string, language: string): readonly CodeLine[] | null {
  return cache.get(`${language}\n${code}`) ?? null;
}

/** Highlights one block at a time when idle. Returns null if the language isn't available. */
export function highlight(code: string, word: string): Promise<readonly CodeLine[] | null> {
  const language = knownLanguage(word);
  if (language === null || code.length > MAX_HIGHLIGHT_CHARS) return Promise.resolve(null);
  const result = queue.then(() => highlightWhenIdle(code, language, word)).catch(() => null);
  queue = result;
  return result;
}

async function highlightWhenIdle(code: string, language: string, word: string) {
  highlighter ??= createHighlighter((await import('highlight.js/lib/core')).default);
  const hljs = highlighter;
  if (hljs.getLanguage(language) === undefined) {
    const definition = await loadLanguage(language);
    if (definition === null) return null;
    hljs.registerLanguage(language, definition);
  }
  await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1000 }));
  const emitter = hljs.highlight(code, { language, ignoreIllegals: true })._emitter;
  const lines = emitter instanceof LineEmitter ? emitter.lines : null;
  if (lines !== null) remember(`${word}\n${code}`, lines);
  return lines;
}

function createHighlighter(hljs: HLJSApi): HLJSApi {
  hljs.configure({ __emitter: LineEmitter });
  return hljs;
}

function remember(key: string, lines: readonly CodeLine[]): void {
  cache.set(key, lines);
  const oldest = cache.keys().next();
  if (cache.size > MAX_CACHED && !oldest.done) cache.delete(oldest.value);
}

class LineEmitter implements Emitter {
  readonly lines: CodePiece[][] = [[]];
  private readonly scopes: string[] = [];

  addText(text: string): void {
    const scope = this.scopes.at(-1)?.split('.')[0] ?? null;
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) this.lines.push([]);
      if (part !== '') this.lines.at(-1)?.push({ text: part, scope });
    }
  }

  startScope(name: string): void {
    this.scopes.push(name);
  }

  endScope(): void {
    this.scopes.pop();
  }

  // highlight.js still calls the deprecated names too.
  openNode(name: string): void {
    this.startScope(name);
  }

  closeNode(): void {
    this.endScope();
  }

  __addSublanguage(emitter: Emitter, _name: string): void {
    if (!(emitter instanceof LineEmitter)) return;
    for (const [index, line] of emitter.lines.entries()) {
      if (index > 0) this.lines.push([]);
      this.lines.at(-1)?.push(...line);
    }
  }

  finalize(): void {}

  toHTML(): string {
    return '';
  }
}
