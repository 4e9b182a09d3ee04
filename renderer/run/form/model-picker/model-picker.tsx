import { useEffect, useMemo, useRef, useState } from 'react';
import type { OperationName } from '../../../../shared/operations/operation-name.ts';
import type { Settings } from '../../../../shared/settings.ts';
import { toAppError } from '../../../lib/app-error.ts';
import { pluralize } from '../../../lib/format-quantity.ts';
import { useSettings, useUpdateSettings } from '../../../lib/settings.ts';
import { Combobox, type ComboboxHandle } from '../../../ui/combobox.tsx';
import { showToast } from '../../../ui/show-toast.ts';
import type { Suggestion } from '../../../ui/suggestions.ts';
import { Switch } from '../../../ui/switch.tsx';
import type { Form } from '../form.ts';
import { chooseConnection, useAddedConnection } from '../use-connection.ts';
import { useModel } from '../use-model.ts';
import {
  type CatalogSource,
  isModelChoice,
  type ModelChoice,
  rankChoices,
  toggleFavorite,
} from './model-catalog.ts';
import styles from './model-picker.module.css';
import { ModelRow } from './model-row.tsx';
import { useCatalog } from './use-catalog.ts';

interface ModelPickerProps {
  form: Form<OperationName>;
  className?: string | undefined;
  isLabeled?: boolean;
}

/** Searches the models of all connections, but accepts any ID. */
export function ModelPicker({ form, className, isLabeled = false }: ModelPickerProps) {
  const { connectionId, model, choosable, chooseModel, suggestions, ...list } = useModel(form);
  const { isFetching, isListing, refresh } = list;
  const picker = useRef<ComboboxHandle>(null);
  const [showsAll, setShowsAll] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  const { operation } = form;
  const { favoriteModels: favorites } = useSettings();
  const [placed, setPlaced] = useState(favorites);
  const { choices, hiddenCount, sources } = useCatalog({
    operation,
    currentId: connectionId,
    favorites,
    placed,
    showsAll,
    wasOpened,
  });
  const toggleStar = useStar(favorites);
  const wanted = useAddedConnection(({ modelOf }) => modelOf);
  // Ignore a list error from before the key was fixed.
  const isKnown = choosable && suggestions !== null && !isFetching;
  useEffect(() => {
    if (wanted === null || wanted !== connectionId || !isKnown) return;
    useAddedConnection.setState({ modelOf: null });
    if (model === '') picker.current?.open();
  }, [wanted, connectionId, isKnown, model]);
  const listedIds = useMemo(() => new Set(suggestions?.models.map(({ id }) => id)), [suggestions]);

  function choose(choice: ModelChoice | Suggestion): void {
    if (!isModelChoice(choice) || choice.connectionId === connectionId) {
      chooseModel(choice.value);
    } else {
      form.change({ models: { [choice.connectionId]: choice.value } });
      chooseConnection(form, choice.connectionId);
    }
  }

  return (
    <Combobox<ModelChoice>
      ref={picker}
      label="Model"
      hideLabel={!isLabeled}
      className={className}
      value={model}
      onValueChange={chooseModel}
      suggestions={choices}
      match={(text) => rankChoices(choices, text, connectionId)}
      isChosen={(choice) =>
        isModelChoice(choice) && choice.connectionId === connectionId && choice.value === model
      }
      onChoose={choose}
      onMark={(choice) => {
        if (isModelChoice(choice)) toggleStar(choice);
      }}
      renderRow={(choice, isGrouped) =>
        isModelChoice(choice) ? (
          <ModelRow
            choice={choice}
            connectionName={
              sources.length < 2 || (isGrouped && choice.group === choice.connectionName)
                ? null
                : choice.connectionName
            }
            onToggleStar={() => toggleStar(choice)}
          />
        ) : null
      }
      typedLabel={(text) => `Use “${text}” as model ID`}
      typedNote={(text) => (listedIds.has(text) ? null : `“${text}” used as model ID`)}
      note={getNote(suggestions?.listProblem, suggestions?.models.length)}
      footer={
        <Footer
          hiddenCount={hiddenCount}
          showsAll={showsAll}
          onShowAll={setShowsAll}
          problems={sources.filter(({ connection }) => connection.id !== connectionId)}
        />
      }
      isWide
      placeholder={choosable ? (isListing ? 'Loading models…' : 'Choose a model') : ''}
      disabled={!choosable}
      onOpen={() => {
        setOpened(true);
        setPlaced(favorites);
        refresh();
      }}
    />
  );
}

/** A missing list isn't an error, because the API doesn't require one. */
function getNote(
  listProblem: string | null | undefined,
  modelCount: number | undefined,
): string | undefined {
  if (listProblem === undefined) return 'Loading models…';
  if (listProblem !== null) return listProblem;
  return modelCount === 0 ? 'This gateway lists no models. Enter a model ID.' : undefined;
}

interface FooterProps {
  hiddenCount: number;
  showsAll: boolean;
  onShowAll: (showsAll: boolean) => void;
  /** The other connections, some of which may not list their models. */
  problems: readonly CatalogSource[];
}

function Footer({ hiddenCount, showsAll, onShowAll, problems }: FooterProps) {
  return (
    <div className={styles.footer}>
      {problems.map(({ connection, suggestions }) =>
        suggestions?.listProblem == null ? null : (
          <p key={connection.id} className="hint">
            {connection.name}: {suggestions.listProblem}
          </p>
        ),
      )}
      <div className={styles.footerRow}>
        <span className="hint">Shift+Enter adds a favorite</span>
        {hiddenCount > 0 && (
          <Switch
            label={`Show ${pluralize(hiddenCount, 'model')} for other panels`}
            checked={showsAll}
            onCheckedChange={onShowAll}
          />
        )}
      </div>
    </div>
  );
}

function useStar(favorites: Settings['favoriteModels']): (choice: ModelChoice) => void {
  const update = useUpdateSettings();
  return ({ connectionId, value }) =>
    update.mutate(
      { favoriteModels: toggleFavorite(favorites, connectionId, value) },
      {
        onError: (error) => showToast({ message: toAppError(error).message, tone: 'danger' }),
      },
    );
}
