/** Types a fake main process, which may have any procedures of the contract. */
import type { ContractRouterClient } from '@orpc/contract';
import type { AppContract } from '../../shared/contract/contract.ts';

type Api = ContractRouterClient<AppContract>;

// The client's own iterator class isn't needed, because the page accepts any async iterable.
type Procedure<Original> = Original extends (
  ...input: infer Input
) => Promise<AsyncIterator<infer Value>>
  ? (...input: Input) => Promise<AsyncIterable<Value>>
  : Original;

/** Makes every field optional, as in the contract's inputs. */
export type Fields<Whole> = { [Name in keyof Whole]?: Whole[Name] | undefined };

/** Use it with `satisfies`, so that an unknown procedure is an error too. */
export type StandIn = {
  [Group in keyof Api]?: { [Name in keyof Api[Group]]?: Procedure<Api[Group][Name]> };
};
