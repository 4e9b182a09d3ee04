/** Footnote references in the text, and the notes that follow it. */
import { createContext, type ReactNode, useContext, useMemo, useRef } from 'react';
import type { FootnoteBlock } from './block.ts';
import { type FootnoteLabels, numberFootnotes } from './document.ts';
import styles from './markdown.module.css';

interface Footnotes {
  /** The numbers of the defined notes by label. */
  numbers: ReadonlyMap<string, number>;
  openNote: (label: string, reference: HTMLElement) => void;
  /** Moves to the reference that was used last, or else to the first. */
  openReference: (label: string, note: HTMLElement) => void;
}

const FootnotesContext = createContext<Footnotes | null>(null);

interface FootnotesProviderProps {
  labels: FootnoteLabels;
  children: ReactNode;
}

export function FootnotesProvider({ labels, children }: FootnotesProviderProps) {
  const used = useRef(new Map<string, HTMLElement>());
  const footnotes = useMemo(
    (): Footnotes => ({
      numbers: numberFootnotes(labels),
      openNote(label, reference) {
        used.current.set(label, reference);
        reveal(findInAnswer(reference, 'note', label));
      },
      openReference(label, note) {
        const last = used.current.get(label);
        reveal(last?.isConnected === true ? last : findInAnswer(note, 'reference', label));
      },
    }),
    [labels],
  );
  return <FootnotesContext value={footnotes}>{children}</FootnotesContext>;
}

function findInAnswer(from: HTMLElement, kind: 'note' | 'reference', label: string) {
  const answer = from.closest(`.${styles.markdown}`);
  return answer?.querySelector<HTMLElement>(`[data-${kind}="${CSS.escape(label)}"]`) ?? null;
}

function reveal(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
  element?.focus({ preventScroll: true });
}

/** Shows a reference without a note as plain text. */
export function FootnoteReference({ label }: { label: string }) {
  const footnotes = useContext(FootnotesContext);
  const number = footnotes?.numbers.get(label);
  if (footnotes === null || number === undefined) return `[^${label}]`;
  return (
    <sup className={styles.reference}>
      <a
        href={`#${label}`}
        data-reference={label}
        aria-label={`Footnote ${number}`}
        onClick={(event) => {
          event.preventDefault();
          footnotes.openNote(label, event.currentTarget);
        }}
      >
        {number}
      </a>
    </sup>
  );
}

interface FootnoteListProps {
  notes: readonly FootnoteBlock[];
  /** The note that is still streaming, which ends with the caret. */
  growing: FootnoteBlock | null;
  renderNote: (note: FootnoteBlock) => ReactNode;
}

export function FootnoteList({ notes, growing, renderNote }: FootnoteListProps) {
  const footnotes = useContext(FootnotesContext);
  const getNumber = ({ label }: FootnoteBlock) => footnotes?.numbers.get(label) ?? 0;
  const sorted = notes.toSorted((a, b) => getNumber(a) - getNumber(b));
  return (
    <section className={styles.footnotes} aria-label="Footnotes">
      <ol>
        {sorted.map((note, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a label can have several notes.
            key={`${note.label} ${index}`}
            dir="auto"
            value={getNumber(note)}
            data-note={note.label}
            tabIndex={-1}
          >
            {renderNote(note)}
            {note !== growing && (
              <a
                className={styles.back}
                href={`#${note.label}`}
                aria-label={`Back to reference ${getNumber(note)}`}
                onClick={(event) => {
                  event.preventDefault();
                  footnotes?.openReference(note.label, event.currentTarget);
                }}
              >
                ↩
              </a>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
