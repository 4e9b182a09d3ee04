// Written by hand because Base UI's drawers are dialogs, and the panel beside this one stays in use.
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { classNames } from './class-names.ts';
import styles from './side-drawer.module.css';

interface SideDrawerProps {
  label: string;
  /** It lies over the content: Escape and a click beside it close it. */
  over: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A column at the right of the content, or over it where there is no room beside it. */
export function SideDrawer({ label, over, onClose, children }: SideDrawerProps) {
  return (
    <>
      {over && <Beside onClose={onClose} />}
      <aside aria-label={label} className={classNames(styles.sidebar, over && styles.drawer)}>
        {children}
      </aside>
    </>
  );
}

function Beside({ onClose }: Pick<SideDrawerProps, 'onClose'>) {
  const opener = useRef<Element | null>(null);
  const dismiss = useEffectEvent((event: Event) => {
    event.preventDefault();
    event.stopPropagation();
    onClose();
    if (opener.current instanceof HTMLElement) opener.current.focus();
  });
  useEffect(() => {
    opener.current = document.activeElement;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) dismiss(event);
    };
    // On the document: after what is open inside, before the panel's shortcuts, which listen on the window.
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <div
      aria-hidden="true"
      className={styles.beside}
      onPointerDown={(event) => dismiss(event.nativeEvent)}
    />
  );
}
