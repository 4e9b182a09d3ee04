/** Code outside of markdown, shown as markdown shows it: header, Copy, colours once complete. */
import { useMemo } from 'react';
import { type CodeBlock as CodeBlockData, GROUP } from './block.ts';
import { CodeBlock } from './code-block.tsx';
import type { Grouped } from './grouped.ts';

interface CodeViewProps {
  code: string;
  /** As after a fence (`json`); empty for none. */
  language: string;
  /** False while more may come. */
  complete?: boolean;
}

export function CodeView({ code, language, complete = true }: CodeViewProps) {
  const block = useMemo(
    (): CodeBlockData => ({
      kind: 'code',
      fence: null,
      info: language,
      lines: groupLines(code),
      blankLines: 0,
      closed: complete,
    }),
    [code, language, complete],
  );
  return <CodeBlock block={block} complete={complete} />;
}

function groupLines(code: string): Grouped<string> {
  const lines = code.split('\n');
  const fullLines = lines.length - (lines.length % GROUP.codeLines);
  const groups = Array.from({ length: fullLines / GROUP.codeLines }, (_, index) =>
    lines.slice(index * GROUP.codeLines, (index + 1) * GROUP.codeLines),
  );
  return { groups, rest: lines.slice(fullLines) };
}
