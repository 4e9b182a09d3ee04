/** Lexes inline Markdown with `marked`, with our own rules for emphasis, bare links and footnotes. */
import { getDefaults, Lexer, type Token, Tokenizer, type Tokens } from 'marked';
import { findLinkEnd } from './characters.ts';
import type { Definitions } from './document.ts';
import { type EmphasisSpan, findEmphasis } from './emphasis.ts';

const FOOTNOTE = /^\[\^([^\s[\]]+)\]/;

class InlineTokenizer extends Tokenizer {
  private masked = '';
  private spans: ReadonlyMap<number, EmphasisSpan> = new Map();

  override emStrong(src: string, masked: string): Tokens.Em | Tokens.Strong | undefined {
    const span = this.findSpan(src, masked);
    return span === undefined || span.kind === 'del'
      ? undefined
      : { type: span.kind, ...this.readSpan(src, masked, span) };
  }

  override del(src: string, masked: string): Tokens.Del | undefined {
    const span = src.startsWith('~') ? this.findSpan(src, masked) : undefined;
    return span?.kind === 'del' ? { type: 'del', ...this.readSpan(src, masked, span) } : undefined;
  }

  /** `masked` is the whole text, in which code and links have no delimiters; `src` is its end. */
  private findSpan(src: string, masked: string): EmphasisSpan | undefined {
    if (this.masked !== masked) {
      this.masked = masked;
      this.spans = findEmphasis(masked);
    }
    return this.spans.get(masked.length - src.length);
  }

  private readSpan(src: string, masked: string, { width, end }: EmphasisSpan) {
    const raw = src.slice(0, end - (masked.length - src.length));
    const text = raw.slice(width, -width);
    const { spans } = this;
    const tokens = this.lexer.inlineTokens(text);
    // Lexing the content replaced the spans of this text.
    this.masked = masked;
    this.spans = spans;
    return { raw, text, tokens };
  }

  override url(src: string): Tokens.Link | undefined {
    const link = super.url(src);
    if (link === undefined) return undefined;
    const end = findLinkEnd(link.raw);
    if (end < 0) return link;
    // Cut before `marked` removes the punctuation at the end, as in `example.com/a.）`.
    return end === 0 ? undefined : super.url(src.slice(0, end));
  }
}

/** Runs before all other rules, because a footnote reference looks like the text of a link. */
function readFootnote(src: string): Tokens.Generic | undefined {
  const match = FOOTNOTE.exec(src);
  if (match === null) return undefined;
  const [raw, label = ''] = match;
  return { type: 'footnote', raw, text: label };
}

const options = {
  ...getDefaults(),
  tokenizer: new InlineTokenizer(),
  extensions: { inline: [readFootnote], renderers: {}, childTokens: {} },
};

/** Returns the tokens of a paragraph, heading or table cell. */
export function lexInline(text: string, definitions: Definitions): Token[] {
  const lexer = new Lexer(options);
  for (const [tag, { href, title }] of Object.entries(definitions)) {
    lexer.tokens.links[tag] = { href, title };
  }
  return lexer.inlineTokens(text);
}
