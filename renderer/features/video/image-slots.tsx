import { useState } from 'react';
import { findReferencedMedia, mediaReference } from '../../../shared/media.ts';
import { LibraryButton } from '../../media/library/library-button.tsx';
import { AttachmentChip, ImageChip } from '../../media/players/media-chip.tsx';
import { images } from '../../media/uploads/media-filter.ts';
import {
  AttachButton,
  DropZone,
  UploadList,
  UrlField,
} from '../../media/uploads/upload-controls.tsx';
import { useUploads } from '../../media/uploads/use-uploads.ts';
import { Button } from '../../ui/button.tsx';
import { ImageIcon } from '../../ui/icons/panels.tsx';
import { useFocusPassing } from '../../ui/pass-focus.ts';
import styles from './video.module.css';
import {
  addReferences,
  removeSlotImage,
  replaceReference,
  useVideoInput,
  writeFrame,
} from './video-store.ts';

const imageKinds = ['image'] as const;

/** Edits a video's images; each is a file, or a URL that the gateway fetches. */
export function ImageSlots({ isSent }: Pick<ImageSlotProps, 'isSent'>) {
  const first = useVideoInput((input) => input.image);
  const last = useVideoInput((input) => input.lastFrame);
  const references = useVideoInput((input) => input.references);
  return (
    <div className={styles.slots}>
      <ImageSlot
        title="First frame"
        isSent={isSent}
        place="video"
        shown={first === '' ? [] : [first]}
        onAdd={([image = '']) => writeFrame('image', image)}
        onReplace={(_, image) => writeFrame('image', image)}
        onRemove={() => removeSlotImage('image')}
      />
      <ImageSlot
        title="Last frame"
        isSent={isSent}
        place="video-last-frame"
        shown={last === '' ? [] : [last]}
        onAdd={([image = '']) => writeFrame('lastFrame', image)}
        onReplace={(_, image) => writeFrame('lastFrame', image)}
        onRemove={() => removeSlotImage('lastFrame')}
      />
      <ImageSlot
        title="References"
        isSent={isSent}
        place="video-references"
        takesMany
        shown={references}
        onAdd={addReferences}
        onReplace={replaceReference}
        onRemove={(index) => removeSlotImage('references', index)}
      />
    </div>
  );
}

interface ImageSlotProps {
  title: string;
  /** False in a remix, which shows only images that were added before. */
  isSent: boolean;
  /** The `place` of its uploads. */
  place: string;
  takesMany?: boolean;
  /** `media:<id>`, URLs or base64. */
  shown: readonly string[];
  onAdd: (images: readonly string[]) => void;
  onReplace: (index: number, image: string) => void;
  onRemove: (index: number) => void;
}

function ImageSlot(props: ImageSlotProps) {
  const { title, isSent, place, takesMany = false, shown, ...actions } = props;
  const { onAdd, onReplace, onRemove } = actions;
  const uploads = useUploads({
    place,
    filter: images,
    single: !takesMany,
    onMedia: (media) => onAdd([mediaReference(media.id)]),
  });
  if (!isSent && shown.length === 0) return null;
  return (
    <fieldset aria-label={title} className={styles.slot}>
      <DropZone uploads={uploads} label="Drop an image" className={styles.slotBody}>
        <p className={styles.groupTitle}>
          {title}
          {!isSent && ' · Not sent in a remix'}
        </p>
        {shown.map((image, index) => (
          <SlotImage
            // biome-ignore lint/suspicious/noArrayIndexKey: the same image may be listed twice.
            key={index}
            title={takesMany ? `Reference ${index + 1}` : title}
            image={image}
            onReplace={(next) => onReplace(index, next)}
            onRemove={() => onRemove(index)}
          />
        ))}
        {isSent && (takesMany || shown.length === 0) && (
          <SlotControls title={title} takesMany={takesMany} uploads={uploads} onAdd={onAdd} />
        )}
        <UploadList uploads={uploads} />
      </DropZone>
    </fieldset>
  );
}

interface SlotControlsProps extends Pick<ImageSlotProps, 'title' | 'takesMany' | 'onAdd'> {
  uploads: ReturnType<typeof useUploads>;
}

function SlotControls({ title, takesMany = false, uploads, onAdd }: SlotControlsProps) {
  const [takesUrl, setTakesUrl] = useState(false);
  const passing = useFocusPassing<HTMLDivElement>();
  return (
    <>
      <div className="wrap-8">
        <AttachButton uploads={uploads} filter={images} label="Attach" multiple={takesMany} />
        <LibraryButton
          kinds={imageKinds}
          title={title}
          onPick={(media) => onAdd([mediaReference(media.id)])}
        />
        <Button variant="quiet" aria-expanded={takesUrl} onClick={() => setTakesUrl(!takesUrl)}>
          URL
        </Button>
      </div>
      {takesUrl && (
        <div ref={passing}>
          <UrlField
            label="Image URL or base64"
            takesBase64
            autoFocus
            onUrl={(url) => {
              onAdd([url]);
              setTakesUrl(false);
            }}
          />
        </div>
      )}
    </>
  );
}

interface SlotImageProps {
  title: string;
  image: string;
  onReplace: (image: string) => void;
  onRemove: () => void;
}

function SlotImage({ title, image, onReplace, onRemove }: SlotImageProps) {
  const id = findReferencedMedia(image);
  if (id !== null) {
    return (
      <ImageChip
        mediaId={id}
        onRemove={onRemove}
        onReplace={(media) => onReplace(mediaReference(media.id))}
      />
    );
  }
  return (
    <AttachmentChip
      name={image.slice(0, 200)}
      icon={<ImageIcon />}
      detail={title}
      onRemove={onRemove}
    />
  );
}
