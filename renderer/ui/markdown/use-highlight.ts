import { useEffect, useState } from 'react';
import { type CodeLine, getCachedHighlight, highlight } from './highlight.ts';

/** Returns null until the code is highlighted, or if the language isn't supported. */
export function useHighlight(code: string | null, language: string): readonly CodeLine[] | null {
  const [found, setFound] = useState<{ code: string; lines: readonly CodeLine[] } | null>(null);
  const cached = code === null ? null : getCachedHighlight(code, language);
  useEffect(() => {
    if (code === null || cached !== null) return;
    let wanted = true;
    void highlight(code, language).then((lines) => {
      if (wanted && lines !== null) setFound({ code, lines });
    });
    return () => {
      wanted = false;
    };
  }, [code, cached, language]);
  return cached ?? (found !== null && found.code === code ? found.lines : null);
}
