import { useEffect, useState } from 'react';
import { pluralize } from '../../../lib/format-quantity.ts';
import { getConversationForm } from '../../../run/form/panel-forms.ts';
import { useForm, useIsLoaded } from '../../../run/form/use-form.ts';
import { TextArea } from '../../../ui/text-area.tsx';
import { chatLabels } from '../conversation/chat-labels.ts';
import { useChat } from '../conversation/chat-store.ts';
import { systemMessages } from '../conversation/save-system-message.ts';
import { useChatState } from '../session/chat-session.ts';
import styles from './system-message.module.css';

export function SystemMessage() {
  const conversationId = useChatState((chat) => chat.conversationId);
  const saved = useChatState((chat) => chat.conversation?.systemMessage ?? null);
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
  const form = getConversationForm(null);
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

interface SavedSystemMessageProps {
  conversationId: string;
  /** Null until the conversation has loaded. */
  saved: string | null;
}

function SavedSystemMessage({ conversationId, saved }: SavedSystemMessageProps) {
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
      label={chatLabels.systemMessage}
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
