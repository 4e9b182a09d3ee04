import type { RefObject } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import { useConnections } from '../../../lib/connections.ts';
import { chooseConnection, useFormConnection } from '../../../run/form/use-connection.ts';
import { connectionGone } from '../../../run/form/use-ready-run.ts';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { ChevronDownIcon } from '../../../ui/icons/status.tsx';
import { Menu } from '../../../ui/menu.tsx';
import type { ComposerForm } from './composer-form.ts';

interface ConnectionGoneProps {
  form: ComposerForm;
  /** Receives the focus once a connection is chosen. */
  returnTo: RefObject<HTMLElement | null>;
}

/** Says that the conversation's connection was deleted, and offers the others: none is put in its place silently. */
export function MissingConnectionNotice({ form, returnTo }: ConnectionGoneProps) {
  const { connections } = useConnections();
  const { isGone } = useFormConnection(form);
  if (!isGone) return null;
  const items = connections.map(({ id, name }) => ({
    id,
    label: name,
    onSelect: () => chooseConnection(form, id),
  }));
  return (
    <ErrorAlert
      compact
      error={getProblem(form)}
      actions={
        <Menu
          label="Choose connection"
          size="small"
          align="start"
          finalFocus={returnTo}
          trigger={
            <>
              Choose connection <ChevronDownIcon size={12} />
            </>
          }
          items={items}
        />
      }
    />
  );
}

function getProblem(form: ComposerForm): AppError {
  const message = connectionGone(form);
  return { kind: 'not-found', message, nextStep: '', gateway: null, detail: null };
}
