import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isSameJson } from '../../../shared/json.ts';
import type { ConsoleInput } from '../../../shared/operations/console/request.ts';
import type { SavedRequest } from '../../../shared/saved-items.ts';
import { api, orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { removeItem, SaveItemDialog } from '../../run/form/save-item.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TrashIcon } from '../../ui/icons/actions.tsx';
import { Menu } from '../../ui/menu.tsx';
import { useRovingList } from '../../ui/roving-list.ts';
import { UndoBars } from '../../ui/undo-bars.tsx';
import styles from './console.module.css';
import { consoleForm, openRequest } from './console-form.ts';
import { type ConsolePreset, getExpectation } from './console-presets.ts';

interface SavedRequestsProps {
  draft: ConsoleInput;
  presets: readonly ConsolePreset[];
}

export function SavedRequests({ draft, presets }: SavedRequestsProps) {
  const list = useQuery(orpc.saved.requests.list.queryOptions());
  const removal = useAttempt();
  const [naming, setNaming] = useState(false);
  const saved = list.data ?? none;
  const error = removal.error ?? (list.error && toAppError(list.error));
  const roving = useRovingList({
    keys: saved.map(({ id }) => id),
    currentKey: null,
    getItemText: (index) => saved[index]?.name ?? '',
  });
  const kept = [...saved, ...presets].map(({ request }) => request);

  function remove(request: SavedRequest) {
    void removal.attempt(() =>
      removeItem(request, { place: consoleForm.id, words: '# requests deleted' }),
    );
  }

  return (
    <section className="stack-4 fixed" aria-label="Saved requests">
      <div className={styles.head}>
        <h2 className="heading grow">Saved requests</h2>
        <Menu
          label="Examples"
          trigger="Examples"
          size="small"
          items={presets
            .filter(({ request }) => !saved.some((one) => isSameJson(one.request, request)))
            .map(({ title, request }) => ({
              id: title,
              label: `${title} · ${request.method} ${request.path}`,
              onSelect: () => openRequest(request, kept),
            }))}
        />
        <Button size="small" variant="quiet" onClick={() => setNaming(true)}>
          Save request
        </Button>
      </div>
      <UndoBars place={consoleForm.id} />
      {error !== null && <ErrorAlert compact error={error} />}
      <ul className={styles.list} {...roving.listProps}>
        {saved.map((one, index) => (
          <li key={one.id} data-row={one.id} className={styles.item}>
            <button
              type="button"
              tabIndex={roving.getTabIndex(index)}
              className={classNames(styles.open, 'bare')}
              onClick={() => openRequest(one.request, kept)}
            >
              <span className={classNames(styles.name, 'truncate fixed')}>{one.name}</span>{' '}
              <span className={classNames(styles.savedTarget, 'truncate mono grow')}>
                {one.request.method} {one.request.path}
              </span>{' '}
              <span className={classNames(styles.expectation, 'hint truncate')}>
                {getExpectation(one.request)}
              </span>
            </button>
            <IconButton
              size="small"
              label={`Delete ${one.name}`}
              tabIndex={-1}
              icon={<TrashIcon size={14} />}
              onClick={() => remove(one)}
            />
          </li>
        ))}
      </ul>
      {naming && (
        <SaveItemDialog
          what="request"
          items={api.saved.requests}
          saved={saved}
          initialName={`${draft.method} ${draft.path}`}
          createItem={(name) => ({ name, request: draft })}
          place={consoleForm.id}
          onClose={() => setNaming(false)}
        />
      )}
    </section>
  );
}

const none: readonly SavedRequest[] = [];
