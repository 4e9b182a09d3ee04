import type { ReactNode } from 'react';
import { UNFINISHED, useIsUnfinished } from '../../../run/form/request-views.ts';
import type { RunBlock } from '../../../run/form/run-block.ts';
import { RunButton, type RunButtonProps } from '../../../run/frame/run-button.tsx';
import { RequestFields } from '../../../run/views/request-fields.tsx';
import { type ChatRequestParts, useChatRequest } from './chat-request.ts';
import styles from './composer.module.css';

interface ChatRequestFieldsProps {
  request: ChatRequestParts;
  blocked: RunBlock | null;
  run: RunButtonProps;
  children: ReactNode;
}

/** Shows the composer, or the request of the conversation as JSON or as code. */
export function ChatRequestFields({ request, blocked, run, children }: ChatRequestFieldsProps) {
  const viewed = useChatRequest(request);
  const isUnfinished = useIsUnfinished(request.form);
  const disabledReason = isUnfinished ? UNFINISHED : run.disabledReason;
  return (
    <RequestFields
      viewed={viewed}
      blocked={blocked}
      // Code can also show a request that ends with a message already sent.
      codeBlocked={request.blocked}
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
