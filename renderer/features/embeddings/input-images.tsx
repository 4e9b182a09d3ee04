import type { Media } from '../../../shared/media.ts';
import { LibraryButton } from '../../media/library/library-button.tsx';
import { ImageChip } from '../../media/players/media-chip.tsx';
import { images } from '../../media/uploads/media-filter.ts';
import { AttachButton, UploadList } from '../../media/uploads/upload-controls.tsx';
import { useUploads } from '../../media/uploads/use-uploads.ts';
import { changeWithUndo } from '../../run/form/change-with-undo.ts';
import { useForm } from '../../run/form/use-form.ts';
import styles from './embeddings.module.css';
import { embeddingsForm as form } from './embeddings-form.ts';

const imageKinds = ['image'] as const;

/** Edits image inputs, which follow the texts, for models that accept images. */
export function InputImages() {
  const imageIds = useForm(form, ({ input }) => input.imageIds);
  const uploads = useUploads({ place: form.id, filter: images, onMedia: addImage });
  return (
    <fieldset aria-label="Images" className={styles.images}>
      <div className="wrap-8">
        <AttachButton uploads={uploads} filter={images} label="Add images" />
        <LibraryButton kinds={imageKinds} title="Choose an image" onPick={addImage} />
      </div>
      {imageIds.map((id, at) => (
        <ImageChip
          key={id}
          mediaId={id}
          onRemove={() => removeImage(id)}
          onReplace={(media) => writeImages(imageIds.with(at, media.id))}
        />
      ))}
      <UploadList uploads={uploads} />
    </fieldset>
  );
}

function getImages(): readonly string[] {
  return form.state.getState().values.input.imageIds;
}

function writeImages(imageIds: readonly string[]): void {
  form.change({ input: { imageIds: [...new Set(imageIds)] } });
}

function addImage(media: Media): void {
  writeImages([...getImages(), media.id]);
}

function removeImage(id: string): void {
  const remove = () => writeImages(getImages().filter((other) => other !== id));
  changeWithUndo(form, remove, 'Image removed', { severalWords: '# images removed' });
}
