/** What answered the last test of a connection: run when it is saved and by its Test button. */
import { useQuery } from '@tanstack/react-query';
import type { ConnectionTest } from '../../../shared/connection.ts';
import { orpc } from '../../lib/api.ts';
import { queryClient } from '../../lib/query-client.ts';

function getTest(id: string) {
  return { ...orpc.connections.test.queryOptions({ input: { id } }), staleTime: 0 };
}

/** The last test, and the one that is under way. */
export function useConnectionTest(id: string) {
  return useQuery({ ...getTest(id), enabled: false });
}

export function testConnection(id: string): Promise<ConnectionTest> {
  return queryClient.fetchQuery(getTest(id));
}
