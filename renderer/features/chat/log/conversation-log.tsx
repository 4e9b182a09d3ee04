import { type ReactNode, useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { ProviderFields } from '../../../../shared/conversation.ts';
import { api } from '../../../lib/api.ts';
import { ImageView } from '../../../media/players/image-view.tsx';
import { type RemoteImages, RemoteImagesContext } from '../../../ui/markdown/remote-image.tsx';
import { rememberScrollPlace, useChat } from '../conversation/chat-store.ts';
import { useChatSession, useChatState } from '../session/chat-session.ts';
import { ProviderFieldsContext } from './answer/rejected-fields.tsx';
import { ExpectsJsonContext } from './answer/schema-check.tsx';
import { FindBar } from './find/find-bar.tsx';
import { hasLogEnd, LogEnd } from './log-end.tsx';
import { createMessageHandlers } from './message-handlers.ts';
import { MessageLog } from './message-log.tsx';

/** Shows the branch of the conversation as a log. */
export function ConversationLog() {
  const session = useChatSession();
  const conversationId = useChatState((chat) => chat.conversationId);
  const shown = useChatState(
    useShallow(({ form, path, notes, siblings, choices, earlier, loadEarlier }) => ({
      form,
      path,
      notes,
      siblings,
      choices,
      earlier,
      loadEarlier,
    })),
  );
  const hasEnd = useChatState(hasLogEnd);
  const editingId = useChat((state) => state.editingId);
  const isFinding = useChat((state) => state.findOpened > 0);
  const handlers = useMemo(() => createMessageHandlers(session), [session]);
  if (conversationId === null) return null;
  return (
    <MessageProviders>
      {isFinding && <FindBar />}
      <MessageLog
        {...shown}
        handlers={handlers}
        end={hasEnd ? <LogEnd /> : null}
        editingId={editingId}
        control={session.log}
        place={useChat.getState().places[conversationId] ?? null}
        onPlace={(place) => rememberScrollPlace(conversationId, place)}
      />
    </MessageProviders>
  );
}

const remoteImages: RemoteImages = {
  fetchImage: (url) => api.media.fetchRemote({ url }),
  showImage: (media, title) => <ImageView media={media} title={title} />,
};

/** Provides messages with remote images and the conversation's options. */
export function MessageProviders({ children }: { children: ReactNode }) {
  const { changeOptions } = useChatSession();
  const providerFields = useChatState((chat) => chat.options.providerFields);
  const expectsJson = useChatState((chat) => chat.options.responseFormat !== null);
  const setting = useMemo(
    () => ({
      value: providerFields,
      change: (value: ProviderFields) => changeOptions({ providerFields: value }),
    }),
    [providerFields, changeOptions],
  );
  return (
    <RemoteImagesContext value={remoteImages}>
      <ExpectsJsonContext value={expectsJson}>
        <ProviderFieldsContext value={setting}>{children}</ProviderFieldsContext>
      </ExpectsJsonContext>
    </RemoteImagesContext>
  );
}
