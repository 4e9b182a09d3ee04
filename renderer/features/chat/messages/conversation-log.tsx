import { memo, type ReactNode, type RefObject, useLayoutEffect, useMemo, useRef } from 'react';
import type { ConversationOptions, ProviderFields } from '../../../../shared/conversation.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { api } from '../../../lib/api.ts';
import { toAppError } from '../../../lib/app-error.ts';
import { ImageView } from '../../../media/players/image-view.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { LinkOpenerContext } from '../../../ui/markdown/inline.tsx';
import { type RemoteImages, RemoteImagesContext } from '../../../ui/markdown/remote-image.tsx';
import { showToast } from '../../../ui/show-toast.ts';
import { Spinner } from '../../../ui/spinner.tsx';
import { ProviderFieldsContext } from '../answer/rejected-fields.tsx';
import { ExpectsJsonContext } from '../answer/schema-check.tsx';
import styles from '../chat-panel.module.css';
import { rememberScrollPlace, useChat } from '../chat-store.ts';
import { FindBar } from '../find/find-bar.tsx';
import type { LogControl } from './log-control.ts';
import { MessageLog, type MessageLogProps } from './message-log.tsx';

interface ConversationLogProps extends Omit<MessageLogProps, 'control'> {
  control: RefObject<LogControl | null>;
  conversationId: string | null;
  isLoading: boolean;
  error: AppError | null;
  empty: ReactNode;
}

/** Memoized so that typing doesn't re-render the log. */
export const ConversationLog = memo(function ConversationLog(props: ConversationLogProps) {
  const { conversationId, isLoading, error, empty, ...log } = props;
  const editingId = useChat((state) => state.editingId);
  const isFinding = useChat((state) => state.findOpened > 0);
  if (isLoading) {
    return (
      <div className={`fill ${styles.center}`}>
        <Spinner label="Loading conversation" />
      </div>
    );
  }
  if (error !== null) {
    return (
      <div className={`fill ${styles.center}`}>
        <ErrorAlert error={error} />
      </div>
    );
  }
  if (conversationId === null || log.path.length === 0) {
    return (
      <div className={`fill ${styles.center}`} role="log" aria-label="Conversation" aria-live="off">
        {empty}
      </div>
    );
  }
  return (
    <>
      {isFinding && <FindBar path={log.path} control={log.control} />}
      <MessageLog
        {...log}
        editingId={editingId}
        place={useChat.getState().places[conversationId] ?? null}
        onPlace={(place) => rememberScrollPlace(conversationId, place)}
      />
    </>
  );
});

interface MessageProvidersProps {
  options: ConversationOptions;
  changeOptions: (change: Partial<ConversationOptions>) => Promise<boolean>;
  children: ReactNode;
}

function openInBrowser(url: string): void {
  api.system
    .openExternal({ url })
    .catch((error: unknown) => showToast({ message: toAppError(error).message, tone: 'danger' }));
}

const openLink = location.protocol === 'app:' ? openInBrowser : null;

const remoteImages: RemoteImages = {
  fetchImage: (url) => api.media.fetchRemote({ url }),
  showImage: (media, title) => <ImageView media={media} title={title} />,
};

/** Provides messages with link handling, remote images and the conversation's options. */
export function MessageProviders({ options, changeOptions, children }: MessageProvidersProps) {
  const { providerFields } = options;
  const change = useRef(changeOptions);
  useLayoutEffect(() => {
    change.current = changeOptions;
  });
  const setting = useMemo(
    () => ({
      value: providerFields,
      change: (value: ProviderFields) => change.current({ providerFields: value }),
    }),
    [providerFields],
  );
  return (
    <LinkOpenerContext value={openLink}>
      <RemoteImagesContext value={remoteImages}>
        <ExpectsJsonContext value={options.responseFormat !== null}>
          <ProviderFieldsContext value={setting}>{children}</ProviderFieldsContext>
        </ExpectsJsonContext>
      </RemoteImagesContext>
    </LinkOpenerContext>
  );
}
