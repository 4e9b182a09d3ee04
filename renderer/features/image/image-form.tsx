import type { Ref } from 'react';
import type { FieldError } from '../../../shared/errors.ts';
import type { Media } from '../../../shared/media.ts';
import { findFieldMessage } from '../../lib/field-errors.ts';
import { LibraryButton } from '../../media/library/library-button.tsx';
import { ImageChip } from '../../media/players/media-chip.tsx';
import { images } from '../../media/uploads/media-filter.ts';
import { AttachButton, DropZone, UploadList } from '../../media/uploads/upload-controls.tsx';
import { useUploads } from '../../media/uploads/use-uploads.ts';
import { TextArea } from '../../ui/text-area.tsx';
import { UndoBars } from '../../ui/undo-bars.tsx';
import styles from './image.module.css';
import { imageLabels } from './image-labels.ts';
import {
  addImages,
  imageForm,
  removeImage,
  removeMask,
  replaceImage,
  setMask,
  useImageInput,
} from './image-store.ts';
import { MaskField } from './mask/mask-field.tsx';

const imageKinds = ['image'] as const;

interface ImageFormProps {
  /** The image that a mask applies to; null if the request has none. */
  editedId: string | null;
  errors: readonly FieldError[];
  promptRef: Ref<HTMLTextAreaElement>;
}

export function ImageForm({ editedId, errors, promptRef }: ImageFormProps) {
  const prompt = useImageInput((input) => input.prompt);
  const inputs = useImageInput((input) => input.images);
  const mask = useImageInput((input) => input.mask);
  const add = ({ id, type }: Media) => addImages([{ mediaId: id, mimeType: type }]);
  const uploads = useUploads({ place: 'image', filter: images, onMedia: add });
  return (
    <DropZone uploads={uploads} label="Drop images to attach" className={styles.form}>
      <TextArea
        ref={promptRef}
        label={imageLabels.prompt}
        value={prompt}
        onValueChange={(text) => imageForm.change({ input: { prompt: text } }, { typing: true })}
        error={findFieldMessage(errors, 'contents')}
        placeholder="Describe an image, or how to change the attached ones"
        autoGrow
        rows={2}
        maxRows={10}
      />
      <div className="wrap-8">
        {inputs.map((input, index) => (
          <ImageChip
            // biome-ignore lint/suspicious/noArrayIndexKey: the same image may be listed twice.
            key={index}
            mediaId={input.mediaId}
            onReplace={(media) => replaceImage(input.mediaId, media)}
            onRemove={() => removeImage(index)}
          />
        ))}
        <AttachButton uploads={uploads} filter={images} label="Attach" />
        <LibraryButton kinds={imageKinds} title="Attach an image" onPick={add} />
        {editedId !== null && (
          <MaskField
            imageId={editedId}
            maskId={mask?.imageId === editedId ? mask.mediaId : null}
            onMask={(media) => setMask(editedId, media)}
            onRemove={removeMask}
          />
        )}
      </div>
      <UndoBars place={imageForm.id} className={styles.undo} />
      <UploadList uploads={uploads} />
    </DropZone>
  );
}
