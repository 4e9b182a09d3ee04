/** Lexes inline Markdown with `marked` and our own rules, such as those for emphasis and links. */
import { getDefaults, Lexer, type Token, Tokenizer, type Tokens } from 'marked';
import { findLinkEnd } from './characters.ts';
import type { Definitions } from './document.ts';
import { type EmphasisSpan, findEmphasis } from './emphasis.ts';
import { maskMath, readMath } from './math-rules.ts';

const FOOTNOTE = /^\[\^[^\s[\]]+\]/;

/** A text and its emphasis spans, which are found on first use. */
type Pass = { source: string; spans: ReadonlyMap<number, EmphasisSpan> | null };

class InlineTokenizer extends Tokenizer {
  pass: Pass = { source: '', spans: null };

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

  /** `masked` is the full text without delimiters in code and links; `src` is the rest to read. */
  private findSpan(src: string, masked: string): EmphasisSpan | undefined {
    this.pass.spans ??= findEmphasis(maskMath(this.pass.source, masked));
    return this.pass.spans.get(masked.length - src.length);
  }

  private readSpan(src: string, masked: string, { width, end }: EmphasisSpan) {
    const raw = src.slice(0, end - (masked.length - src.length));
    const text = raw.slice(width, -width);
    return { raw, text, tokens: this.lexer.inlineTokens(text) };
  }

  /** Stops at a dollar sign, which may start mathematics. */
  override inlineText(src: string): Tokens.Text | undefined {
    const text = super.inlineText(src);
    const dollar = text?.raw.indexOf('$', 1) ?? -1;
    return dollar < 0 ? text : super.inlineText(src.slice(0, dollar));
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

const tokenizer = new InlineTokenizer();

class InlineLexer extends Lexer {
  override inlineTokens(src: string, tokens?: Token[]): Token[] {
    const outer = tokenizer.pass;
    tokenizer.pass = { source: src, spans: null };
    try {
      return super.inlineTokens(src, tokens);
    } finally {
      tokenizer.pass = outer;
    }
  }
}

/** Runs before all other rules: a footnote looks like a link, and `\(` like an escape. */
function readSpecial(src: string, tokens: readonly Token[]): Tokens.Generic | undefined {
  const footnote = src.startsWith('[^') ? FOOTNOTE.exec(src) : null;
  if (footnote !== null) return { type: 'footnote', raw: footnote[0] };
  const math = readMath(src, tokens.at(-1)?.raw.at(-1) ?? '');
  return math === null ? undefined : { type: 'math', raw: math.raw };
}

const options = {
  ...getDefaults(),
  tokenizer,
  extensions: { inline: [readSpecial], renderers: {}, childTokens: {} },
};

/** Returns the tokens of a paragraph, heading or table cell. */
export function lexInline(text: string, definitions: Definitions): Token[] {
  const lexer = new InlineLexer(options);
  for (const [tag, { href, title }] of Object.entries(definitions)) {
    lexer.tokens.links[tag] = { href, title };
  }
  return lexer.inlineTokens(text);
}
