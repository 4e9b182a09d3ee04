import type { ReactNode } from 'react';
import { UNFINISHED, useIsUnfinished } from '../../../run/form/request-views.ts';
import { RunButton } from '../../../run/frame/run-button.tsx';
import { RequestFields } from '../../../run/views/request-fields.tsx';
import { useChatState } from '../session/chat-session.ts';
import { useChatRequest } from './chat-request.ts';
import styles from './composer.module.css';
import { useRunButton } from './use-run-button.ts';

/** Shows the composer, or the request of the conversation as JSON or as code. */
export function ChatRequestFields({ children }: { children: ReactNode }) {
  const viewed = useChatRequest();
  const run = useRunButton();
  const blocked = useChatState((chat) => chat.blocked);
  // Code can also show a request that ends with a message already sent.
  const codeBlocked = useChatState((chat) => chat.run.blocked);
  const isUnfinished = useIsUnfinished(viewed.form);
  const disabledReason = isUnfinished ? UNFINISHED : run.disabledReason;
  return (
    <RequestFields
      viewed={viewed}
      blocked={blocked}
      codeBlocked={codeBlocked}
      onRun={run.onRun}
      className={styles.request}
      footer={
        <div className={styles.requestRun}>
          <RunButton {...run} disabledReason={disabledReason} />
        </div>
      }
    >
      {children}
    </RequestFields>
  );
}
