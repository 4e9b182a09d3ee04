/** Shows a Mermaid diagram as code, and draws it when the reader asks for it. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { Button } from '../button.tsx';
import { ProblemNote } from '../problem-note.tsx';
import { isDarkTheme, watchTheme } from '../watch-theme.ts';
import { type CodeBlock as CodeBlockData, joinCode } from './block.ts';
import { CodeBlock } from './code-block.tsx';
import type { Diagram } from './draw-diagram.ts';
import styles from './markdown.module.css';

/** A diagram that's too wide to be legible at the message's width scrolls. */
const MIN_SCALE = 0.6;
const MAX_DRAWINGS = 30;

interface DiagramBlockProps {
  block: CodeBlockData;
}

export function DiagramBlock({ block }: DiagramBlockProps) {
  const source = joinCode(block);
  const isDark = useSyncExternalStore(watchTheme, isDarkTheme);
  const [isShown, setShown] = useState(() => shown.has(source));
  const [diagram, setDiagram] = useState(() => drawings.get(toKey(source, isDark)) ?? null);
  const [problem, setProblem] = useState<string | null>(null);

  useEffect(() => {
    if (!isShown) return;
    let isCurrent = true;
    load(source, isDark).then(
      (drawn) => isCurrent && setDiagram(drawn),
      (error: unknown) => {
        shown.delete(source);
        if (!isCurrent) return;
        setShown(false);
        setProblem(error instanceof Error ? error.message : String(error));
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [isShown, source, isDark]);

  function toggle() {
    if (isShown) shown.delete(source);
    else shown.add(source);
    setShown(!isShown);
    setProblem(null);
  }

  // In the other theme, the last drawing stays until the new one is ready.
  const drawn = isShown && diagram?.source === source ? diagram : null;
  return (
    <CodeBlock
      block={block}
      complete
      action={
        <Button variant="quiet" size="small" busy={isShown && drawn === null} onClick={toggle}>
          {drawn === null ? 'Draw diagram' : 'Show code'}
        </Button>
      }
      drawing={drawn && <DiagramImage diagram={drawn} kind={/^\s*([\w-]+)/m.exec(source)?.[1]} />}
      note={problem && <ProblemNote className={styles.diagramProblem}>{problem}</ProblemNote>}
    />
  );
}

interface Drawing extends Diagram {
  source: string;
}

interface DiagramImageProps {
  diagram: Diagram;
  kind: string | undefined;
}

function DiagramImage({ diagram, kind }: DiagramImageProps) {
  const { url, width, height, description } = diagram;
  return (
    <div className={styles.diagram}>
      <img
        src={url}
        width={width}
        height={height}
        style={{ minInlineSize: width * MIN_SCALE }}
        alt={description ?? (kind === undefined ? 'Diagram' : `Diagram: ${kind}`)}
      />
    </div>
  );
}

/** Sources whose diagram is open, because messages unmount when scrolled out of view. */
const shown = new Set<string>();
const drawings = new Map<string, Drawing>();

function toKey(source: string, isDark: boolean): string {
  return `${isDark ? 'dark' : 'light'} ${source}`;
}

async function load(source: string, isDark: boolean): Promise<Drawing> {
  const key = toKey(source, isDark);
  const known = drawings.get(key);
  if (known !== undefined) return known;
  const { drawDiagram } = await import('./draw-diagram.ts');
  const drawing = { ...(await drawDiagram(source, isDark)), source };
  drawings.set(key, drawing);
  const [oldest] = drawings.keys();
  if (drawings.size > MAX_DRAWINGS && oldest !== undefined) drawings.delete(oldest);
  return drawing;
}
