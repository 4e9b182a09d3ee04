import { useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { PaperclipIcon } from '../../ui/icons/media.tsx';
import { acceptAttribute, type MediaFilter } from './media-filter.ts';
import type { Uploads } from './use-uploads.ts';

export interface AttachButtonProps {
  uploads: Uploads;
  filter: MediaFilter;
  label?: string;
  multiple?: boolean;
  /** The icon alone, for a row of tools. */
  compact?: boolean;
  disabledReason?: string | null;
}

/** Opens the file chooser. */
export function AttachButton({
  uploads,
  filter,
  label = 'Attach',
  multiple = true,
  compact = false,
  disabledReason = null,
}: AttachButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const choose = () => input.current?.click();
  return (
    <>
      {compact ? (
        <IconButton label={label} icon={<PaperclipIcon />} onClick={choose} />
      ) : (
        <Button icon={<PaperclipIcon size={14} />} disabledReason={disabledReason} onClick={choose}>
          {label}
        </Button>
      )}
      <input
        ref={input}
        type="file"
        hidden
        tabIndex={-1}
        aria-label={`${label} files`}
        accept={acceptAttribute(filter)}
        multiple={multiple}
        onChange={(event) => {
          uploads.add([...(event.target.files ?? [])]);
          // So that the same file can be chosen again.
          event.target.value = '';
        }}
      />
    </>
  );
}
