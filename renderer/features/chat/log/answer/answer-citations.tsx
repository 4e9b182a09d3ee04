import { memo, type ReactNode, useMemo, useRef, useState } from 'react';
import { isSameJson } from '../../../../../shared/json.ts';
import { type Source, splitMarks } from '../../../../../shared/operations/chat/sources.ts';
import { sanitizeLink } from '../../../../../shared/outside-link.ts';
import { OutsideLink, type TextMark, TextMarksContext } from '../../../../ui/markdown/inline.tsx';
import styles from './message.module.css';

interface AnswerCitationsProps {
  sources: readonly Source[];
  children: ReactNode;
}

/** Longer lists start collapsed. */
const MAX_OPEN = 8;

/** Lists sources below the text; marks in the text, such as [1], jump to their source. */
export function AnswerCitations({ sources, children }: AnswerCitationsProps) {
  const list = useRef<HTMLDetailsElement>(null);
  const [reached, setReached] = useState<number | null>(null);
  const shown = useSame(sources);
  const split = useMemo(() => {
    if (shown.length === 0) return null;
    function open(number: number) {
      setReached(number);
      if (list.current === null) return;
      list.current.open = true;
      const item = list.current.querySelector<HTMLElement>(`[data-source="${number}"]`);
      item?.focus();
    }
    return (text: string): (string | TextMark)[] =>
      splitMarks(text, shown).map((piece) => {
        if (typeof piece === 'string') return piece;
        const { number, title, url } = piece.source;
        // Markers such as 【4:0†source】 aren't meant for readers.
        const text = piece.text.startsWith('【') ? `[${number}]` : piece.text;
        return { text, label: `${text} ${title ?? url ?? ''}`, onOpen: () => open(number) };
      });
  }, [shown]);
  return (
    <>
      <TextMarksContext value={split}>{children}</TextMarksContext>
      {shown.length > 0 && (
        <details ref={list} className={styles.sources} open={shown.length <= MAX_OPEN}>
          <summary>
            Sources <span>{shown.length}</span>
          </summary>
          <ol aria-label="Sources">
            {shown.map((source) => (
              <SourceItem
                key={source.number}
                source={source}
                isReached={source.number === reached}
              />
            ))}
          </ol>
        </details>
      )}
    </>
  );
}

interface SourceItemProps {
  source: Source;
  isReached: boolean;
}

const SourceItem = memo(function SourceItem({ source, isReached }: SourceItemProps) {
  const { number, title } = source;
  const url = source.url === null ? null : sanitizeLink(source.url);
  return (
    <li data-source={number} data-reached={isReached} tabIndex={-1}>
      <span className={styles.sourceNumber}>{number}</span>
      <span className={styles.sourceTitle}>
        {url === null ? title : <OutsideLink url={url}>{title ?? url}</OutsideLink>}
      </span>
      {url !== null && title !== null && <span className={styles.sourceSite}>{getSite(url)}</span>}
    </li>
  );
});

function getSite(url: string): string {
  return (URL.parse(url)?.hostname ?? '').replace(/^www\./, '');
}

/**
 * Returns the previous value while it's equal, so a streaming answer doesn't re-render its text.
 */
function useSame<Value>(value: Value): Value {
  const [kept, setKept] = useState(value);
  if (kept === value || isSameJson(kept, value)) return kept;
  setKept(value);
  return value;
}
