import type { MouseEvent } from 'react';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';
import { CopyIcon } from './icons/actions.tsx';
import { showInlineNote } from './inline-note.ts';

interface CopyButtonProps {
  /** What is copied: "Copy body". */
  label: string;
  /** Called when pressed: a long text is not joined before it is wanted. */
  content: () => string | ClipboardItem;
  /** Shown in place of the icon. */
  words?: string | undefined;
}

/** Copies, and notes at the button whether that worked. */
export function CopyButton({ label, content, words }: CopyButtonProps) {
  const copy = ({ currentTarget }: MouseEvent<HTMLElement>) => copyNoted(currentTarget, content);

  return words !== undefined ? (
    <Button variant="quiet" size="small" aria-label={label} onClick={(event) => void copy(event)}>
      {words}
    </Button>
  ) : (
    <IconButton
      size="small"
      label={label}
      icon={<CopyIcon size={14} />}
      onClick={(event) => void copy(event)}
    />
  );
}

/** Copies, and notes at the element whether that worked. */
export async function copyNoted(at: Element, content: () => string | ClipboardItem): Promise<void> {
  try {
    const copied = content();
    if (typeof copied === 'string') await navigator.clipboard.writeText(copied);
    else await navigator.clipboard.write([copied]);
    showInlineNote(at, 'Copied');
  } catch {
    // The page may not have the focus, or the browser does not allow it.
    showInlineNote(at, 'Copy failed');
  }
}
