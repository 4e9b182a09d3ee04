import { useState } from 'react';
import { createMediaReference, findReferencedMedia } from '../../../shared/media.ts';
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
import { Select } from '../../ui/select.tsx';
import styles from './video.module.css';
import {
  addImage,
  type ImageRole,
  listImages,
  moveImage,
  type RoleImage,
  removeImage,
  replaceImage,
  useVideoInput,
} from './video-store.ts';

const imageKinds = ['image'] as const;

const roles: readonly { value: ImageRole; label: string }[] = [
  { value: 'image', label: 'First frame' },
  { value: 'lastFrame', label: 'Last frame' },
  { value: 'references', label: 'Reference' },
];

interface ImageSlotsProps {
  /** False in a remix, which shows only images that were added before. */
  isSent: boolean;
}

/** Edits a video's images and their roles; each is a file, or a URL that the gateway fetches. */
export function ImageSlots({ isSent }: ImageSlotsProps) {
  const first = useVideoInput((input) => input.image);
  const lastFrame = useVideoInput((input) => input.lastFrame);
  const references = useVideoInput((input) => input.references);
  const shown = listImages({ image: first, lastFrame, references });
  const uploads = useUploads({
    place: 'video',
    filter: images,
    onMedia: (media) => addImage(createMediaReference(media.id)),
  });
  if (!isSent && shown.length === 0) return null;
  return (
    <fieldset aria-label="Images" className={styles.images}>
      <DropZone uploads={uploads} label="Drop an image" className={styles.imageRow}>
        {shown.map((one) => (
          <SlotImage key={`${one.role} ${one.index}`} {...one} />
        ))}
        {isSent ? (
          <ImageControls uploads={uploads} isEmpty={shown.length === 0} />
        ) : (
          <span className="hint">Not sent in a remix</span>
        )}
        <UploadList uploads={uploads} />
      </DropZone>
    </fieldset>
  );
}

interface ImageControlsProps {
  uploads: ReturnType<typeof useUploads>;
  isEmpty: boolean;
}

function ImageControls({ uploads, isEmpty }: ImageControlsProps) {
  const [takesUrl, setTakesUrl] = useState(false);
  const passing = useFocusPassing<HTMLDivElement>();
  return (
    <>
      <AttachButton uploads={uploads} filter={images} label="Attach" multiple />
      <LibraryButton
        kinds={imageKinds}
        title="Image"
        onPick={(media) => addImage(createMediaReference(media.id))}
      />
      <Button variant="quiet" aria-expanded={takesUrl} onClick={() => setTakesUrl(!takesUrl)}>
        URL
      </Button>
      {isEmpty && !takesUrl && (
        <span className="hint">Optional: first frame, last frame or references</span>
      )}
      {takesUrl && (
        <div ref={passing}>
          <UrlField
            label="Image URL or base64"
            takesBase64
            autoFocus
            onUrl={(url) => {
              addImage(url);
              setTakesUrl(false);
            }}
          />
        </div>
      )}
    </>
  );
}

function SlotImage({ role, index, image }: RoleImage) {
  const id = findReferencedMedia(image);
  const title = roles.find(({ value }) => value === role)?.label ?? '';
  const name = role === 'references' ? `${title} ${index + 1}` : title;
  const remove = () => removeImage(role, index);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be a flex item everywhere.
    <div role="group" aria-label={name} className={styles.slot}>
      {id === null ? (
        <AttachmentChip
          name={image.slice(0, 200)}
          icon={<ImageIcon />}
          detail="URL or base64"
          onRemove={remove}
        />
      ) : (
        <ImageChip
          mediaId={id}
          onRemove={remove}
          onReplace={(media) => replaceImage(role, index, createMediaReference(media.id))}
        />
      )}
      <Select
        label={`Role of ${name.toLowerCase()}`}
        hideLabel
        value={role}
        options={roles}
        onValueChange={(next) => moveImage(role, index, next)}
      />
    </div>
  );
}
