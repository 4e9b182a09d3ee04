import { useEffect, useState } from 'react';
import { formatCount, formatDuration } from '../../../lib/format-quantity.ts';
import { Markdown } from '../../../ui/markdown/markdown.tsx';
import styles from '../messages/message.module.css';

interface ReasoningProps {
  text: string;
  isTagged: boolean;
  /** Nothing of the answer itself has arrived yet. */
  thinking: boolean;
}

/** The model's reasoning, apart from its answer: open while it thinks, folded once the answer begins. */
export function Reasoning({ text, isTagged, thinking }: ReasoningProps) {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const elapsedMs = useThinkingTime(thinking);
  const isOpen = chosen ?? thinking;
  const figures = [
    `${formatCount(text.length)} characters`,
    ...(elapsedMs === null ? [] : [formatDuration(elapsedMs)]),
    ...(isTagged ? ['from <think> tags'] : []),
  ];
  return (
    <details className={styles.reasoning} open={isOpen}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button by itself. */}
      <summary
        onClick={(event) => {
          event.preventDefault();
          setChosen(!isOpen);
        }}
      >
        {thinking ? 'Thinking' : 'Reasoning'} <span>{figures.join(' · ')}</span>
      </summary>
      {isOpen && (
        <div className={styles.reasoningText}>
          <Markdown text={text} streaming={thinking} />
        </div>
      )}
    </details>
  );
}

/** How long it has thought while this was watched; null if that was not seen. */
function useThinkingTime(thinking: boolean): number | null {
  const [elapsedMs, setElapsedMs] = useState<number | null>(null);
  useEffect(() => {
    if (!thinking) return;
    const start = performance.now();
    const measure = () => setElapsedMs(performance.now() - start);
    const timer = setInterval(measure, 500);
    return () => {
      clearInterval(timer);
      measure();
    };
  }, [thinking]);
  return elapsedMs;
}
