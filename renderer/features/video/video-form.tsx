import type { FieldError } from '../../../shared/errors.ts';
import { fieldMessage } from '../../lib/field-errors.ts';
import { TextArea } from '../../ui/text-area.tsx';
import { ImageInput } from './image-input.tsx';
import styles from './video.module.css';
import { chooseImage, useVideoInput, writePrompt } from './video-store.ts';

export function VideoForm({ errors }: { errors: readonly FieldError[] }) {
  const prompt = useVideoInput((input) => input.prompt);
  const image = useVideoInput((input) => input.image);
  return (
    <div className={styles.form}>
      <TextArea
        label="Prompt"
        value={prompt}
        onValueChange={writePrompt}
        error={fieldMessage(errors, 'prompt')}
        placeholder="What the video should show"
        autoGrow
        rows={2}
        maxRows={8}
      />
      <ImageInput image={image} onImage={chooseImage} />
    </div>
  );
}
