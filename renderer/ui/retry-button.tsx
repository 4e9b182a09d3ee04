import { useEffect, useState } from 'react';
import { waitWords } from '../../shared/wait-words.ts';
import { Button } from './button.tsx';
import { RetryIcon } from './icons/actions.tsx';

export interface RetryButtonProps {
  /** What the gateway asked to wait; counted down, and never a lock: the user may retry before. */
  waitSeconds: number | null;
  onRetry: () => void;
}

export function RetryButton({ waitSeconds, onRetry }: RetryButtonProps) {
  const [until] = useState(() => Date.now() + (waitSeconds ?? 0) * 1000);
  const [now, setNow] = useState(() => Date.now());
  const left = Math.max(0, Math.ceil((until - now) / 1000));
  const counting = left > 0;

  useEffect(() => {
    if (!counting) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [counting]);

  return (
    <>
      <Button size="small" icon={<RetryIcon size={14} />} onClick={onRetry}>
        Retry
      </Button>
      {counting && (
        <span role="timer" style={{ alignSelf: 'center', color: 'var(--muted)' }}>
          The gateway asks to wait {waitWords(left)}
        </span>
      )}
    </>
  );
}
