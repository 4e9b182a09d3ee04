import { useMemo } from 'react';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { getMediaDownloadUrl } from '../../../shared/media.ts';
import type { CodeResponse } from '../../../shared/operations/operation.ts';
import type { SentRequest } from '../../../shared/run.ts';
import { DOWNLOAD_NOTE, saveUrl } from '../../media/players/download-button.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DownloadIcon } from '../../ui/icons/media.tsx';
import { showInlineNote } from '../../ui/inline-note.ts';
import type { CodeLine } from '../../ui/markdown/highlight.ts';
import { useHighlight } from '../../ui/markdown/use-highlight.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { TextPane } from '../body/text-pane.tsx';
import {
  type CodeLanguage,
  codeLanguages,
  getCode,
  getCodeClients,
  getInstallCommand,
} from './code-export.ts';
import styles from './code-pane.module.css';
import { type CodeFile, listFiles, toCodeRequest } from './code-request.ts';
import { findBodyStart } from './curl.ts';

interface CodePaneProps {
  sent: SentRequest;
  response: CodeResponse;
}

/** Shows the request as code that sends it again. */
export function CodePane({ sent, response }: CodePaneProps) {
  const { language, prefersOfficial } = useCodeChoice();
  const clients = useMemo(
    () => getCodeClients(language, sent, response),
    [language, sent, response],
  );
  const official = clients.find(({ value }) => value !== 'http')?.value;
  const client = prefersOfficial && official !== undefined ? official : 'http';
  const code = useMemo(
    () => getCode(language, sent, response, client),
    [sent, response, language, client],
  );
  const { body, variables } = useMemo(() => toCodeRequest(sent), [sent]);
  const files = useMemo(() => listFiles(body), [body]);
  const colors = useColors(code, language);
  const label = codeLanguages.find(({ value }) => value === language)?.label ?? language;
  return (
    <TextPane
      label="Code"
      text={code}
      colors={colors}
      head={
        <div className="stack-4">
          <div className={classNames(styles.head, 'wrap-8')}>
            <Segmented
              label="Language"
              value={language}
              options={codeLanguages}
              onValueChange={(chosen) => useCodeChoice.setState({ language: chosen })}
            />
            {clients.length > 1 && (
              <Segmented
                label="Client"
                value={client}
                options={clients}
                onValueChange={(chosen) =>
                  useCodeChoice.setState({ prefersOfficial: chosen !== 'http' })
                }
              />
            )}
            <div className={classNames(styles.actions, 'wrap-4')}>
              <DownloadFiles files={files} />
              <CopyButton label={`Copy ${label}`} content={() => code} />
            </div>
          </div>
          <CodeNote
            install={getInstallCommand(language, client)}
            variables={variables}
            files={files}
          />
        </div>
      }
    />
  );
}

interface CodeNoteProps {
  install: string | null;
  variables: readonly string[];
  files: readonly CodeFile[];
}

/** Lists what the code needs to run. */
function CodeNote({ install, variables, files }: CodeNoteProps) {
  if (install === null && variables.length === 0 && files.length === 0) return null;
  return (
    <p className={classNames(styles.note, 'hint')}>
      {install !== null && (
        <>
          Run <code>{install}</code> first.{' '}
        </>
      )}
      {variables.length > 0 && (
        <>
          Set <code>{variables.map((name) => `$${name}`).join(', ')}</code>.{' '}
        </>
      )}
      {files.length > 0 &&
        `Reads ${files.map(({ path }) => path).join(', ')} from the current folder.`}
    </p>
  );
}

/** Downloads the files under the names that the code reads. */
function DownloadFiles({ files }: { files: readonly CodeFile[] }) {
  const known = files.flatMap(({ path, mediaId }) => (mediaId === null ? [] : [{ path, mediaId }]));
  if (known.length === 0) return null;
  return (
    <Button
      variant="quiet"
      size="small"
      icon={<DownloadIcon size={14} />}
      onClick={({ currentTarget }) => void saveFiles(currentTarget, known)}
    >
      {known.length === 1 ? 'Download file' : 'Download files'}
    </Button>
  );
}

async function saveFiles(
  at: Element,
  files: readonly { path: string; mediaId: string }[],
): Promise<void> {
  const missing: string[] = [];
  for (const { path, mediaId } of files) {
    const url = getMediaDownloadUrl(mediaId, path);
    const isThere = await fetch(url, { method: 'HEAD' }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isThere) saveUrl(url, path);
    else missing.push(path);
  }
  const note =
    missing.length === 0 ? DOWNLOAD_NOTE : `No longer in the library: ${missing.join(', ')}`;
  if (note !== null) showInlineNote(at, note);
}

/** The body of a curl command is colored as JSON, because the shell only sees one string. */
function useColors(code: string, language: CodeLanguage): readonly CodeLine[] | null {
  const at = language === 'curl' ? findBodyStart(code) : null;
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

interface CodeChoice {
  language: CodeLanguage;
  /** Whether to call the official client of OpenAI or Anthropic if it can send the request. */
  prefersOfficial: boolean;
}

/** Keeps the choice for the next request, in the inspector and in panels. */
export const useCodeChoice = create<CodeChoice>()(
  persist((): CodeChoice => ({ language: 'curl', prefersOfficial: false }), {
    name: 'gatehouse:code',
  }),
);
