import {
  type ContentPart,
  getMediaId,
  getSource,
} from '../../../../shared/operations/chat/message.ts';
import { formatBytes } from '../../../lib/format-quantity.ts';
import { mediaTitle } from '../../../media/players/describe-media.ts';
import { MediaChip } from '../../../media/players/media-chip.tsx';
import { useMedia } from '../../../media/players/use-media.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { CloseIcon } from '../../../ui/icons/actions.tsx';
import { Select } from '../../../ui/select.tsx';
import styles from './composer.module.css';
import { getEncodedBytes } from './written-message.ts';

interface PartChipsProps {
  parts: readonly ContentPart[];
  onChange: (parts: ContentPart[]) => void;
  onRemove: (index: number) => void;
}

export function PartChips({ parts, onChange, onRemove }: PartChipsProps) {
  return (
    <ul className={`wrap-8 ${styles.parts}`} aria-label="Attachments">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same media item may be attached twice.
        <li key={index}>
          <PartChip
            part={part}
            onChange={(changed) => onChange(parts.with(index, changed))}
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
  const detail =
    part.type === 'image_url' ? <DetailPicker part={part} onChange={onChange} /> : null;
  if (media !== null) {
    const size = formatBytes(getEncodedBytes(part, media));
    return (
      <MediaChip
        media={media}
        title={(part.type === 'file' ? part.file.filename : null) ?? mediaTitle(media)}
        detail={`${size} encoded`}
        onRemove={onRemove}
      >
        {detail}
      </MediaChip>
    );
  }
  const name =
    getMediaId(part) === null
      ? describePart(part)
      : isPending
        ? 'Loading'
        : 'No longer in the library';
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div role="group" aria-label={name} className={`row-8 ${styles.part}`}>
      <span className={`truncate ${styles.partName}`} title={name}>
        {name}
      </span>
      {detail}
      <IconButton
        size="small"
        label={`Remove ${name}`}
        icon={<CloseIcon size={12} />}
        onClick={onRemove}
      />
    </div>
  );
}

function describePart(part: ContentPart): string {
  if (part.type === 'file') {
    const { filename, file_id: id = '' } = part.file;
    return `File ID ${id}${filename === undefined ? '' : ` · ${filename}`}`;
  }
  return getSource(part) ?? '';
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
