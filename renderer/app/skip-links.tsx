import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { firstStopIn } from '../ui/focus-guard.ts';
import styles from './skip-links.module.css';

/** The first stops of the page, seen only while they have the focus: past the rail, to where the work is. */
export function SkipLinks() {
  const [places, setPlaces] = useState<Places>({ panel: null, composer: null, result: null });
  return (
    <nav
      aria-label="Skip links"
      className={styles.links}
      onFocus={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setPlaces(findPlaces());
      }}
    >
      <Button onClick={() => findPlaces().panel?.focus()}>Skip to panel</Button>
      {places.composer !== null && (
        <Button onClick={() => findPlaces().composer?.focus()}>Skip to composer</Button>
      )}
      {places.result !== null && (
        <Button onClick={() => findPlaces().result?.focus()}>Skip to result</Button>
      )}
    </nav>
  );
}

interface Places {
  panel: HTMLElement | null;
  composer: HTMLElement | null;
  result: HTMLElement | null;
}

/** The targets in the page now: the panel, its text box, and its newest result. */
function findPlaces(): Places {
  const panel = document.querySelector<HTMLElement>('main');
  const areas = [...(panel?.querySelectorAll<HTMLElement>('textarea') ?? [])];
  const composer = areas.find(
    (area) => area.closest('aside, article') === null && area.checkVisibility(),
  );
  const result =
    [...(panel?.querySelectorAll('[role="log"] article') ?? [])].at(-1) ??
    panel?.querySelector('section[aria-label="Result"], article');
  return {
    panel,
    composer: composer ?? null,
    result: result == null ? null : firstStopIn(result),
  };
}
