import type { RunView } from '../../../shared/run-view.ts';
import { inspectRun } from '../../lib/layout.ts';
import { saveBlob } from '../../media/players/save-media.ts';
import { RunFigures } from '../../run/frame/run-figures.tsx';
import { RunStatusMark } from '../../run/frame/run-status.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { InspectIcon } from '../../ui/icons/actions.tsx';
import { DownloadIcon } from '../../ui/icons/media.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import styles from './ranking.module.css';
import { type RankedDocument, rankingCsv, rankingJson } from './ranking.ts';
import { type RankingView, useRerank } from './rerank-store.ts';

const views = [
  { value: 'bars', label: 'Bars' },
  { value: 'table', label: 'Table' },
  { value: 'json', label: 'JSON' },
] as const;

interface RankingHeadProps {
  view: RunView<'rerank'>;
  documents: RankedDocument[];
  shownAs: RankingView;
}

/** How the run went, how its result is shown, and the ways out of here. */
export function RankingHead({ view, documents, shownAs }: RankingHeadProps) {
  const save = (type: string, extension: string, text: string) =>
    saveBlob(new Blob([text], { type }), `ranking.${extension}`);
  return (
    <div className={styles.head}>
      <RunStatusMark status={view.status} />
      <span className={styles.figures}>
        <RunFigures run={view} />
      </span>
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
              onSelect: () => save('application/json', 'json', rankingJson(documents, view.state)),
            },
            {
              id: 'csv',
              label: 'Export as CSV',
              onSelect: () => save('text/csv', 'csv', rankingCsv(documents)),
            },
          ]}
        />
      )}
      <IconButton
        size="small"
        label="Inspect"
        icon={<InspectIcon size={14} />}
        onClick={() => inspectRun(view.id)}
      />
    </div>
  );
}
