import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { CloseIcon } from '../../ui/icons/actions.tsx';
import { InfoIcon, WarningIcon } from '../../ui/icons/status.tsx';
import type { Form } from '../form/form.ts';
import { dismissPastedNotice, usePastedNotices } from '../form/pasted-notice.ts';
import { useConnection } from '../form/use-connection.ts';
import { useForm } from '../form/use-form.ts';
import styles from './pasted-offer.module.css';

/** Describes the request pasted into the form, and asks before another gateway receives it. */
export function PastedBanner({ form }: { form: Form<OperationName> }) {
  const notice = usePastedNotices(({ notices }) => notices[form.id]);
  const question = usePastedNotices((state) => state.question);
  const connection = useConnection(form);
  const compares = useForm(form, ({ comparing }) => comparing);
  if (notice === undefined) return null;
  const { message, action, unknownOrigin, isShown } = notice;
  const isForeign =
    unknownOrigin !== null &&
    (connection === null || URL.parse(connection.baseUrl)?.origin !== unknownOrigin);
  const target = compares ? 'the variants’ connections' : (connection?.name ?? null);
  const host = getHost(unknownOrigin);
  return (
    <>
      {isShown && (
        <div role="status" className={styles.banner} data-level={isForeign ? 'warning' : 'info'}>
          {isForeign ? <WarningIcon /> : <InfoIcon />}
          <p className="grow">
            {isForeign && (
              <strong>
                For {host}, which isn’t a connection.
                {target !== null && ` It would be sent to ${target}.`}{' '}
              </strong>
            )}
            {message}
          </p>
          {action !== null && (
            <Button size="small" variant={isForeign ? 'primary' : 'secondary'} onClick={action.run}>
              {action.label}
            </Button>
          )}
          <IconButton
            label="Dismiss"
            icon={<CloseIcon />}
            size="small"
            onClick={() => dismissPastedNotice(form)}
          />
        </div>
      )}
      {question?.formId === form.id && (
        <Dialog
          open
          isQuestion
          size="small"
          title={`Send to ${target ?? 'another gateway'}?`}
          onClose={() => question.answer(false)}
          actions={
            <>
              <Button onClick={() => question.answer(false)}>Cancel</Button>
              <Button onClick={() => question.answer(true)}>Send to {target}</Button>
              {action !== null && (
                <Button
                  variant="primary"
                  onClick={() => {
                    question.answer(false);
                    action.run();
                  }}
                >
                  {action.label}
                </Button>
              )}
            </>
          }
        >
          <p>
            You pasted this request for {host}, which isn’t a connection. It would be sent to{' '}
            {target} instead.
          </p>
        </Dialog>
      )}
    </>
  );
}

function getHost(origin: string | null): string {
  return origin === null ? '' : (URL.parse(origin)?.host ?? '');
}
