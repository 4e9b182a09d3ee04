import { useState } from 'react';
import type { JsonObject } from '../../shared/json.ts';
import { findSecretFields, type McpQuestion } from '../../shared/mcp-activity.ts';
import { api } from '../lib/api.ts';
import { useAttempt } from '../lib/use-attempt.ts';
import mcpStyles from '../run/mcp/mcp.module.css';
import { getDefaults } from '../run/mcp/schema-fields.ts';
import { SchemaForm, useSchemaDraft } from '../run/mcp/schema-form.tsx';
import { useMcpActivity } from '../run/mcp/use-mcp-activity.ts';
import { Button } from '../ui/button.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { InfoIcon } from '../ui/icons/status.tsx';
import styles from './shell.module.css';

type Form = Extract<McpQuestion, { mode: 'form' }>;
type Page = Extract<McpQuestion, { mode: 'url' }>;

/** Shows a banner for each question of an MCP server, because a dialog would interrupt the user. */
export function McpQuestions() {
  const { questions } = useMcpActivity();
  const [openId, setOpenId] = useState<string | null>(null);
  const open = questions.find(({ id }) => id === openId);
  const close = () => setOpenId(null);
  return (
    <>
      {questions.map((question) => (
        <div key={question.id} role="status" className={styles.banner} data-level="info">
          <InfoIcon />
          <p className={styles.text}>
            {describeAsker(question)}{' '}
            {question.mode === 'form' ? 'asks you for information.' : 'asks you to open a page.'}
          </p>
          <DeclineButton question={question} size="small" />
          <Button size="small" onClick={() => setOpenId(question.id)}>
            {question.mode === 'form' ? 'Answer' : 'Look at it'}
          </Button>
        </div>
      ))}
      {open?.mode === 'form' && <FormQuestion key={open.id} question={open} onClose={close} />}
      {open?.mode === 'url' && <PageQuestion key={open.id} question={open} onClose={close} />}
    </>
  );
}

function describeAsker({ server, tool }: McpQuestion): string {
  return tool === null ? server : `${server} (${tool})`;
}

const answer = (questionId: string, content: JsonObject | null) =>
  api.mcp.answer({ questionId, content });

interface DeclineButtonProps {
  question: McpQuestion;
  size?: 'small';
  onDecline?: () => void;
}

function DeclineButton({ question: { id }, size, onDecline }: DeclineButtonProps) {
  const declining = useAttempt();
  return (
    <Button
      {...(size && { size })}
      busy={declining.busy}
      onClick={() => {
        // Close a dialog first, so that the focus returns to the banner before it disappears.
        onDecline?.();
        void declining.attempt(() => answer(id, null));
      }}
    >
      Decline
    </Button>
  );
}

interface QuestionProps<Question> {
  question: Question;
  onClose: () => void;
}

function FormQuestion({ question, onClose }: QuestionProps<Form>) {
  const { id, server, message, schema } = question;
  const draft = useSchemaDraft(schema, getDefaults);
  const sending = useAttempt();
  const secrets = findSecretFields(schema);
  const secretProblem =
    secrets.length === 0
      ? null
      : `This form asks for a secret (${secrets.join(', ')}), so it can only be declined.`;
  const send = async () => {
    if (await sending.attempt(() => answer(id, draft.values))) onClose();
  };
  return (
    <FormDialog
      title={`${server} asks you`}
      size="wide"
      saveLabel="Send"
      closeLabel="Later"
      extraAction={<DeclineButton question={question} onDecline={onClose} />}
      busy={sending.busy}
      disabledReason={secretProblem ?? draft.problem}
      error={sending.error}
      onSave={() => void send()}
      onClose={onClose}
    >
      <p className={mcpStyles.said}>{message}</p>
      {secretProblem === null ? (
        <>
          <SchemaForm label={`Answer to ${server}`} draft={draft} />
          <p className="hint">
            {`What you send goes to ${server}. Never enter passwords or keys here.`}
          </p>
        </>
      ) : (
        <p role="alert">{secretProblem}</p>
      )}
    </FormDialog>
  );
}

function PageQuestion({ question, onClose }: QuestionProps<Page>) {
  const { id, server, message, url } = question;
  const opening = useAttempt();
  const { host } = new URL(url);
  const [before = '', after = ''] = splitAt(url, host);
  const open = async () => {
    if (location.protocol === 'app:') await api.system.openExternal({ url });
    else window.open(url, '_blank', 'noopener');
    await answer(id, {});
  };
  return (
    <FormDialog
      title={`${server} asks you to open a page`}
      size="wide"
      saveLabel="Open page"
      closeLabel="Later"
      extraAction={<DeclineButton question={question} onDecline={onClose} />}
      busy={opening.busy}
      error={opening.error}
      onSave={() => void opening.attempt(open).then((isOpen) => isOpen && onClose())}
      onClose={onClose}
    >
      <p className={mcpStyles.said}>{message}</p>
      <p className={mcpStyles.url}>
        {before}
        <span className={mcpStyles.host}>{host}</span>
        {after}
      </p>
      <p className="hint">
        {`${server} chose this address. Open it only if you trust it; Gatehouse doesn’t see what you do there.`}
      </p>
    </FormDialog>
  );
}

function splitAt(url: string, host: string): [string, string] {
  const start = url.indexOf(host);
  return [url.slice(0, start), url.slice(start + host.length)];
}
