import { classNames } from './class-names.ts';
import styles from './field.module.css';
import { ErrorIcon } from './icons/status.tsx';

interface ProblemNoteProps {
  className?: string | undefined;
  children: string;
}

/** Shows an error about the user's latest input, below the input. */
export function ProblemNote({ className, children }: ProblemNoteProps) {
  return (
    <p className={classNames(styles.error, className)} role="alert">
      <ErrorIcon size={14} />
      {children}
    </p>
  );
}
