import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, orpc } from '../../lib/api.ts';
import { toAppError } from '../../lib/app-error.ts';
import { pluralize } from '../../lib/format-quantity.ts';
import { Button } from '../../ui/button.tsx';
import type { NextRequest } from './on-screen.ts';

type TokenCountProps = Pick<Exclude<NextRequest, { blocked: string }>, 'input' | 'basis'>;

/** Counts the input tokens of the next request at the gateway, if the user asks for it. */
export function TokenCount({ input, basis }: TokenCountProps) {
  const [wanted, setWanted] = useState<string | null>(null);
  const key = JSON.stringify([input, basis]);
  const { data, error, isFetching } = useQuery({
    queryKey: [...orpc.conversations.countTokens.key(), key],
    queryFn: ({ signal }) => api.conversations.countTokens(input, { signal }),
    enabled: wanted === key,
  });
  if (data !== undefined) {
    return <span role="status">{`${pluralize(data.tokens, 'input token')}, counted`}</span>;
  }
  return (
    <>
      {wanted === key && error !== null && (
        <span role="status" className="hint">
          {toAppError(error).message}
        </span>
      )}
      <Button size="small" busy={isFetching} onClick={() => setWanted(key)}>
        Count tokens
      </Button>
    </>
  );
}
