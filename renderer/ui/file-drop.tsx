// Hand-written because Base UI has no drop zone.
import { type DragEvent, type ReactNode, useState } from 'react';
import { classNames } from './class-names.ts';
import styles from './file-drop.module.css';

interface FileDropProps {
  className?: string | undefined;
  onFiles: (files: File[]) => void;
  children: ReactNode;
}

/** Accepts dropped files; render a button nearby that also chooses files. */
export function FileDrop({ className, onFiles, children }: FileDropProps) {
  const [dragging, setDragging] = useState(false);
  const holdsFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button also lets the user choose files.
    <div
      className={classNames(styles.area, className)}
      data-dragging={dragging || undefined}
      onDragOver={(event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        setDragging(true);
      }}
      onDragLeave={() => setDragging(false)}
      onDrop={(event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        setDragging(false);
        onFiles([...event.dataTransfer.files]);
      }}
    >
      {children}
    </div>
  );
}
