/** The contract as a stand-in for main has to keep it: any of its procedures, each with main's answers. */
import type { ContractRouterClient } from '@orpc/contract';
import type { AppContract } from '../../shared/contract/contract.ts';

type Api = ContractRouterClient<AppContract>;

// Only the client makes iterators of its class; the page accepts any.
type Procedure<Original> = Original extends (
  ...input: infer Input
) => Promise<AsyncIterator<infer Value>>
  ? (...input: Input) => Promise<AsyncIterable<Value>>
  : Original;

/** Fields of `Whole` that a caller may leave out, as the contract's inputs have them. */
export type Fields<Whole> = { [Name in keyof Whole]?: Whole[Name] | undefined };

/** With `satisfies` behind the literal, so that a procedure the contract does not know is an error too. */
export type StandIn = {
  [Group in keyof Api]?: { [Name in keyof Api[Group]]?: Procedure<Api[Group][Name]> };
};
