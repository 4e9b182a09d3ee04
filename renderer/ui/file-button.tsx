// Hand-written because Base UI has no file field.
import { type ComponentProps, useRef } from 'react';
import { Button } from './button.tsx';

interface FileButtonProps extends Pick<ComponentProps<typeof Button>, 'size' | 'variant' | 'busy'> {
  children: string;
  inputLabel: string;
  accept: string;
  multiple?: boolean;
  onFiles: (files: File[]) => void;
}

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
          // Reset the input so the user can choose the same file again.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
