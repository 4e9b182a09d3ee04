// Hand-written because Base UI's toasts float above the page, and these bars are part of it.
import { useContext, useEffect, useLayoutEffect } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { DialogContext, useCommands } from '../lib/commands.ts';
import {
  hideOffer,
  holdOffer,
  registerUndoPlace,
  releaseOffer,
  type UndoOffer,
  undo,
  useUndo,
} from '../lib/undo.ts';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { IconButton } from './icon-button.tsx';
import { CloseIcon } from './icons/actions.tsx';
import styles from './toast.module.css';

/** Shows the Undo offers for deleted items next to where they were. */
export function UndoBars({ place, className }: { place: string; className?: string | undefined }) {
  const offers = useUndo(
    useShallow((state) =>
      state.offers.filter((offer) => offer.place === place && offer.state !== 'hidden'),
    ),
  );
  useLayoutEffect(() => registerUndoPlace(place), [place]);
  const isInDialog = useContext(DialogContext) !== null;
  const newest = offers.findLast(({ undo }) => undo !== null);
  useCommands([
    {
      id: `edit.undo-${place}`,
      title: 'Undo',
      group: 'Edit',
      shortcut: 'Mod+Z',
      whileTyping: false,
      enabled: isInDialog && newest !== undefined,
      run: () => newest !== undefined && void undo(newest.id),
    },
  ]);
  return (
    <div className={classNames(styles.bars, className)} role="status">
      {offers.map((offer) => (
        <UndoBar key={offer.id} offer={offer} />
      ))}
    </div>
  );
}

export function UndoBar({ offer }: { offer: UndoOffer }) {
  const { id, message, state } = offer;
  const failure = typeof state === 'object' ? state : null;
  const canUndo = offer.undo !== null && failure?.canRetry !== false;
  useEffect(
    () => () => {
      // When the panel unmounts, the bar gets no mouseleave or blur event.
      releaseOffer(id, 'pointer');
      releaseOffer(id, 'focus');
    },
    [id],
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only keeps the offer open
    <div
      className={`row-8 ${styles.bar}`}
      onPointerEnter={() => holdOffer(id, 'pointer')}
      onPointerLeave={() => releaseOffer(id, 'pointer')}
      onFocus={() => holdOffer(id, 'focus')}
      onBlur={() => releaseOffer(id, 'focus')}
    >
      <p className={`grow ${styles.text}`}>{failure?.problem ?? message}</p>
      {canUndo && (
        <Button
          size="small"
          data-undo-control
          busy={state === 'busy'}
          onClick={() => void undo(id)}
        >
          {failure === null ? 'Undo' : 'Try again'}
        </Button>
      )}
      <IconButton
        label="Dismiss"
        icon={<CloseIcon size={14} />}
        size="small"
        onClick={() => hideOffer(id)}
      />
    </div>
  );
}
