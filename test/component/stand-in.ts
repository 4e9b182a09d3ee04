/** Types a fake main process, which may implement any procedures of the contract. */
import type { ContractRouterClient } from '@orpc/contract';
import type { AppContract } from '../../shared/contract/contract.ts';

type Api = ContractRouterClient<AppContract>;

// The page accepts any async iterable, so the client's own iterator class isn't needed.
type Procedure<Original> = Original extends (
  ...input: infer Input
) => Promise<AsyncIterator<infer Value>>
  ? (...input: Input) => Promise<AsyncIterable<Value>>
  : Original;

/** Makes every field optional, as contract inputs do. */
export type Fields<Whole> = { [Name in keyof Whole]?: Whole[Name] | undefined };

/** Use with `satisfies`, so that an unknown procedure is an error too. */
export type StandIn = PartOf<Api>;

type PartOf<Group> = {
  [Name in keyof Group]?: Group[Name] extends (...input: never[]) => unknown
    ? Procedure<Group[Name]>
    : PartOf<Group[Name]>;
};
