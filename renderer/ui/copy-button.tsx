import type { MouseEvent } from 'react';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';
import { CopyIcon } from './icons/actions.tsx';
import { showInlineNote } from './inline-note.ts';

interface CopyButtonProps {
  label: string;
  /** Called on click, so long text isn't built until the user copies it. */
  content: () => string | ClipboardItem;
  words?: string | undefined;
}

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

/** Copies the content and shows the outcome next to the element. */
export async function copyNoted(at: Element, content: () => string | ClipboardItem): Promise<void> {
  try {
    const copied = content();
    if (typeof copied === 'string') await navigator.clipboard.writeText(copied);
    else await navigator.clipboard.write([copied]);
    showInlineNote(at, 'Copied');
  } catch {
    // The page doesn't have focus, or the browser denied clipboard access.
    showInlineNote(at, 'Copy failed');
  }
}
