import { mediaReference, referencedMedia } from '../../../shared/media.ts';
import { LibraryButton } from '../../media/library/library-button.tsx';
import { ImageChip } from '../../media/players/media-chip.tsx';
import { images } from '../../media/uploads/media-filter.ts';
import {
  AttachButton,
  DropZone,
  UploadList,
  UrlField,
} from '../../media/uploads/upload-controls.tsx';
import { useUploads } from '../../media/uploads/use-uploads.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import styles from './video.module.css';

const imageKinds = ['image'] as const;

interface ImageInputProps {
  /** `media:<id>`, a URL, or an empty string. */
  image: string;
  onImage: (image: string) => void;
  onRemove: () => void;
}

/** The starting image: a file, or a URL that the gateway fetches. */
export function ImageInput({ image, onImage, onRemove }: ImageInputProps) {
  const uploads = useUploads({
    place: 'video',
    filter: images,
    onMedia: (media) => onImage(mediaReference(media.id)),
  });
  return (
    <DropZone uploads={uploads} label="Drop a starting image">
      {image === '' ? (
        <div className={styles.image}>
          <AttachButton uploads={uploads} filter={images} label="Attach" multiple={false} />
          <LibraryButton
            kinds={imageKinds}
            title="Start from an image"
            onPick={(media) => onImage(mediaReference(media.id))}
          />
          <div className={styles.url}>
            <UrlField label="Image URL or base64" takesBase64 onUrl={onImage} />
          </div>
        </div>
      ) : (
        <ChosenImage image={image} onImage={onImage} onRemove={onRemove} />
      )}
      <UploadList uploads={uploads} />
    </DropZone>
  );
}

function ChosenImage({ image, onImage, onRemove }: ImageInputProps) {
  const id = referencedMedia(image);
  if (id !== null) {
    return (
      <ImageChip
        mediaId={id}
        onRemove={onRemove}
        onReplace={(media) => onImage(mediaReference(media.id))}
      />
    );
  }
  return (
    <div className="row-8">
      <span className={classNames(styles.address, 'truncate mono')} title={image.slice(0, 1000)}>
        {image.slice(0, 200)}
      </span>
      <Button size="small" variant="quiet" onClick={onRemove}>
        Remove image
      </Button>
    </div>
  );
}
