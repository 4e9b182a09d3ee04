import { useMemo, useState } from 'react';
import {
  type Content,
  type ContentPart,
  getMediaId,
  getSource,
} from '../../../../../shared/operations/chat/message.ts';
import { getLanguage, readTextFile } from '../../../../../shared/operations/chat/text-file.ts';
import { formatBytes, formatCount } from '../../../../lib/format-quantity.ts';
import { getMediaTitle } from '../../../../media/players/describe-media.ts';
import { MediaChip } from '../../../../media/players/media-chip.tsx';
import { MediaView } from '../../../../media/players/media-view.tsx';
import { useMedia } from '../../../../media/players/use-media.ts';
import { Button } from '../../../../ui/button.tsx';
import { classNames } from '../../../../ui/class-names.ts';
import { FileIcon } from '../../../../ui/icons/media.tsx';
import { CodeView, splitText } from '../../../../ui/markdown/code-block.tsx';
import { RemoteImage } from '../../../../ui/markdown/remote-image.tsx';
import { getEncodedBytes } from '../../conversation/written-message.ts';
import styles from './message.module.css';

/** Shows text as is, and a viewer or player for each other part. */
export function MessageParts({ content }: { content: Content }) {
  if (typeof content === 'string') return <PlainText text={content} />;
  return (
    <div className="stack-8">
      {content.map((part, index) =>
        part.type === 'text' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts keep their order.
          <TextPart key={index} part={part} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts keep their order.
          <PartView key={index} part={part} />
        ),
      )}
    </div>
  );
}

/** Collapses an attached text file, because it can be long. */
function TextPart({ part }: { part: Extract<ContentPart, { type: 'text' }> }) {
  const file = useMemo(() => readTextFile(part), [part]);
  const [isOpen, setIsOpen] = useState(false);
  if (file === null) return <PlainText text={part.text} />;
  return (
    <details className={styles.file} onToggle={({ currentTarget: { open } }) => setIsOpen(open)}>
      <summary>
        <FileIcon size={14} />
        <span className={classNames(styles.fileName, 'truncate')}>{file.name}</span>
        <span className={styles.caption}>{`${formatCount(file.text.length)} characters`}</span>
      </summary>
      {isOpen && <CodeView code={file.text.replace(/\n$/, '')} language={getLanguage(file.name)} />}
    </details>
  );
}

type Attachment = Exclude<ContentPart, { type: 'text' }>;

interface PartViewProps {
  part: Attachment;
  /** True if the part belongs to an answer, which doesn't show the encoded size. */
  received?: boolean;
}

export function PartView({ part, received = false }: PartViewProps) {
  const id = getMediaId(part);
  const { media, isPending } = useMedia(id);
  if (id === null) return <RemotePart part={part} />;
  if (media === null) {
    return (
      <p className="caption">
        {isPending ? 'Loading…' : 'This attachment is no longer in the library.'}
      </p>
    );
  }
  const title = (part.type === 'file' ? part.file.filename : null) ?? getMediaTitle(media);
  if (received) {
    return (
      <div className={classNames(styles.part, media.kind !== 'image' && styles.wide)}>
        <MediaView media={media} title={title} />
      </div>
    );
  }
  const facts = [...getDetail(part), `${formatBytes(getEncodedBytes(part, media))} encoded`].join(
    ' · ',
  );
  if (part.type === 'file') {
    return (
      <div className={styles.part}>
        <MediaChip media={media} title={title} detail={facts} />
      </div>
    );
  }
  return (
    <div className={classNames(styles.part, media.kind !== 'image' && styles.wide)}>
      <div className={media.kind === 'image' ? `wrap-8 ${styles.images}` : undefined}>
        <MediaView media={media} title={title} />
      </div>
      <p className={styles.caption}>{facts}</p>
    </div>
  );
}

/** Shows a part that the gateway fetches from a URL or already has as a file. */
function RemotePart({ part }: { part: Attachment }) {
  if (part.type === 'file') {
    const { filename, file_data: address, file_id: id = address ?? 'unknown' } = part.file;
    return (
      <p className="mono verbatim">
        {address === undefined ? 'File ID' : 'File URL:'} {id.slice(0, 300)}
        {filename !== undefined && ` · ${filename}`}
      </p>
    );
  }
  const source = getSource(part) ?? '';
  if (part.type === 'image_url') {
    return (
      <div className={styles.part}>
        <RemoteImage href={source} alternativeText={source.slice(0, 200)} />
        {getDetail(part).length > 0 && (
          <p className={styles.caption}>{getDetail(part).join(' · ')}</p>
        )}
      </div>
    );
  }
  return <p className="mono verbatim">{`${kindLabels[part.type]} ${source.slice(0, 300)}`}</p>;
}

const kindLabels = { input_audio: 'Audio', video_url: 'Video URL:' } as const;

function getDetail(part: Attachment): string[] {
  const detail = part.type === 'image_url' ? part.image_url.detail : undefined;
  return detail === undefined ? [] : [`detail: ${detail}`];
}

const SHOWN_LENGTH = 20_000;

/** Shows text as is, truncating long text until the user expands it. */
export function PlainText({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  const isTruncated = !whole && text.length > SHOWN_LENGTH;
  const shown = isTruncated ? text.slice(0, SHOWN_LENGTH) : text;
  return (
    <div className={`verbatim ${styles.plainText}`} dir="auto">
      {splitText(shown)}
      {isTruncated && (
        <Button size="small" variant="quiet" onClick={() => setWhole(true)}>
          Show all {formatCount(text.length)} characters
        </Button>
      )}
    </div>
  );
}
