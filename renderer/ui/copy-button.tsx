import { type MouseEvent, useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';
import { CopyIcon } from './icons/actions.tsx';
import { CheckIcon, WarningIcon } from './icons/status.tsx';
import { noteAt } from './note-at.ts';

const shownMs = 1500;

interface CopyButtonProps {
  /** What is copied: "Copy body". */
  label: string;
  /** Called when pressed: a long text is not joined before it is wanted. */
  content: () => string | ClipboardItem;
  /** Shown in place of the icon. */
  words?: string | undefined;
}

/** Copies, and says for a moment in its own place whether that worked. */
export function CopyButton({ label, content, words }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null);

  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), shownMs);
    return () => clearTimeout(timer);
  }, [outcome]);

  async function copy({ currentTarget: button }: MouseEvent<HTMLElement>) {
    try {
      const copied = content();
      if (typeof copied === 'string') await navigator.clipboard.writeText(copied);
      else await navigator.clipboard.write([copied]);
      setOutcome('copied');
      noteAt(button, 'Copied');
    } catch {
      // The page may not have the focus, or the browser does not allow it.
      setOutcome('failed');
      noteAt(button, 'Copy failed');
    }
  }

  const outcomeLabel = outcome === 'copied' ? 'Copied' : 'Copy failed';
  return words !== undefined ? (
    <Button
      variant="quiet"
      size="small"
      aria-label={outcome === null ? label : outcomeLabel}
      onClick={(event) => void copy(event)}
    >
      {outcome === null ? words : outcomeLabel}
    </Button>
  ) : (
    <IconButton
      size="small"
      label={outcome === null ? label : outcomeLabel}
      icon={icons[outcome ?? 'none']}
      onClick={(event) => void copy(event)}
    />
  );
}

const icons = {
  none: <CopyIcon size={14} />,
  copied: <CheckIcon size={14} />,
  failed: <WarningIcon size={14} />,
};
