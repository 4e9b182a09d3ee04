// Hand-written because Base UI's drawer is a dialog that takes focus and swipes over sliders.
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { classNames } from './class-names.ts';
import styles from './side-drawer.module.css';

interface SideDrawerProps {
  label: string;
  /** If true, the drawer covers the content, and Escape or a click outside closes it. */
  over: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Renders a column to the right of the content, or over it if there isn't enough room. */
export function SideDrawer({ label, over, onClose, children }: SideDrawerProps) {
  const opener = useRef<Element | null>(null);
  function dismiss(event: Event) {
    event.preventDefault();
    event.stopPropagation();
    onClose();
    if (opener.current instanceof HTMLElement) opener.current.focus();
  }
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented) dismiss(event);
  });
  useEffect(() => {
    if (!over) return;
    opener.current = document.activeElement;
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    // Listen on the document, so this runs after the drawer's content and before panel shortcuts.
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, [over]);
  return (
    <>
      {over && (
        <div
          aria-hidden="true"
          className={styles.beside}
          onPointerDown={({ nativeEvent }) => dismiss(nativeEvent)}
        />
      )}
      <aside aria-label={label} className={classNames(styles.sidebar, over && styles.drawer)}>
        {children}
      </aside>
    </>
  );
}
