import { useEffect, useState } from 'react';
import { TextArea } from '../../../ui/text-area.tsx';
import styles from '../chat-panel.module.css';
import { setNewSystemMessage, useChat } from '../chat-store.ts';
import { flushSystemMessage, saveSystemMessageSoon } from './system-message-saver.ts';

interface SystemMessageProps {
  conversationId: string | null;
  saved: string;
}

/** What the model is told first; kept with the conversation and saved while it is typed. */
export function SystemMessage({ conversationId, saved }: SystemMessageProps) {
  const unsaved = useChat((state) => state.newSystemMessage);
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
          if (conversationId === null) return setNewSystemMessage(value);
          setTyped(value);
          saveSystemMessageSoon(conversationId, value);
        }}
      />
    </div>
  );
}
