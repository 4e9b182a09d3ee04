/** Renders formulas with KaTeX, which loads on first use; until then, and on errors, shows the source. */
import { memo, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import styles from './markdown.module.css';

type Katex = typeof import('katex')['default'];

/** A longer formula would block the page. */
const MAX_SOURCE = 20_000;

let katex: Katex | null = null;
let isLoading = false;
const listeners = new Set<() => void>();

function loadKatex(): void {
  if (isLoading) return;
  isLoading = true;
  import('./katex.ts').then(
    (loaded) => {
      katex = loaded.katex;
      for (const notify of listeners) notify();
    },
    // The next formula tries again.
    () => {
      isLoading = false;
    },
  );
}

function useKatex(): Katex | null {
  useEffect(loadKatex, []);
  return useSyncExternalStore(
    (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    () => katex,
    () => katex,
  );
}

interface FormulaProps {
  /** The formula with its marks. */
  raw: string;
  source: string;
  isDisplay: boolean;
}

export const Formula = memo(function Formula({ raw, source, isDisplay }: FormulaProps) {
  const loaded = useKatex();
  const element = useRef<HTMLSpanElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  // KaTeX sets styles through the DOM, because the page's policy allows no `style` attributes.
  useLayoutEffect(() => {
    if (loaded === null || element.current === null) return;
    setProblem(renderFormula(loaded, element.current, source, isDisplay));
  }, [loaded, source, isDisplay]);
  const isSource = loaded === null || problem !== null;
  return (
    <>
      {isSource && (
        <code className={styles.mathSource} title={problem ?? undefined}>
          {raw}
        </code>
      )}
      <span
        ref={element}
        className={isDisplay ? styles.displayMath : styles.inlineMath}
        dir="ltr"
        hidden={isSource}
      />
    </>
  );
});

/** Returns the reason if the source isn't valid, or null. */
function renderFormula(
  loaded: Katex,
  element: HTMLElement,
  source: string,
  displayMode: boolean,
): string | null {
  if (source.length > MAX_SOURCE) return 'This formula is too long to render.';
  try {
    loaded.render(source, element, {
      displayMode,
      trust: false,
      strict: 'ignore',
      maxExpand: 1000,
      maxSize: 40,
    });
    return null;
  } catch (error) {
    element.replaceChildren();
    return error instanceof Error ? error.message : String(error);
  }
}

interface MathBlockProps {
  source: string;
  growing?: boolean;
}

export function MathBlock({ source, growing = false }: MathBlockProps) {
  // Half a formula is rarely valid, so it shows as source until it's complete.
  if (growing) {
    return (
      <p className={styles.literal} dir="ltr">
        {source}
      </p>
    );
  }
  if (source === '') return null;
  return (
    <p>
      <Formula raw={source} source={source} isDisplay />
    </p>
  );
}
