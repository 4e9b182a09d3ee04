import type { FieldError } from '../../../shared/errors.ts';
import { fieldMessage } from '../../lib/app-error.ts';
import { TextArea } from '../../ui/text-area.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './speech.module.css';
import { countCharacters, longestText, textProblem } from './speech-text.ts';

interface SpeechFormProps {
  text: string;
  voiceField: string;
  errors: readonly FieldError[];
  onText: (text: string) => void;
  onVoiceField: (voiceField: string) => void;
}

export function SpeechForm({ text, voiceField, errors, onText, onVoiceField }: SpeechFormProps) {
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
      <TextField
        label="Voice is sent as"
        className={styles.voiceField}
        value={voiceField}
        onValueChange={onVoiceField}
        monospace
        spellCheck={false}
        placeholder="voice"
      />
    </div>
  );
}
