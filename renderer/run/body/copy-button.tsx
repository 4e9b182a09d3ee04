import { useEffect, useState } from 'react';
import { IconButton } from '../../ui/icon-button.tsx';
import { CopyIcon } from '../../ui/icons/actions.tsx';
import { CheckIcon } from '../../ui/icons/status.tsx';

const shownMs = 1500;

interface CopyButtonProps {
  /** What is copied: "Copy body". */
  label: string;
  text: () => string;
}

/** Copies, and says for a moment that it did. */
export function CopyButton({ label, text }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [copied]);

  return (
    <IconButton
      size="small"
      label={copied ? 'Copied' : label}
      icon={copied ? <CheckIcon size={14} /> : <CopyIcon size={14} />}
      onClick={() => {
        void navigator.clipboard.writeText(text()).then(() => setCopied(true));
      }}
    />
  );
}
