import { classNames } from './class-names.ts';
import { ErrorIcon } from './icons/status.tsx';
import styles from './problem-note.module.css';

interface ProblemNoteProps {
  className?: string | undefined;
  children: string;
}

/** What is wrong with what the user has just given, in a line below it. */
export function ProblemNote({ className, children }: ProblemNoteProps) {
  return (
    <p className={classNames(styles.problem, className)} role="alert">
      <ErrorIcon size={14} />
      {children}
    </p>
  );
}
