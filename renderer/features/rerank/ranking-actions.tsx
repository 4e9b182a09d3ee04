import type { RerankState } from '../../../shared/operations/rerank/state.ts';
import { saveBlob } from '../../media/players/download-button.tsx';
import { DownloadIcon } from '../../ui/icons/media.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { type RankedDocument, rankingCsv, rankingJson } from './ranking.ts';
import { type RankingView, useRerank } from './rerank-store.ts';

const views = [
  { value: 'bars', label: 'Bars' },
  { value: 'table', label: 'Table' },
  { value: 'json', label: 'JSON' },
] as const;

interface RankingActionsProps {
  state: RerankState;
  documents: RankedDocument[];
  shownAs: RankingView;
}

/** How the ranking is shown, and its export. */
export function RankingActions({ state, documents, shownAs }: RankingActionsProps) {
  const save = (type: string, extension: string, text: string) =>
    saveBlob(new Blob([text], { type }), `ranking.${extension}`);
  return (
    <>
      <Segmented
        label="Result as"
        value={shownAs}
        options={views}
        onValueChange={useRerank.getState().showRankingAs}
      />
      {documents.length > 0 && (
        <Menu
          label="Export"
          icon={<DownloadIcon size={14} />}
          size="small"
          align="end"
          items={[
            {
              id: 'json',
              label: 'Export as JSON',
              onSelect: () => save('application/json', 'json', rankingJson(documents, state)),
            },
            {
              id: 'csv',
              label: 'Export as CSV',
              onSelect: () => save('text/csv', 'csv', rankingCsv(documents)),
            },
          ]}
        />
      )}
    </>
  );
}
