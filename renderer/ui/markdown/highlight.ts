/** Highlights code with highlight.js and returns lines of scoped pieces, never HTML. */
import type { Emitter, HLJSApi } from 'highlight.js';

/** A highlight.js scope such as `keyword`; null for plain text. */
type CodePiece = { text: string; scope: string | null };
export type CodeLine = readonly CodePiece[];

/** Code longer than this takes more than a frame to highlight. */
export const MAX_HIGHLIGHT_CHARS = 50_000;
const MAX_CACHED = 60;

/** Names and aliases of supported languages, so an unknown language doesn't load highlight.js. */
export const highlightWords: ReadonlySet<string> = new Set(
  `
  atom bash c c# c++ cc cjs console cpp cs csharp css cts cxx diff docker dockerfile gemspec go
  golang gql graphql gyp h h++ hh hpp html http https hxx ini ipython irb java javascript js
  json json5 jsonc jsp jsx kotlin kt ktm kts ktx less lua mak make makefile markdown md mjs mk
  mkd mkdown mm mts obj-c obj-c++ objc objective-c++ objectivec patch perl php php-template pl
  plist pluto pm podspec powershell ps ps1 pwsh py pycon python python-repl r rb rs rss ruby
  rust scala scss sh shell sql svg swift thor toml ts tsx typescript vb vbnet vue
  wasm wsf xhtml xjb xml xsd xsl yaml yml zsh
  `
    .trim()
    .split(/\s+/),
);

const cache = new Map<string, readonly CodeLine[]>();
let queue: Promise<unknown> = Promise.resolve();

/** Returns cached lines so that a remounted block is highlighted immediately; null on a miss. */
export function getCachedHighlight(code: string, language: string): readonly CodeLine[] | null {
  return cache.get(`${language}\n${code}`) ?? null;
}

/** Highlights one block at a time when idle. Returns null if the language isn't supported. */
export function highlight(code: string, language: string): Promise<readonly CodeLine[] | null> {
  const isKnown = highlightWords.has(language.toLowerCase());
  if (!isKnown || code.length > MAX_HIGHLIGHT_CHARS) return Promise.resolve(null);
  const result = queue.then(() => highlightWhenIdle(code, language)).catch(() => null);
  queue = result;
  return result;
}

async function highlightWhenIdle(code: string, language: string) {
  await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1000 }));
  const hljs = await loadHighlighter();
  const emitter = hljs.highlight(code, { language, ignoreIllegals: true })._emitter;
  const lines = emitter instanceof LineEmitter ? emitter.lines : null;
  if (lines !== null) remember(`${language}\n${code}`, lines);
  return lines;
}

export async function loadHighlighter(): Promise<HLJSApi> {
  const [{ default: hljs }, dockerfile, http, powershell, scala] = await Promise.all([
    import('highlight.js/lib/common'),
    import('highlight.js/lib/languages/dockerfile'),
    import('highlight.js/lib/languages/http'),
    import('highlight.js/lib/languages/powershell'),
    import('highlight.js/lib/languages/scala'),
  ]);
  if (hljs.getLanguage('scala') !== undefined) return hljs;
  for (const [name, language] of Object.entries({ dockerfile, http, powershell, scala })) {
    hljs.registerLanguage(name, language.default);
  }
  // Models use `shell` for plain commands, not for sessions with prompts.
  hljs.unregisterLanguage('shell');
  hljs.registerAliases(['shell', 'console'], { languageName: 'bash' });
  hljs.registerAliases('vue', { languageName: 'xml' });
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

  // highlight.js still calls the deprecated method names too.
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
