/** Copies a text and says so for a moment in its own place. */
import { useEffect, useState } from 'react';
import { Button } from '../button.tsx';

interface CopyButtonProps {
  /** Asked for when pressed: a long text is not joined before it is wanted. */
  text: () => string;
  label?: string;
}

export function CopyButton({ text, label = 'Copy' }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'none' | 'copied' | 'failed'>('none');
  useEffect(() => {
    if (outcome === 'none') return;
    const timer = setTimeout(() => setOutcome('none'), 1500);
    return () => clearTimeout(timer);
  }, [outcome]);
  const words = { none: 'Copy', copied: 'Copied', failed: 'Not allowed' }[outcome];
  return (
    <Button
      variant="quiet"
      size="small"
      aria-label={outcome === 'none' ? label : words}
      onClick={() => {
        void navigator.clipboard.writeText(text()).then(
          () => setOutcome('copied'),
          () => setOutcome('failed'),
        );
      }}
    >
      {words}
    </Button>
  );
}
