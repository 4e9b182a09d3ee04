// Written by hand, because Base UI's drawers are dialogs and the panel must stay usable.
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { classNames } from './class-names.ts';
import styles from './side-drawer.module.css';

interface SideDrawerProps {
  label: string;
  /** If true, the drawer covers the content, and Escape or a click outside closes the drawer. */
  over: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A column at the right of the content, or over the content if there is no room. */
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
    // Listen on the document: after the drawer's content, but before panel shortcuts on the window.
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
