import { type DragEvent, type ReactNode, useEffect, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import styles from './drop-zone.module.css';
import type { Uploads } from './use-uploads.ts';

interface DropZoneProps {
  uploads: Pick<Uploads, 'add'>;
  /** Shown while files hang over it. */
  label: string;
  disabled?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

/** An area that accepts files, dropped or pasted. */
export function DropZone({ uploads, label, disabled = false, className, children }: DropZoneProps) {
  const [over, setOver] = useState(false);
  useEffect(keepPageOnDrop, []);

  function onDrag(event: DragEvent): void {
    if (disabled || !event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    setOver(true);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is offered beside a button.
    <div
      className={classNames(styles.zone, className)}
      onDragEnter={onDrag}
      onDragOver={onDrag}
      onDragLeave={(event) => {
        const to = event.relatedTarget;
        if (!(to instanceof Node && event.currentTarget.contains(to))) setOver(false);
      }}
      onDrop={(event) => {
        setOver(false);
        const files = [...event.dataTransfer.files];
        if (disabled || files.length === 0) return;
        event.preventDefault();
        uploads.add(files);
      }}
      onPaste={(event) => {
        const files = disabled ? [] : pastedFiles(event);
        if (files.length === 0) return;
        event.preventDefault();
        uploads.add(files);
      }}
    >
      {children}
      {over && (
        <div aria-hidden="true" className={styles.overlay}>
          {label}
        </div>
      )}
    </div>
  );
}

/** A file dropped beside the area would open in place of the page. */
function keepPageOnDrop(): () => void {
  const refuse = (event: globalThis.DragEvent) => {
    if (!event.defaultPrevented && event.dataTransfer?.types.includes('Files')) {
      event.preventDefault();
      event.dataTransfer.dropEffect = 'none';
    }
  };
  window.addEventListener('dragover', refuse);
  window.addEventListener('drop', refuse);
  return () => {
    window.removeEventListener('dragover', refuse);
    window.removeEventListener('drop', refuse);
  };
}

interface PasteEvent {
  clipboardData: DataTransfer | null;
}

/** The files in a paste; empty for text, which is then pasted as ever. */
function pastedFiles({ clipboardData }: PasteEvent): File[] {
  if (clipboardData === null) return [];
  // Word processors put a picture of the text beside the text.
  if (clipboardData.types.includes('text/plain')) return [];
  return [...clipboardData.files].map(named);
}

/** Screenshots come as `image.png`, each of them. */
function named(file: File): File {
  if (!/^image\.\w+$/.test(file.name)) return file;
  const at = new Date().toISOString().slice(0, 19).replaceAll(':', '.').replace('T', ' ');
  const name = file.name.replace(/^image/, `Pasted ${at}`);
  return new File([file], name, { type: file.type });
}
