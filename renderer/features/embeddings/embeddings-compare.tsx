import { type ComparePanel, tokenFigures, totalFigure } from '../../run/compare/compare-panel.ts';

export const embeddingsComparePanel: ComparePanel = {
  figures: [totalFigure, ...tokenFigures.filter(({ id }) => id === 'in')],
};
