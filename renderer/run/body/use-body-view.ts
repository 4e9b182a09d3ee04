import { useMemo, useState } from 'react';
import { prettyJson, type TextLine, textLines } from './text-lines.ts';

/** Longer bodies are shown raw first: indenting them takes a while. */
const prettyAtOnce = 1_000_000;

export interface BodyView {
  lines: TextLine[];
  /** Null where there is nothing to indent. */
  mode: 'pretty' | 'raw' | null;
  showPretty: () => void;
  showRaw: () => void;
}

/** The body's lines, indented where it is JSON and the user did not ask for it raw. */
export function useBodyView(text: string): BodyView {
  const [asked, setAsked] = useState<'pretty' | 'raw' | null>(null);
  const wantsPretty = asked === null ? text.length <= prettyAtOnce : asked === 'pretty';
  const start = text.trimStart()[0];
  const canBePretty = start === '{' || start === '[';
  const pretty = useMemo(
    () => (wantsPretty && canBePretty ? prettyJson(text) : null),
    [wantsPretty, canBePretty, text],
  );
  const lines = useMemo(() => (text === '' ? [] : textLines(pretty ?? text)), [pretty, text]);
  const broken = wantsPretty && canBePretty && pretty === null;
  return {
    lines,
    mode: !canBePretty || broken ? null : wantsPretty ? 'pretty' : 'raw',
    showPretty: () => setAsked('pretty'),
    showRaw: () => setAsked('raw'),
  };
}
