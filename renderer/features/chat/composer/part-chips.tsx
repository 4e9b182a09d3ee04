import { useLayoutEffect, useRef, useState } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import { isSameJson } from '../../../../shared/json.ts';
import { createMediaReference, type Media } from '../../../../shared/media.ts';
import {
  type ContentPart,
  getMediaId,
  getSource,
} from '../../../../shared/operations/chat/message.ts';
import { readTextFile, type TextFile } from '../../../../shared/operations/chat/text-file.ts';
import { toAppError } from '../../../lib/app-error.ts';
import { formatBytes, formatCount } from '../../../lib/format-quantity.ts';
import { formatPixels, getMediaTitle } from '../../../media/players/describe-media.ts';
import { AttachmentChip, ChipIcon } from '../../../media/players/media-chip.tsx';
import { useMedia } from '../../../media/players/use-media.ts';
import { getImageNotes, ImageOffer } from '../../../media/uploads/image-offer.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { Select } from '../../../ui/select.tsx';
import { getEncodedBytes, isTextMedia } from '../conversation/written-message.ts';
import styles from './composer.module.css';
import { toFilePart, toTextPart } from './text-files.ts';

interface PartChipsProps {
  parts: readonly ContentPart[];
  onChange: (parts: ContentPart[]) => void;
  onRemove: (index: number) => void;
}

export function PartChips({ parts, onChange, onRemove }: PartChipsProps) {
  // A conversion replaces its part even if others were added or removed in the meantime.
  const latest = useRef({ parts, onChange });
  useLayoutEffect(() => {
    latest.current = { parts, onChange };
  });
  const replace = (before: ContentPart, after: ContentPart) => {
    const now = latest.current;
    const index = now.parts.findIndex((part) => isSameJson(part, before));
    if (index !== -1) now.onChange(now.parts.with(index, after));
  };
  return (
    <ul className={`wrap-8 ${styles.parts}`} aria-label="Attachments">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same media item may be attached twice.
        <li key={index}>
          <PartChip
            part={part}
            onChange={(changed) => replace(part, changed)}
            onRemove={() => onRemove(index)}
          />
        </li>
      ))}
    </ul>
  );
}

interface PartChipProps {
  part: ContentPart;
  onChange: (part: ContentPart) => void;
  onRemove: () => void;
}

function PartChip({ part, onChange, onRemove }: PartChipProps) {
  const { media, isPending } = useMedia(getMediaId(part));
  const text = readTextFile(part);
  const isText = text !== null || (media !== null && isTextMedia(media));
  const name = text?.name ?? describePart(part, media, isPending);
  // A URL gets no icon, because its text fills the chip.
  const isUrl = text === null && media === null;
  return (
    <AttachmentChip
      name={name}
      icon={isUrl ? null : <ChipIcon media={media} name={name} />}
      detail={getDetail(part, text, media)}
      onRemove={onRemove}
    >
      {isText && <SentAs text={text} media={media} onChange={onChange} />}
      {part.type === 'image_url' && media !== null && (
        <ImageOffer
          media={media}
          onReplace={({ id }) =>
            onChange({ ...part, image_url: { ...part.image_url, url: createMediaReference(id) } })
          }
        />
      )}
      {part.type === 'image_url' && <DetailPicker part={part} onChange={onChange} />}
    </AttachmentChip>
  );
}

function getDetail(part: ContentPart, text: TextFile | null, media: Media | null): string {
  if (text !== null) return `${formatCount(text.text.length)} characters`;
  if (media === null) return '';
  const size = `${formatBytes(getEncodedBytes(part, media))} encoded`;
  return [formatPixels(media), size, ...getImageNotes(media)]
    .filter((fact) => fact !== null)
    .join(' · ');
}

function describePart(part: ContentPart, media: Media | null, isPending: boolean): string {
  const filename = part.type === 'file' ? part.file.filename : undefined;
  if (media !== null) return filename ?? getMediaTitle(media);
  if (getMediaId(part) !== null) return isPending ? 'Loading' : 'No longer in the library';
  if (part.type !== 'file') return getSource(part) ?? '';
  return `File ID ${part.file.file_id ?? ''}${filename === undefined ? '' : ` · ${filename}`}`;
}

interface SentAsProps {
  /** Null if the file is sent as a file. */
  text: TextFile | null;
  media: Media | null;
  onChange: (part: ContentPart) => void;
}

/** Text is the default, because few models accept file parts. */
function SentAs({ text, media, onChange }: SentAsProps) {
  const [problem, setProblem] = useState<AppError | null>(null);
  const [isBusy, setIsBusy] = useState(false);

  async function change(to: string): Promise<void> {
    if (isBusy) return;
    setProblem(null);
    setIsBusy(true);
    try {
      if (to === 'file' && text !== null) onChange(await toFilePart(text));
      if (to === 'text' && media !== null) onChange(await toTextPart(media));
    } catch (cause) {
      setProblem(toAppError(cause));
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <>
      <Select
        label="Send as"
        hideLabel
        className={styles.partDetail}
        value={text === null ? 'file' : 'text'}
        options={[
          { value: 'text', label: 'as text' },
          { value: 'file', label: 'as a file' },
        ]}
        onValueChange={(to) => void change(to)}
      />
      {problem !== null && (
        <ErrorAlert compact error={problem} onDismiss={() => setProblem(null)} />
      )}
    </>
  );
}
const DETAILS = ['low', 'high', 'auto'] as const;

interface DetailPickerProps {
  part: Extract<ContentPart, { type: 'image_url' }>;
  onChange: (part: ContentPart) => void;
}

function DetailPicker({ part, onChange }: DetailPickerProps) {
  return (
    <Select
      label="Detail"
      hideLabel
      className={styles.partDetail}
      value={part.image_url.detail ?? ''}
      options={[
        { value: '', label: 'detail: not set' },
        ...DETAILS.map((value) => ({ value, label: `detail: ${value}` })),
      ]}
      onValueChange={(value) => {
        const { detail: _old, ...image } = part.image_url;
        const detail = DETAILS.find((candidate) => candidate === value);
        onChange({ ...part, image_url: detail === undefined ? image : { ...image, detail } });
      }}
    />
  );
}
