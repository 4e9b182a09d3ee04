import type { FieldError } from '../../../shared/errors.ts';
import { fieldMessage } from '../../lib/field-errors.ts';
import { TextArea } from '../../ui/text-area.tsx';
import styles from './speech.module.css';
import { countCharacters, longestText, textProblem } from './speech-text.ts';

interface SpeechFormProps {
  text: string;
  errors: readonly FieldError[];
  onText: (text: string) => void;
}

export function SpeechForm({ text, errors, onText }: SpeechFormProps) {
  const fromMain = fieldMessage(errors, 'input');
  const count = countCharacters(text).toLocaleString('en');
  return (
    <div className={styles.form}>
      <TextArea
        label="Text"
        value={text}
        onValueChange={onText}
        error={textProblem(text) ?? fromMain}
        help={`${count} of ${longestText.toLocaleString('en')} characters`}
        placeholder="What is to be spoken"
        autoGrow
        rows={4}
        maxRows={14}
      />
    </div>
  );
}
