import {
  type DragEvent,
  type FormEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import { formatBytes } from '../../lib/format-quantity.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { PaperclipIcon } from '../../ui/icons/media.tsx';
import { Progress } from '../../ui/progress.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { getAcceptAttribute, type MediaFilter } from './media-filter.ts';
import styles from './upload-controls.module.css';
import type { Upload, Uploads } from './use-uploads.ts';

interface FileInputProps {
  ref: RefObject<HTMLInputElement | null>;
  uploads: Uploads;
  filter: MediaFilter;
  label: string;
  multiple?: boolean;
}

/** The hidden input behind a button or a menu item; click it to choose files. */
export function FileInput({ ref, uploads, filter, label, multiple = true }: FileInputProps) {
  return (
    <input
      ref={ref}
      type="file"
      hidden
      tabIndex={-1}
      aria-label={`${label} files`}
      accept={getAcceptAttribute(filter)}
      multiple={multiple}
      onChange={(event) => {
        uploads.add([...(event.target.files ?? [])]);
        // Clear the value, so that the user can choose the same file again.
        event.target.value = '';
      }}
    />
  );
}

export interface AttachButtonProps extends Omit<FileInputProps, 'ref' | 'label'> {
  label?: string;
  disabledReason?: string | null;
}

export function AttachButton(props: AttachButtonProps) {
  const { label = 'Attach', disabledReason = null, ...files } = props;
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        icon={<PaperclipIcon size={14} />}
        disabledReason={disabledReason}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
      <FileInput {...files} ref={input} label={label} />
    </>
  );
}

interface DropZoneProps {
  uploads: Pick<Uploads, 'add'>;
  /** The label shown while files are dragged over the zone. */
  label: string;
  disabled?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

/** Renders an area that accepts dropped and pasted files. */
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
        const files = disabled ? [] : getPastedFiles(event);
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

/** Prevents a file dropped elsewhere from replacing the page. */
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

/** Returns an empty list if the clipboard contains text. */
function getPastedFiles({ clipboardData }: PasteEvent): File[] {
  if (clipboardData === null) return [];
  // Word processors also copy an image of the text to the clipboard.
  if (clipboardData.types.includes('text/plain')) return [];
  return [...clipboardData.files].map(nameScreenshot);
}

/** Browsers name all pasted screenshots `image.png`. */
function nameScreenshot(file: File): File {
  if (!/^image\.\w+$/.test(file.name)) return file;
  const at = new Date().toISOString().slice(0, 19).replaceAll(':', '.').replace('T', ' ');
  const name = file.name.replace(/^image/, `Pasted ${at}`);
  return new File([file], name, { type: file.type });
}

export function UploadList({ uploads }: { uploads: Uploads }) {
  if (uploads.uploads.length === 0) return null;
  return (
    <ul className={styles.list}>
      {uploads.uploads.map((upload) => (
        <li key={upload.id}>
          {upload.error === null ? (
            <Sending upload={upload} onStop={() => uploads.stop(upload.id)} />
          ) : (
            <ErrorAlert
              compact
              error={upload.error}
              // Uploading the same file again would fail again.
              onRetry={upload.error.kind === 'file' ? undefined : () => uploads.retry(upload.id)}
              actions={
                <Button size="small" onClick={() => uploads.dismiss(upload.id)}>
                  Dismiss
                </Button>
              }
            />
          )}
        </li>
      ))}
    </ul>
  );
}

function Sending({ upload, onStop }: { upload: Upload; onStop: () => void }) {
  const { name, doneBytes, totalBytes } = upload;
  return (
    <div className={styles.upload}>
      <span className={styles.name}>{name}</span>
      <Progress
        className={styles.bar}
        label={`Uploading ${name}`}
        value={doneBytes}
        max={totalBytes}
      />
      <span className={styles.size}>
        {formatBytes(doneBytes)} of {formatBytes(totalBytes)}
      </span>
      <Button size="small" variant="quiet" aria-label={`Stop uploading ${name}`} onClick={onStop}>
        Stop
      </Button>
    </div>
  );
}

export interface UrlFieldProps {
  label: string;
  /** The field also accepts bare base64. */
  takesBase64?: boolean;
  /** Set for a field that a button has just opened. */
  autoFocus?: boolean;
  onUrl: (url: string) => void;
}

/** Edits a URL that the gateway fetches, not Gatehouse. */
export function UrlField({ label, takesBase64 = false, autoFocus = false, onUrl }: UrlFieldProps) {
  const [value, setValue] = useState('');
  const [problem, setProblem] = useState<string | null>(null);

  function add(event: FormEvent): void {
    event.preventDefault();
    const url = value.trim();
    const found = takesBase64 && isBase64(url) ? null : findUrlProblem(url);
    setProblem(found);
    if (found !== null) return;
    onUrl(url);
    setValue('');
  }

  return (
    <form className={styles.form} noValidate onSubmit={add}>
      <TextField
        label={label}
        className={styles.field}
        type="url"
        inputMode="url"
        autoFocus={autoFocus}
        placeholder={takesBase64 ? 'https://… or base64' : 'https://…'}
        value={value}
        error={problem}
        onValueChange={(next) => {
          setValue(next);
          setProblem(null);
        }}
      />
      <Button type="submit" aria-label={`Add ${label}`}>
        Add
      </Button>
    </form>
  );
}

/** A shorter text is more likely a mistyped URL than base64. */
function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/_-]{32,}={0,2}$/.test(text) && text.replace(/=+$/, '').length % 4 !== 1;
}

/** Returns null for valid http, https and data URLs. */
export function findUrlProblem(url: string): string | null {
  if (url === '') return 'Enter a URL.';
  const parsed = URL.parse(url);
  if (parsed === null) return 'Enter a full URL that starts with https://.';
  if (parsed.protocol === 'data:') {
    return /^data:[^,]*,./s.test(url) ? null : 'This data URL is empty.';
  }
  return ['http:', 'https:'].includes(parsed.protocol)
    ? null
    : `Gateways can’t fetch ${parsed.protocol} URLs. Use https:// or attach the file.`;
}
