import { useId, useMemo, useState } from 'react';
import type { TreeMessage } from '../../../../shared/conversation.ts';
import { pluralize } from '../../../lib/format-quantity.ts';
import { inspectRun } from '../../../lib/layout.ts';
import { Button } from '../../../ui/button.tsx';
import { ChevronDownIcon, ChevronRightIcon } from '../../../ui/icons/status.tsx';
import type { ComposerForm } from '../composer/composer-form.ts';
import type { MessageHandlers } from '../messages/message-handlers.ts';
import { MessageLog } from '../messages/message-log.tsx';
import styles from './chat-columns.module.css';

interface EarlierMessagesProps {
  messages: readonly TreeMessage[];
  form: ComposerForm;
}

/** What all columns have in common, once above them. */
export function EarlierMessages({ messages, form }: EarlierMessagesProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const handlers = useMemo(
    (): MessageHandlers => ({
      canRetry: () => false,
      onRetry: () => undefined,
      onInspect: ({ run }) => run !== null && inspectRun(run.id),
      onPick: null,
      changes: null,
    }),
    [],
  );
  return (
    <div className={styles.earlier}>
      <Button
        size="small"
        variant="quiet"
        icon={isOpen ? <ChevronDownIcon size={14} /> : <ChevronRightIcon size={14} />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {pluralize(messages.length, 'earlier message')}
      </Button>
      {isOpen && (
        <div id={id} className={styles.earlierLog}>
          <MessageLog
            label="Earlier messages"
            form={form}
            path={messages}
            siblings={noSiblings}
            notes={noNotes}
            choices={[]}
            end={null}
            editingId={null}
            handlers={handlers}
            isPartial={false}
            place={null}
            onPlace={() => undefined}
          />
        </div>
      )}
    </div>
  );
}

const noSiblings = new Map<string, never>();
const noNotes = new Map<string, never>();
