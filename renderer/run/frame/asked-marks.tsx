import { type Finding, findingTypes } from '../../../shared/checks/finding.ts';
import { CheckIcon } from '../../ui/icons/status.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import styles from './result-frame.module.css';

/** Keeps an abbreviation such as “JSON”. */
function toLower(label: string): string {
  return label.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}

/** Renders one quiet mark for everything as requested, and a line for each mismatch. */
export function AskedMarks({ findings }: { findings: readonly Finding[] }) {
  const held = findings.filter(({ holds }) => holds);
  const missed = findings.filter(({ holds }) => !holds);
  return (
    <>
      {held.length > 0 && (
        <Tooltip text={held.map(({ note }) => note).join('\n')}>
          <span className={styles.asAsked}>
            <CheckIcon size={12} />
            As asked: {held.map(({ name }) => toLower(findingTypes[name].label)).join(', ')}
          </span>
        </Tooltip>
      )}
      {missed.length > 0 && (
        <ul className={styles.notAsAsked} aria-label="Not as asked">
          {missed.map(({ name, note }) => (
            <li key={name}>
              {findingTypes[name].label}: {note}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
