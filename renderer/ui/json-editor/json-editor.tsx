import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { formatCount } from '../../lib/format-quantity.ts';
import { Button } from '../button.tsx';
import fieldStyles from '../field.module.css';
import { ErrorIcon, WarningIcon } from '../icons/status.tsx';
import { lazyComponent } from '../lazy-component.tsx';
import type { MountedEditor } from './code-mirror.ts';
import styles from './json-editor.module.css';
import type { JsonHint } from './json-hints.ts';
import { type CheckValue, listProblems, noCheck } from './json-problems.ts';
import type { LockedItems } from './locked-items.ts';

interface JsonEditorProps {
  label: string;
  /** The label is only for assistive technology. */
  hidesLabel?: boolean;
  /** The initial text; to replace it, change the `key`, or pass `text`. */
  initialText: string;
  /** Replaces the text whenever it changes. */
  text?: string;
  onTextChange: (text: string) => void;
  check?: CheckValue;
  /** Completions for a property name or string value. */
  words?: readonly string[];
  /** Describes the fields by their path and replaces `words`; to change it, change the `key`. */
  hint?: JsonHint | null;
  /** Items of a list that can't be edited. */
  locked?: LockedItems | null;
  onSubmit?: () => void;
  onBlur?: () => void;
}

type MountJsonEditor = typeof import('./code-mirror.ts').mountJsonEditor;

interface CodeMirrorProps {
  /** Returns a function that destroys the editor. */
  onMount: (mountJsonEditor: MountJsonEditor, host: HTMLElement) => () => void;
}

const CodeMirror = lazyComponent<CodeMirrorProps>(async () => {
  const { mountJsonEditor } = await import('./code-mirror.ts');
  return function CodeMirrorHost({ onMount }) {
    const host = useRef<HTMLDivElement>(null);
    useLayoutEffect(
      () => (host.current === null ? undefined : onMount(mountJsonEditor, host.current)),
      [onMount],
    );
    return <div ref={host} />;
  };
});

/** Edits JSON with highlighting, folding and error marks; shows a plain text box while it loads. */
export function JsonEditor(props: JsonEditorProps) {
  const { label, initialText, onTextChange, check = noCheck, words = [], onSubmit, onBlur } = props;
  const { hidesLabel = false, text: shownText, hint = null, locked = null } = props;
  const mounted = useRef<MountedEditor>(null);
  const plain = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(initialText);
  const [isReady, setReady] = useState(false);
  const change = (next: string) => {
    setText(next);
    onTextChange(next);
  };
  const latest = useRef({ change, onSubmit, onBlur, check, text, label, words, hint, locked });
  useLayoutEffect(() => {
    latest.current = { change, onSubmit, onBlur, check, text, label, words, hint, locked };
  });

  const mount = useCallback((mountJsonEditor: MountJsonEditor, host: HTMLElement) => {
    const editor = mountJsonEditor({
      host,
      label: latest.current.label,
      text: latest.current.text,
      words: latest.current.words,
      hint: latest.current.hint,
      onChange: (next) => latest.current.change(next),
      onSubmit: () => latest.current.onSubmit?.(),
      onBlur: () => latest.current.onBlur?.(),
      problemsIn: (current) => listProblems(current, latest.current.check).problems,
    });
    mounted.current = editor;
    editor.lock(latest.current.locked);
    // Move focus to the loaded editor before removing the plain text box.
    if (plain.current !== null && document.activeElement === plain.current) editor.focus();
    setReady(true);
    return () => {
      mounted.current = null;
      editor.destroy();
    };
  }, []);

  useEffect(() => {
    if (shownText === undefined || shownText === latest.current.text) return;
    setText(shownText);
    if (plain.current !== null) plain.current.value = shownText;
    mounted.current?.setText(shownText);
  }, [shownText]);
  const { name: lockedName, from: lockedFrom, count: lockedCount } = locked ?? noItems;
  useEffect(() => {
    const isNone = lockedName === '' || lockedCount === 0;
    const items = { name: lockedName, from: lockedFrom, count: lockedCount };
    mounted.current?.lock(isNone ? null : items);
  }, [lockedName, lockedFrom, lockedCount]);

  const { problems, hiddenCount } = text.trim() === '' ? noProblems : listProblems(text, check);
  return (
    <div className="stack-4">
      {!hidesLabel && (
        <span className="label" aria-hidden="true">
          {label}
        </span>
      )}
      {!isReady && (
        <textarea
          ref={plain}
          aria-label={label}
          className={styles.plain}
          defaultValue={initialText}
          spellCheck={false}
          onBlur={onBlur}
          onInput={(event) => change(event.currentTarget.value)}
        />
      )}
      <CodeMirror onMount={mount} />
      <ul className={styles.problems} aria-label={`Errors in ${label}`} aria-live="polite">
        {problems.map(({ message, severity, path }) => (
          <li
            key={`${path.join('/')} ${message}`}
            className={severity === 'error' ? fieldStyles.error : styles.warning}
          >
            {severity === 'error' ? <ErrorIcon size={14} /> : <WarningIcon size={14} />}
            <span>
              {isReady && path.length > 0 && (
                <>
                  <Button
                    size="small"
                    variant="quiet"
                    className={styles.path}
                    onClick={() => mounted.current?.show(path)}
                  >
                    <code>/{path.join('/')}</code>
                  </Button>{' '}
                </>
              )}
              <span>{message}</span>
            </span>
          </li>
        ))}
        {hiddenCount > 0 && <li className={styles.more}>and {formatCount(hiddenCount)} more</li>}
      </ul>
    </div>
  );
}

const noProblems = { problems: [], hiddenCount: 0 };
const noItems: LockedItems = { name: '', from: 0, count: 0 };
