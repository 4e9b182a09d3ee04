import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { OperationName } from '../../../../shared/operations/operation-name.ts';
import type { Settings } from '../../../../shared/settings.ts';
import { orpc } from '../../../lib/api.ts';
import { useConnections } from '../../../lib/connections.ts';
import { buildCatalog, type Catalog, type CatalogSource } from './model-catalog.ts';

interface UseCatalogOptions {
  operation: OperationName;
  currentId: string | null;
  favorites: Settings['favoriteModels'];
  placed: Settings['favoriteModels'];
  showsAll: boolean;
  /** True once the picker has been opened; only then are other gateways asked for their models. */
  wasOpened: boolean;
}

export interface LoadedCatalog extends Catalog {
  sources: readonly CatalogSource[];
}

export function useCatalog(options: UseCatalogOptions): LoadedCatalog {
  const { operation, currentId, favorites, placed, showsAll, wasOpened } = options;
  const { connections } = useConnections();
  const results = useQueries({
    queries: connections.map(({ id }) => ({
      ...orpc.models.suggest.queryOptions({ input: { connectionId: id, operation } }),
      enabled: wasOpened || id === currentId,
    })),
    combine: combineData,
  });
  return useMemo(() => {
    const sources = connections.map((connection, at) => ({
      connection,
      suggestions: results[at] ?? null,
    }));
    const catalog = buildCatalog({ sources, currentId, favorites, placed, showsAll });
    return { ...catalog, sources };
  }, [connections, results, currentId, favorites, placed, showsAll]);
}

/** Has a stable identity, so that the list isn't rebuilt on each render. */
function combineData<Data>(results: readonly { data: Data | undefined }[]): (Data | undefined)[] {
  return results.map(({ data }) => data);
}
