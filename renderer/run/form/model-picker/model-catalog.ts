import type { Connection } from '../../../../shared/connection.ts';
import type { ModelSuggestion, ModelSuggestions } from '../../../../shared/contract/models.ts';
import type { Settings } from '../../../../shared/settings.ts';
import type { Suggestion } from '../../../ui/suggestions.ts';

/** A row of the picker: a model of a connection. */
export interface ModelChoice extends Suggestion {
  key: string;
  connectionId: string;
  connectionName: string;
  model: ModelSuggestion;
  isFavorite: boolean;
}

/** Null until the connection's models arrive. */
export interface CatalogSource {
  connection: Pick<Connection, 'id' | 'name'>;
  suggestions: ModelSuggestions | null;
}

export interface Catalog {
  choices: readonly ModelChoice[];
  /** The number of models meant for other panels, which are listed only on request. */
  hiddenCount: number;
}

interface CatalogOptions {
  sources: readonly CatalogSource[];
  /** The connection that the panel uses; its models come first. */
  currentId: string | null;
  favorites: Settings['favoriteModels'];
  /** The favorites to list first, fixed while the list is open so that rows don't move. */
  placed: Settings['favoriteModels'];
  showsAll: boolean;
}

const MAX_RECENT = 6;

/** Lists favorites, recent models, then the models of each connection, each model once. */
export function buildCatalog(options: CatalogOptions): Catalog {
  const { sources, currentId, favorites, placed, showsAll } = options;
  const ordered = sources.toSorted((one, other) => rankSource(one) - rankSource(other));
  const everything = ordered.flatMap((source) => toChoices(source, favorites));
  const fitting = everything.filter(({ model }) => model.fits !== false || model.usedAt !== null);
  const listed = showsAll ? everything : fitting;
  const isPlaced = ({ connectionId, value }: ModelChoice) =>
    placed[connectionId]?.includes(value) === true;
  const starred = listed.filter(isPlaced);
  const recent = listed
    .filter((choice) => !isPlaced(choice) && choice.model.usedAt !== null)
    .toSorted((one, other) => (other.model.usedAt ?? 0) - (one.model.usedAt ?? 0))
    .slice(0, MAX_RECENT);
  const first = new Set([...starred, ...recent].map(({ key }) => key));
  const rest = listed.filter(({ key }) => !first.has(key));
  return {
    choices: [
      ...addGroup('Favorites', starred),
      ...addGroup('Recent', recent),
      ...rest.map((choice) => ({ ...choice, group: choice.connectionName })),
    ],
    hiddenCount: everything.length - fitting.length,
  };

  function rankSource({ connection }: CatalogSource): number {
    return connection.id === currentId ? 0 : 1;
  }
}

function toChoices(
  { connection, suggestions }: CatalogSource,
  favorites: Settings['favoriteModels'],
): ModelChoice[] {
  const starred = new Set(favorites[connection.id]);
  return (suggestions?.models ?? []).map((model) => ({
    key: JSON.stringify([connection.id, model.id]),
    value: model.id,
    connectionId: connection.id,
    connectionName: connection.name,
    model,
    isFavorite: starred.has(model.id),
  }));
}

function addGroup(group: string, choices: readonly ModelChoice[]): ModelChoice[] {
  return choices.map((choice) => ({ ...choice, group }));
}

/**
 * Ranks exact IDs of the current connection first, then exact IDs of others, then IDs that contain
 * the words, then other rows that do. The last row uses the text as is, unless it's listed.
 */
export function rankChoices(
  choices: readonly ModelChoice[],
  text: string,
  currentId: string | null,
): (ModelChoice | Suggestion)[] {
  const typed = text.trim();
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const contains = (where: string) => words.every((word) => where.includes(word));
  const ranks: ModelChoice[][] = [[], [], [], [], []];
  let isListed = false;
  for (const { group: _, ...choice } of choices) {
    const id = choice.value.toLowerCase();
    const isCurrent = choice.connectionId === currentId;
    if (choice.value === typed && isCurrent) isListed = true;
    if (choice.value === typed) ranks[isCurrent ? 0 : 1]?.push(choice);
    else if (id === typed.toLowerCase()) ranks[2]?.push(choice);
    else if (contains(id)) ranks[3]?.push(choice);
    else if (contains(describeForSearch(choice))) ranks[4]?.push(choice);
  }
  const matches = ranks.flat();
  const asTyped = { value: typed, key: 'typed', label: `Use “${typed}” as model ID` };
  return isListed ? matches : [...matches, asTyped];
}

function describeForSearch({ value, connectionName, model }: ModelChoice): string {
  const { description, ownedBy } = model;
  return [value, connectionName, description ?? '', ownedBy ?? ''].join(' ').toLowerCase();
}

export function isModelChoice(choice: Suggestion): choice is ModelChoice {
  return 'model' in choice;
}

/** Adds or removes a star. */
export function toggleFavorite(
  favorites: Settings['favoriteModels'],
  connectionId: string,
  model: string,
): Settings['favoriteModels'] {
  const starred = favorites[connectionId] ?? [];
  const others = starred.filter((one) => one !== model);
  const next = others.length < starred.length ? others : [...starred, model];
  return { ...favorites, [connectionId]: next };
}
