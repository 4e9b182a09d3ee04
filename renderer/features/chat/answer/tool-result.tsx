import { prettyJson } from '../../../run/body/text-lines.ts';
import { CodeView } from '../../../ui/markdown/code-block.tsx';
import { PlainText } from '../messages/plain-text.tsx';

const LONGEST_PRETTY = 50_000;

interface ToolResultProps {
  text: string;
}

/** What a tool answered: JSON is laid out, anything else stands as it is. */
export function ToolResult({ text }: ToolResultProps) {
  const pretty = text.length <= LONGEST_PRETTY ? prettyJson(text) : null;
  return pretty === null ? <PlainText text={text} /> : <CodeView code={pretty} language="json" />;
}
