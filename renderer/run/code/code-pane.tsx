import { useMemo, useState } from 'react';
import type { CodeResponse } from '../../../shared/operations/operation.ts';
import type { SentRequest } from '../../../shared/run.ts';
import { classNames } from '../../ui/class-names.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import type { CodeLine } from '../../ui/markdown/highlight.ts';
import { useHighlight } from '../../ui/markdown/use-highlight.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { TextPane } from '../body/text-pane.tsx';
import { type CodeLanguage, codeLanguages, getCode } from './code-export.ts';
import styles from './code-pane.module.css';
import { listFiles, toCodeRequest } from './code-request.ts';
import { bodyStart } from './curl.ts';

interface CodePaneProps {
  sent: SentRequest;
  response: CodeResponse;
}

/** Shows the request as code that sends it again. */
export function CodePane({ sent, response }: CodePaneProps) {
  const [language, setLanguage] = useState<CodeLanguage>('curl');
  const code = useMemo(() => getCode(language, sent, response), [sent, response, language]);
  const { body, variables } = useMemo(() => toCodeRequest(sent), [sent]);
  const files = listFiles(body);
  const colors = useColors(code, language);
  const label = codeLanguages.find(({ value }) => value === language)?.label ?? language;
  return (
    <TextPane
      label="Code"
      text={code}
      colors={colors}
      head={
        <div className={classNames(styles.head, 'row-8')}>
          <Segmented
            label="Language"
            value={language}
            options={codeLanguages}
            onValueChange={setLanguage}
          />
          <span className={classNames(styles.note, 'hint grow')}>
            {variables.length > 0 && (
              <>
                Set <code>{variables.map((name) => `$${name}`).join(', ')}</code>.{' '}
              </>
            )}
            {files.length > 0 &&
              `Reads ${files.map(({ path }) => path).join(', ')} from the current folder.`}
          </span>
          <CopyButton label={`Copy ${label}`} content={() => code} />
        </div>
      }
    />
  );
}

/** The body of a curl command is colored as JSON, because the shell only sees one string. */
function useColors(code: string, language: CodeLanguage): readonly CodeLine[] | null {
  const at = language === 'curl' ? bodyStart(code) : null;
  const command = useHighlight(
    at === null ? code : code.slice(0, at),
    language === 'curl' ? 'bash' : language,
  );
  const body = useHighlight(at === null ? null : code.slice(at), 'json');
  if (at === null || command === null) return command;
  if (body === null) return null;
  const [first = [], ...rest] = body;
  return [...command.slice(0, -1), [...(command.at(-1) ?? []), ...first], ...rest];
}
