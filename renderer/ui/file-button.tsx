import { type ComponentProps, useRef } from 'react';
import { Button } from './button.tsx';

interface FileButtonProps extends Pick<ComponentProps<typeof Button>, 'size' | 'variant' | 'busy'> {
  children: string;
  /** Of the files: `Label file`. */
  inputLabel: string;
  /** As of an `<input>`. */
  accept: string;
  multiple?: boolean;
  onFiles: (files: File[]) => void;
}

/** Lets the user choose files. */
export function FileButton(props: FileButtonProps) {
  const { children, inputLabel, accept, multiple = false, onFiles, ...button } = props;
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button {...button} onClick={() => chooser.current?.click()}>
        {children}
      </Button>
      <input
        ref={chooser}
        type="file"
        hidden
        tabIndex={-1}
        aria-label={inputLabel}
        accept={accept}
        multiple={multiple}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
