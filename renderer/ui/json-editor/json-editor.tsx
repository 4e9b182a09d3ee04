import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { importPart } from '../../lib/import-part.ts';
import fieldStyles from '../field.module.css';
import { ErrorIcon, WarningIcon } from '../icons/status.tsx';
import type { MountedEditor } from './code-mirror.ts';
import styles from './json-editor.module.css';
import { type CheckValue, noCheck, readJson, type ValueProblem } from './json-problems.ts';

interface JsonEditorProps {
  label: string;
  /** The initial text; to replace it, change the `key`. */
  initialText: string;
  onTextChange: (text: string) => void;
  check?: CheckValue;
  /** Returns completions for a property name or string value. */
  words?: readonly string[];
  onSubmit?: () => void;
}

/**
 * A JSON editor with highlighting, folding and error marks; shows a plain text box while it loads.
 */
export function JsonEditor(props: JsonEditorProps) {
  const { label, initialText, onTextChange, check = noCheck, words = [], onSubmit } = props;
  const host = useRef<HTMLDivElement>(null);
  const plain = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(initialText);
  const [isReady, setReady] = useState(false);
  const change = (next: string) => {
    setText(next);
    onTextChange(next);
  };
  const latest = useRef({ change, onSubmit, check, text, label, words });
  useLayoutEffect(() => {
    latest.current = { change, onSubmit, check, text, label, words };
  });

  useEffect(() => {
    let editor: MountedEditor | null = null;
    let gone = false;
    const mount = ({ mountJsonEditor }: typeof import('./code-mirror.ts')) => {
      const element = host.current;
      if (gone || element === null) return;
      const hadFocus = document.activeElement === plain.current;
      editor = mountJsonEditor({
        host: element,
        label: latest.current.label,
        text: latest.current.text,
        words: latest.current.words,
        onChange: (next) => latest.current.change(next),
        onSubmit: () => latest.current.onSubmit?.(),
        problemsIn: (current) => getProblems(current, latest.current.check),
      });
      // Move focus to the loaded editor before removing the plain text box.
      element.hidden = false;
      if (hadFocus) editor.focus();
      if (plain.current !== null) plain.current.hidden = true;
      setReady(true);
    };
    // If the import fails, keep the plain text box.
    importPart(() => import('./code-mirror.ts')).then(mount, () => undefined);
    return () => {
      gone = true;
      editor?.destroy();
    };
  }, []);

  const problems = text.trim() === '' ? [] : getProblems(text, check);
  return (
    <div className="stack-4">
      <span className="label" aria-hidden="true">
        {label}
      </span>
      <div ref={host} hidden={!isReady} />
      {!isReady && (
        <textarea
          ref={plain}
          aria-label={label}
          className={styles.plain}
          defaultValue={initialText}
          spellCheck={false}
          onInput={(event) => change(event.currentTarget.value)}
        />
      )}
      <ul className={styles.problems} aria-label={`Errors in ${label}`} aria-live="polite">
        {problems.map(({ message, severity, path }) => (
          <li
            key={`${path.join('/')} ${message}`}
            className={severity === 'error' ? fieldStyles.error : styles.warning}
          >
            {severity === 'error' ? <ErrorIcon size={14} /> : <WarningIcon size={14} />}
            {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

function getProblems(text: string, check: CheckValue): readonly ValueProblem[] {
  const read = readJson(text, check);
  return read.ok ? read.warnings : read.problems;
}
