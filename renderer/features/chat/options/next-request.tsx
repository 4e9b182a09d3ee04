import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Conversation } from '../../../../shared/conversation.ts';
import {
  countProviderFields,
  type SentProviderFields,
} from '../../../../shared/operations/chat/history.ts';
import { orpc } from '../../../lib/api.ts';
import { pluralize } from '../../../lib/format-quantity.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { JsonView } from '../../../ui/json-view/json-view.tsx';

interface NextRequestProps {
  conversation: Conversation;
  /** The last message of the shown branch. */
  parentId: string;
}

/** Says which provider fields the next request includes, and shows its messages on demand. */
export function NextRequest({ conversation, parentId }: NextRequestProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { id: conversationId, revision, options, systemMessage } = conversation;
  const query = orpc.conversations.nextMessages.queryOptions({
    input: { conversationId, parentId },
  });
  const { data } = useQuery({
    ...query,
    // The messages depend on the conversation and its options.
    queryKey: [...query.queryKey, revision, options.providerFields, systemMessage],
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  if (data === undefined) return null;
  return (
    <div className="row-8">
      <span className="grow hint">
        Next request: {describeFields(countProviderFields(data.messages))}
      </span>
      <Button size="small" onClick={() => setIsOpen(true)} aria-label="Show messages to send">
        Show
      </Button>
      {isOpen && (
        <Dialog
          open
          title="Messages of the next request"
          size="large"
          onClose={() => setIsOpen(false)}
        >
          <div className="stack-12">
            <p className="hint">
              Sent before your next message. Each media reference is replaced by its file.
            </p>
            <JsonView label="Messages" value={data.messages} />
          </div>
        </Dialog>
      )}
    </div>
  );
}

function describeFields({ reasoning, calls, audio }: SentProviderFields): string {
  const sent = [
    ...(reasoning > 0 ? [`reasoning of ${pluralize(reasoning, 'answer')}`] : []),
    ...(calls > 0 ? [`provider fields of ${pluralize(calls, 'tool call')}`] : []),
    ...(audio > 0 ? [`${pluralize(audio, 'spoken answer')} by ID`] : []),
  ];
  return sent.length === 0 ? 'no provider fields' : sent.join(', ');
}
