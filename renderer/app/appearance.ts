import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { orpc } from '../lib/api.ts';

/** Puts theme and density on the document and keeps them for the next start's first paint. */
export function useAppearance(): void {
  const { data } = useQuery(orpc.settings.get.queryOptions());
  const theme = data?.theme;
  const density = data?.density;
  useEffect(() => {
    if (theme === undefined || density === undefined) return;
    const { dataset } = document.documentElement;
    if (theme === 'system') delete dataset.theme;
    else dataset.theme = theme;
    if (density === 'compact') delete dataset.density;
    else dataset.density = density;
    localStorage.setItem('gatehouse:appearance', JSON.stringify({ theme, density }));
  }, [theme, density]);
}
