import { useEffect, useState } from 'react';
import { api } from '../../../lib/api.ts';
import { conversationForm } from '../../../run/form/panel-forms.ts';
import { useForm } from '../../../run/form/use-form.ts';
import { TextArea } from '../../../ui/text-area.tsx';
import styles from '../chat-panel.module.css';

interface SystemMessageProps {
  conversationId: string | null;
  saved: string;
}

/** What the model is told first; kept with the conversation and saved while it is typed. */
export function SystemMessage({ conversationId, saved }: SystemMessageProps) {
  const newForm = conversationForm(null);
  const unsaved = useForm(newForm, ({ input }) => input.systemMessage);
  const [typed, setTyped] = useState<string | null>(null);
  useEffect(() => () => void flushSystemMessage(), []);
  return (
    <div className={styles.head}>
      <TextArea
        label="System message"
        className={styles.systemMessage}
        placeholder="None: the model is told nothing before the first message"
        autoGrow
        rows={1}
        maxRows={6}
        value={conversationId === null ? unsaved : (typed ?? saved)}
        onValueChange={(value) => {
          if (conversationId === null) {
            newForm.change({ input: { systemMessage: value } }, { typing: true });
          } else {
            setTyped(value);
            saveSystemMessageSoon(conversationId, value);
          }
        }}
      />
    </div>
  );
}

const SAVE_AFTER_MS = 500;

let waiting: { id: string; systemMessage: string } | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
let saving: Promise<unknown> = Promise.resolve();

function saveSystemMessageSoon(id: string, systemMessage: string): void {
  if (waiting !== null && waiting.id !== id) void flushSystemMessage();
  waiting = { id, systemMessage };
  clearTimeout(timer);
  timer = setTimeout(() => void flushSystemMessage(), SAVE_AFTER_MS);
}

/** Settled when main has every system message typed so far. */
export function flushSystemMessage(): Promise<unknown> {
  clearTimeout(timer);
  if (waiting === null) return saving;
  const update = waiting;
  waiting = null;
  saving = api.conversations.update(update);
  // Told to whoever sends next; nobody else waits for it.
  saving.catch(() => undefined);
  return saving;
}
