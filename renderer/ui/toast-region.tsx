import { Toast } from '@base-ui/react/toast';
import type { ReactNode } from 'react';
import { useCommands } from '../lib/commands.ts';
import { undo, useUndo } from '../lib/undo.ts';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';
import { CloseIcon } from './icons/actions.tsx';
import { CheckIcon, ErrorIcon, InfoIcon } from './icons/status.tsx';
import { noteManager } from './inline-note.ts';
import { type ToastMessage, toastManager } from './show-toast.ts';
import styles from './toast.module.css';
import tooltipStyles from './tooltip.module.css';
import { UndoBar } from './undo-bars.tsx';

export function ToastRegion() {
  return (
    <>
      <Toast.Provider toastManager={toastManager}>
        <Notifications />
      </Toast.Provider>
      <Toast.Provider toastManager={noteManager}>
        <Notes />
      </Toast.Provider>
    </>
  );
}

function Notifications() {
  const { toasts } = Toast.useToastManager<ToastMessage>();
  const { offers, places } = useUndo();
  // Merging into an offer makes it the newest again.
  const newest = offers
    .filter((offer) => offer.undo !== null)
    .toSorted((one, other) => one.expiresAt - other.expiresAt)
    .at(-1);
  useCommands([
    {
      id: 'edit.undo',
      title: `Undo: ${newest?.message ?? ''}`,
      group: 'Edit',
      shortcut: 'Mod+Z',
      whileTyping: false,
      enabled: newest !== undefined,
      run: () => newest !== undefined && void undo(newest.id),
    },
  ]);
  return (
    <Toast.Portal>
      <Toast.Viewport className={styles.region}>
        {offers.map(
          (offer) =>
            offer.state !== 'hidden' &&
            (places[offer.place] ?? 0) === 0 && <UndoBar key={`undo-${offer.id}`} offer={offer} />,
        )}
        {toasts.toReversed().map((toast) => {
          const { tone = 'info', action } = toast.data ?? {};
          const close = () => toastManager.close(toast.id);
          return (
            <Toast.Root
              key={toast.id}
              toast={toast}
              {...note}
              swipeDirection="right"
              className={`row-8 ${styles.toast}`}
            >
              <span className={styles[tone]}>{icons[tone]}</span>
              <Toast.Description className={`grow ${styles.text}`} />
              {action !== undefined && (
                <Button
                  size="small"
                  variant="quiet"
                  onClick={() => {
                    close();
                    action.onAction();
                  }}
                >
                  {action.label}
                </Button>
              )}
              <IconButton label="Dismiss" icon={<CloseIcon />} size="small" onClick={close} />
            </Toast.Root>
          );
        })}
      </Toast.Viewport>
    </Toast.Portal>
  );
}

/** Base UI sets `aria-modal` for every role, but only dialogs may have it. */
const note = { role: 'note', 'aria-modal': undefined } as const;

const icons: Record<NonNullable<ToastMessage['tone']>, ReactNode> = {
  info: <InfoIcon />,
  success: <CheckIcon />,
  danger: <ErrorIcon />,
};

function Notes() {
  const { toasts } = Toast.useToastManager();
  return (
    <Toast.Portal>
      <Toast.Viewport aria-label="Notes">
        {toasts.map((toast) => (
          <Toast.Positioner key={toast.id} toast={toast} className={tooltipStyles.positioner}>
            <Toast.Root toast={toast} {...note} tabIndex={-1} className={tooltipStyles.tooltip}>
              <Toast.Description />
            </Toast.Root>
          </Toast.Positioner>
        ))}
      </Toast.Viewport>
    </Toast.Portal>
  );
}
