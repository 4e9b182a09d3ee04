import { useEffect, useState } from 'react';
import { pluralize } from '../../../lib/format-quantity.ts';
import { conversationForm } from '../../../run/form/panel-forms.ts';
import { useForm, useIsLoaded } from '../../../run/form/use-form.ts';
import { TextArea } from '../../../ui/text-area.tsx';
import styles from '../chat-panel.module.css';
import { useChat } from '../chat-store.ts';
import { systemMessages } from './save-system-message.ts';

interface SystemMessageProps {
  conversationId: string | null;
  /** Null until the conversation has loaded. */
  saved: string | null;
}

export function SystemMessage({ conversationId, saved }: SystemMessageProps) {
  const edition = useChat((state) => state.systemMessageEdition);
  return (
    <div className={styles.head}>
      {conversationId === null ? (
        <NewSystemMessage />
      ) : (
        <SavedSystemMessage
          key={`${conversationId} ${edition}`}
          conversationId={conversationId}
          saved={saved}
        />
      )}
    </div>
  );
}

function NewSystemMessage() {
  const form = conversationForm(null);
  const isLoaded = useIsLoaded(form);
  const value = useForm(form, ({ input }) => input.systemMessage);
  return (
    <SystemMessageArea
      value={value}
      readOnly={!isLoaded}
      onValueChange={(systemMessage) => form.change({ input: { systemMessage } }, { typing: true })}
    />
  );
}

function SavedSystemMessage({
  conversationId,
  saved,
}: SystemMessageProps & { conversationId: string }) {
  const [typed, setTyped] = useState(() => systemMessages.getUnsaved(conversationId));
  useEffect(() => () => void systemMessages.flush(conversationId), [conversationId]);
  return (
    <SystemMessageArea
      value={typed ?? saved ?? ''}
      readOnly={saved === null}
      onValueChange={(systemMessage) => {
        setTyped(systemMessage);
        systemMessages.saveSoon(conversationId, systemMessage);
      }}
    />
  );
}

/** Longer text isn't measured, because counting its lines would slow down typing. */
const MAX_COUNTED_CHARS = 20_000;

interface SystemMessageAreaProps {
  value: string;
  readOnly: boolean;
  onValueChange: (value: string) => void;
}

function SystemMessageArea(props: SystemMessageAreaProps) {
  const { value } = props;
  const moreLines = value.length > MAX_COUNTED_CHARS ? 0 : value.trimEnd().split('\n').length - 1;
  return (
    <TextArea
      {...props}
      label="System message"
      className={styles.systemMessage}
      onBlur={(event) => {
        event.currentTarget.scrollTop = 0;
      }}
      help={moreLines > 0 ? `+${pluralize(moreLines, 'line')}` : undefined}
      placeholder="Optional instructions for the model"
      folds
      rows={1}
    />
  );
}
