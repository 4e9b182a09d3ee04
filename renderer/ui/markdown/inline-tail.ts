/** Closes open emphasis, code and links at the end of streaming text, to avoid layout shifts. */
export function settleInlineTail(raw: string): string {
  const text = raw.trimEnd();
  if (!/[`*_~[]/.test(text)) return text;
  const openCode = findLastOpenBacktick(text);
  if (openCode !== null) {
    const code = text.slice(openCode).replace(/`+$/, '');
    return code.length > 0 ? `${text}\`` : text.slice(0, openCode);
  }
  if (!text.includes('[')) return closeEmphasis(text);
  return closeEmphasis(
    text
      .replace(/\[(?:\^[^\s\]]*)?$/, '')
      .replace(/!\[[^\]\n]*(?:\]\([^)\n]*|\])?$/, '')
      // CJK text has no space before a link, unlike an index such as `array[0`.
      .replace(/(^|[\s(*_\u2e80-\uffff])\[([^\]\n]*)(?:\]\([^)\n]*|\])?$/, '$1$2'),
  );
}

/** Returns the index of the backtick that opens an unclosed code span, or null. */
function findLastOpenBacktick(text: string): number | null {
  const ticks = [...text.matchAll(/(?<!\\)`/g)];
  return ticks.length % 2 === 1 ? (ticks.at(-1)?.index ?? null) : null;
}

function closeEmphasis(text: string): string {
  const plain = text.replace(/`[^`]*`/g, (code) => 'x'.repeat(code.length));
  const open: { marker: string; end: number }[] = [];
  for (const run of plain.matchAll(/(?<!\\)(\*{1,3}|_{1,3}|~~)/g)) {
    const marker = run[0];
    const end = run.index + marker.length;
    const before = plain[run.index - 1] ?? ' ';
    const after = plain[end] ?? ' ';
    const top = open.at(-1);
    if (top?.marker === marker && !/\s/.test(before)) open.pop();
    else if (end === plain.length || !/\s/.test(after)) {
      if (marker.startsWith('_') && /\w/.test(before)) continue;
      open.push({ marker, end });
    }
  }
  // A marker with no text after it would briefly appear literally.
  const last = open.at(-1);
  const bare = last?.end === text.length ? open.pop() : undefined;
  const kept = bare === undefined ? text : text.slice(0, -bare.marker.length).trimEnd();
  return kept + open.reduceRight((closers, { marker }) => closers + marker, '');
}
