import { use, useEffect, useState } from 'react';
import { formatCount, formatDuration } from '../../../../lib/format-quantity.ts';
import { Markdown } from '../../../../ui/markdown/markdown.tsx';
import { HidesModelContext } from './answer.ts';
import styles from './message.module.css';

interface ReasoningProps {
  text: string;
  isTagged: boolean;
  /** True until the answer text starts. */
  thinking: boolean;
}

/** Expands while the model thinks, and collapses once the answer starts. */
export function Reasoning({ text, isTagged, thinking }: ReasoningProps) {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const elapsedMs = useThinkingTime(thinking);
  const isOpen = chosen ?? thinking;
  const isBlind = use(HidesModelContext);
  const figures = [
    `${formatCount(text.length)} characters`,
    ...(elapsedMs === null || isBlind ? [] : [formatDuration(elapsedMs)]),
    ...(isTagged ? ['from <think> tags'] : []),
  ];
  return (
    <details className={styles.reasoning} open={isOpen}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary acts as a button. */}
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

/**
 * Returns the thinking time in milliseconds; null if thinking ended before the component mounted.
 */
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
